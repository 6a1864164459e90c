import type { ScanRuleId, ScanSeverity } from './scan-rules.ts'

/** Where code stands: in a file that can be run, or as an example in instructions. */
export type CodePlace = 'script' | 'instructions'

export type CodePattern = {
  readonly rule: ScanRuleId
  readonly what: string
  readonly severity: Readonly<Record<CodePlace, ScanSeverity>>
  /** Without a quantifier that could run away: a line is looked at in linear time. */
  readonly first: RegExp
  /** Must stand in the same line behind the first. */
  readonly then?: RegExp
  readonly unless?: RegExp
}

type More = { readonly then?: RegExp; readonly unless?: RegExp }

const row = (
  rule: ScanRuleId,
  [script, instructions]: readonly [ScanSeverity, ScanSeverity],
  what: string,
  first: RegExp,
  more: More = {},
): CodePattern => ({ rule, severity: { script, instructions }, what, first, ...more })

const download = /\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\b/i
// Not where it is given a program of its own: `| python3 -m json.tool`, `| node sum.js`.
const intoInterpreter =
  /\|\s{0,20}(?:(?:sudo|env|exec|nohup|command|xargs)\s{1,20}(?:-\S{1,10}\s{1,5}|\w{1,30}=\S{0,60}\s{1,5}){0,4})?(?:\/\S{0,40}\/)?(?:(?:ba|z|da|k|a|fi)?sh|python[\d.]*|node|perl|ruby|php|deno|bun|iex|invoke-expression|\$\{?(?:SHELL|BASH)\}?)(?![\w./=-])(?!\s{1,5}(?:-[a-rt-z]{0,3}[mnep]\b|-c\b(?![^\n]{0,200}(?:\bexec\(|\beval\b|\$\(cat|\bsh\b))|[\w./~$"{][^\s|;&]{0,80}\.(?:py|js|mjs|ts|rb|pl|sh|php)\b))/i
const address = String.raw`(?:https?:\/\/|ftp:\/\/|\$\{?[A-Za-z_]|(?:[\w-]{1,40}\.){1,4}[a-z]{2,10}\/|(?:\d{1,3}\.){3}\d)`
// PowerShell takes any beginning of an option's name, and long dashes for short ones.
const encodedCommand = /[-/–—]e(?:c|n[a-z]{0,13})?\s{1,5}["']?[A-Za-z0-9+/=]{16}/i
const local = /localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0/

export const credentialFile =
  /(?:~|\$\{?HOME\}?|%USERPROFILE%|\/root|\/home\/\w{1,40}|home\(\)|homedir\(\)|expanduser\()[^\s]{0,20}?[/\\'", ]{1,4}\.(?:ssh\b(?!\/known_hosts)|aws\b|gnupg\b|netrc\b|npmrc\b|pypirc\b|git-credentials\b|kube\/config|docker\/config|config\/(?:gcloud|gh)(?![\w,.-])|azure\b)|\bid_(?:rsa|ed25519|ecdsa)\b(?!\.pub)|\/etc\/(?:shadow|sudoers)\b|\.aws\/credentials|\.git-credentials|login\.keychain|find-generic-password|Login Data\b|cookies\.sqlite|wallet\.dat|\.kube\/config\b|gh auth token|\/proc\/[^\s/]{1,20}\/environ/i

// What reaches for the world, in the languages that skills' scripts are written in.
export const codePatterns: readonly CodePattern[] = [
  row('download-run', ['high', 'high'], 'a download is piped into an interpreter', download, { then: intoInterpreter }),
  row(
    'download-run',
    ['high', 'high'],
    'an interpreter is given what is downloaded',
    /\b(?:eval|source|bash|sh|zsh|python3?|node|iex|invoke-expression)\b[^\n]{0,20}(?:\$\(|<\(|`|\()/i,
    { then: /^\s{0,10}(?:curl|wget|iwr|irm|invoke-webrequest|\(?new-object\s{1,5}net\.webclient)\b/i },
  ),
  row(
    'download-run',
    ['high', 'high'],
    'downloaded text is run as code',
    /(?:^|[^.\w])(?:exec|eval|Function|compile)\s{0,5}\(/,
    {
      then: /requests\.get|urlopen|httpx\.|fetch\(|axios|\.text\b.{0,20}http|https?:\/\//,
    },
  ),
  row(
    'encoded-payload',
    ['high', 'high'],
    'decoded text is piped into an interpreter',
    /\b(?:base64\s{1,5}(?:-d|-D|--decode)|xxd\s{1,5}-r|openssl\s{1,5}enc|rev)\b/,
    { then: intoInterpreter },
  ),
  row(
    'encoded-payload',
    ['high', 'high'],
    'decoded text is run as code',
    /(?:^|[^.\w])(?:exec|eval|Function|loads|compile)\s{0,5}\(/,
    { then: /b64decode|base64|atob\(|fromCharCode|fromhex|unhexlify|decompress\(|rot13/i },
  ),
  row('encoded-payload', ['high', 'high'], 'an encoded command is run', /\bpowershell(?:\.exe)?\s|\bpwsh\s/i, {
    then: encodedCommand,
  }),
  row('download-run', ['high', 'high'], 'a download is run by Windows', /\b(?:mshta|regsvr32|msiexec)(?:\.exe)?\s/i, {
    then: /^[^\n]{0,80}https?:/i,
  }),
  row(
    'download-run',
    ['medium', 'low'],
    'a file is downloaded by a tool of Windows',
    /\b(?:certutil|bitsadmin)(?:\.exe)?\s/i,
    {
      then: /urlcache|\/transfer/i,
    },
  ),
  row(
    'dynamic-code',
    ['medium', 'low'],
    'a file that is no script by its name is run',
    /(?:^|[\s;&|`"'(])(?:bash|sh|zsh|dash|python3?|node|perl|ruby|source|\.)\s{1,5}(?:-\w\s{1,3}){0,2}["']?[\w./${}~-]{1,120}\.(?:png|jpe?g|gif|webp|ico|pdf|docx|xlsx|zip|csv|tsv|json|ya?ml|txt|dat|bin|db|log|svg|woff2?|ttf|mp[34])\b(?!["']?\s{0,3}=)/,
  ),
  row(
    'dynamic-code',
    ['medium', 'low'],
    'a function is taken by a name that is put together',
    /\bgetattr\(\s{0,3}(?:os|sys|builtins|__builtins__|subprocess|__import__\(|importlib)|__builtins__\s{0,2}[.[]|\bglobals\(\)\s{0,2}\[|\bbuiltins\.(?:exec|eval)\b|\b(?:globalThis|window|global|self)\s{0,2}\[\s{0,3}['"`](?:eval|Function|process|require)|\.constructor\s{0,2}\.\s{0,2}constructor\b|\bprocess\.(?:binding|mainModule)\b|\brequire\(\s{0,3}(?:['"`]\w{0,20}['"`]\s{0,3}\+|atob|Buffer|String\.)/,
  ),
  row(
    'dynamic-code',
    ['medium', 'low'],
    'text is run as code',
    /\.then\(\s{0,3}eval\b|\beval\s{1,5}(?:get\b|`|\$)|\bmap\(\s{0,3}eval\b|\[scriptblock\]::create|\b(?:iex|invoke-expression)\b|javascript:\s{0,3}eval/i,
  ),
  row('network-access', ['medium', 'low'], 'a shell opens a connection of its own', /\/dev\/(?:tcp|udp)\//, {
    unless: local,
  }),
  row('dynamic-code', ['medium', 'low'], 'text is run as code', /(?:^|[^.\w'"`-])(?:eval|exec)\s{0,3}\((?!\s{0,3}\))/, {
    unless: /\.exec\(|def (?:eval|exec)|function (?:eval|exec)/,
  }),
  row(
    'dynamic-code',
    ['medium', 'low'],
    'text is run as code',
    /\bnew Function\s{0,3}\(|\bvm\.runIn\w{1,20}\(|\bmarshal\.loads\(/,
  ),
  row(
    'dynamic-code',
    ['low', 'info'],
    'stored objects are loaded that can run code',
    /\bpickle\.loads?\(|\b__import__\(/,
  ),
  row('credential-files', ['high', 'medium'], 'a file with keys or passwords is named', credentialFile),
  row(
    'environment-dump',
    ['medium', 'medium'],
    'all environment variables are read at once',
    /json\.dumps\(\s{0,5}(?:dict\()?os\.environ|dict\(os\.environ\)\)|str\(os\.environ\)|os\.environ\.items\(\)|JSON\.stringify\(\s{0,5}process\.env\s{0,5}[,)]|Object\.(?:entries|keys)\(process\.env\)|^\s{0,20}(?:printenv|env|set)\s{0,5}(?:\||>)/,
    { unless: /\benv\w{0,10}\s{0,3}=\s{0,3}\{/ },
  ),
  row(
    'secret-variable',
    ['low', 'info'],
    'a key is taken from the environment',
    /(?:environ(?:\.get)?[([]|getenv\(|process\.env[.[])\s{0,3}['"]?[A-Z0-9_]{0,40}(?:API_KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)/,
  ),
  row(
    'network-access',
    ['low', 'info'],
    'the network is used',
    /\brequests\.(?:get|post|put|patch|delete|request|Session)\(|\burlopen\(|\burlretrieve\(|\bhttp\.client\b|\bhttpx\.|\baiohttp\b|\bsocket\.(?:socket|create_connection)\(|\bparamiko\b|\bftplib\b|\bsmtplib\b|(?:^|[^.\w])fetch\(\s{0,3}[^)\s]|\baxios\b|\bXMLHttpRequest\b|\bnew WebSocket\(|\bhttps?\.(?:get|request)\(|\bnet\.(?:connect|createConnection)\(|\/dev\/tcp\/|\bNet::HTTP\b|\bInvoke-(?:WebRequest|RestMethod)\b/,
    { unless: local },
  ),
  row('network-access', ['high', 'high'], 'a shell is given to somebody on the network', /\b(?:nc|ncat|netcat)\b/, {
    then: /^[^\n|;]{0,80}\s-[a-z]{0,6}[ec]\b/,
  }),
  row('network-access', ['high', 'high'], 'a shell is given to somebody on the network', /\b(?:ba)?sh\s{1,3}-i\b/, {
    then: /\/dev\/tcp\//,
  }),
  row(
    'writes-outside',
    ['medium', 'low'],
    'a file in your home or of the system is written',
    /(?:open|writeFile(?:Sync)?|appendFile(?:Sync)?|write_text|copy(?:file)?|move)\s{0,3}\([^\n]{0,80}?(?:~\/|\$HOME|expanduser|homedir\(|Path\.home\(|['"]\/(?:etc|usr|var|opt|root|home)\/)/,
    {
      then: /['"][wax]b?\+?['"]|writeFile|appendFile|write_text|copy|move|[^)]/,
      unless: /\bopen\([^)]{0,120}(?:\)|['"]rb?['"])\s{0,3}(?:as|$|\.read)/,
    },
  ),
  row(
    'persistence',
    ['high', 'medium'],
    'a startup file, a timer or a hook is changed',
    /(?:>>?|\btee\b|\bopen\(|write\w{0,10}\(|\bappend(?:File(?:Sync)?|_text)\(|\bsed\s{1,3}-i|\b(?:cp|mv|ln|install)\s[^\n]{1,200}\s(?=\S{1,200}\s{0,5}(?:$|[;&|"')])))/,
    {
      then: /\.(?:bashrc|bash_profile|zshrc|zprofile|profile)\b|\/etc\/(?:cron|profile|rc\.local|systemd)|LaunchAgents|LaunchDaemons|\.config\/(?:autostart|systemd)|\.git\/hooks\/|authorized_keys|crontab\b/,
      unless: /^\s{0,20}(?:#|\/\/)/,
    },
  ),
  row(
    'persistence',
    ['high', 'medium'],
    'a timer or a service is set up',
    /\bcrontab\s{1,5}(?:-(?!l)|[^-\s|;])|\bsystemctl\s{1,5}(?:--user\s{1,5})?enable\b|\blaunchctl\s{1,5}(?:load|bootstrap)\b|\bschtasks\b[^\n]{0,20}\/create|\bReg(?:istry)?\b[^\n]{0,80}CurrentVersion\\Run\b/i,
  ),
  row(
    'agent-settings',
    ['high', 'medium'],
    'settings or standing instructions of an agent are written',
    /(?:>>?|\btee\b|\bopen\(|write\w{0,10}\(|\bappend(?:File(?:Sync)?|_text)\(|\bsed\s{1,3}-i|\bcp\b|\bmv\b)/,
    {
      then: /\.claude\/(?:settings|commands|agents|hooks)|\.claude\.json|\bCLAUDE\.md\b|\bAGENTS\.md\b|\.mcp\.json|\.cursor\/(?:rules|mcp)|\.cursorrules|\.codex\/(?:config|auth)|\.gemini\/settings|\.agent\/config|\.vscode\/(?:settings|tasks)/,
      unless: /\.read\(|['"]rb?['"]/,
    },
  ),
  row(
    'destructive',
    ['high', 'medium'],
    'much could be deleted or overwritten',
    /\brm\s{1,5}-[a-zA-Z]{0,6}[rR][a-zA-Z]{0,6}\s{1,5}(?:-\S{1,30}\s{1,5}){0,3}["']?(?:\/(?:["'\s*]|$)|~\/?(?:["'\s*]|$)|\$HOME\/?(?:["'\s*]|$)|\$\{HOME\}\/?(?:["'\s*]|$)|\/(?:etc|usr|var(?!\/(?:lib\/apt\/lists|cache|tmp)\/)|home|root|bin|lib)\b)|\bmkfs\.?\w{0,8}\s|\bdd\b[^\n|;]{0,80}\bof=\/dev\/(?!null|stdout)|rmtree\(\s{0,5}(?:Path\.home\(|os\.path\.expanduser\(|['"]\/['"])|:\(\)\s{0,3}\{\s{0,3}:\|:|\bformat\s{1,3}c:/i,
  ),
  row(
    'elevated-rights',
    ['medium', 'low'],
    'more rights are taken',
    /(?:^|[\s;&|(`'"])(?:sudo|doas|pkexec)\s{1,5}[\w/-]|\bchmod\s{1,5}(?:-R\s{1,5})?(?:0?777|[ug]\+s|[2467][0-7]{3})\b|\bsetuid\(|--privileged\b/,
    {
      unless: /without sudo|no sudo/i,
    },
  ),
  row(
    'safety-off',
    ['high', 'medium'],
    'an agent is started without its safeguards',
    /--dangerously-skip-permissions|--dangerously-bypass-approvals|--yolo\b|--allow-all-tools\b|(?<!\|)\bbypassPermissions\b(?!\s{0,3}\|)|--trust-all-tools\b/,
  ),
  row(
    'safety-off',
    ['medium', 'low'],
    'certificates or hosts are not checked',
    /\bverify\s{0,3}=\s{0,3}False\b|NODE_TLS_REJECT_UNAUTHORIZED|StrictHostKeyChecking[= ]no|\bcurl\b[^\n|;]{0,80}\s(?:-[a-zA-Z]{0,5}k[a-zA-Z]{0,5}|--insecure)\s|--no-check-certificate|rejectUnauthorized:\s{0,3}false|http\.sslVerify[= ]false|_create_unverified_context/,
  ),
  row(
    'starts-programs',
    ['low', 'info'],
    'a program is started through a shell',
    /\bshell\s{0,3}=\s{0,3}True\b|\bos\.(?:system|popen)\(|\b(?:execSync|child_process['"]?\)?\.exec)\(|\bshell:\s{0,3}true\b/,
  ),
  row(
    'starts-programs',
    ['info', 'info'],
    'a program is started',
    /\bsubprocess\.\w|\bchild_process\b|\bspawn(?:Sync)?\(|\bexecFile(?:Sync)?\(|\bos\.exec[lv]\w{0,3}\(|\bexeca\(/,
  ),
  row(
    'installs-packages',
    ['medium', 'medium'],
    'a package is installed from an address, not from the usual registry',
    /\b(?:pip3?|uv(?:\s{1,3}pip)?|pipx|npm|pnpm|yarn|npx|cargo|go)\s{1,5}(?:install|add|i)\b/,
    {
      then: /\bgit\+|\s(?:-i|--index-url|--extra-index-url|--registry|--find-links)\b|\shttps?:\/\//,
      unless: /https:\/\/github\.com\/anthropics\//,
    },
  ),
  row(
    'installs-packages',
    ['low', 'info'],
    'packages are installed',
    /\b(?:pip3?|uv\s{1,3}pip|pipx|conda|mamba|brew|apt|apt-get|yum|dnf|apk|gem|cargo|go|npm|pnpm|uv\s{1,3}tool)\s{1,5}(?:-\S{1,20}\s{1,3})?install\b|['"]pip['"],\s{0,3}['"]install['"]|\b(?:npm\s{1,3}i|yarn\s{1,3}add|pnpm\s{1,3}add|uv\s{1,3}add|bun\s{1,3}add)\s|\bnpx\s{1,5}(?:-y|--yes)\b|\buvx\s{1,5}\w/,
  ),
]

export type LoosePattern = Pick<CodePattern, 'rule' | 'what' | 'first' | 'then'> & {
  readonly severity: ScanSeverity
  /** Must stand in what the first one matched. */
  readonly holds?: RegExp
}

// What is grave in any text that somebody may type off, told narrowly enough for prose: "compile (see https://…)" is none.
export const looseCode: readonly LoosePattern[] = [
  {
    rule: 'download-run',
    severity: 'high',
    what: 'a download is piped into an interpreter',
    first: /\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\b[^|\n]{0,800}/i,
    // A table can have a column for curl and one for bash.
    holds: new RegExp(address, 'i'),
    then: intoInterpreter,
  },
  {
    rule: 'download-run',
    severity: 'high',
    what: 'an interpreter is given what is downloaded',
    first:
      /\b(?:eval|source|bash|sh|zsh|python3?|node|iex|invoke-expression)\b[^\n|]{0,20}(?:\$\(|<\(|\(|`)\s{0,5}(?=(?:curl|wget|iwr|irm|invoke-webrequest|\(?new-object\s{1,5}net\.webclient)\b)/i,
    then: new RegExp(address, 'i'),
  },
  {
    rule: 'download-run',
    severity: 'high',
    what: 'a download is run by Windows',
    first:
      /\b(?:mshta(?:\.exe)?\s{1,5}["']?https?:|regsvr32(?:\.exe)?\s[^\n]{0,60}\/i:https?:|msiexec(?:\.exe)?\s[^\n]{0,40}https?:)/i,
  },
  {
    rule: 'encoded-payload',
    severity: 'high',
    what: 'decoded text is piped into an interpreter',
    first: /\b(?:base64\s{1,5}(?:-d|-D|--decode)|xxd\s{1,5}-r|openssl\s{1,5}enc)\b/,
    then: intoInterpreter,
  },
  {
    rule: 'encoded-payload',
    severity: 'high',
    what: 'decoded text is run as code',
    first: /\b(?:exec|eval|Function)\(\s{0,5}(?:\w{1,20}\.){0,3}(?:b64decode|atob|fromhex|unhexlify|fromCharCode)\b/,
  },
  {
    rule: 'encoded-payload',
    severity: 'high',
    what: 'an encoded command is run',
    first: /\b(?:powershell(?:\.exe)?|pwsh)\s/i,
    then: encodedCommand,
  },
  {
    rule: 'credential-files',
    severity: 'medium',
    what: 'a file with keys or passwords is read',
    first:
      /\b(?:cat|less|head|tail|base64|tar|zip|scp|curl|wget|cp|mv|gc|get-content)\s|\b(?:open|readFile(?:Sync)?|read_text)\(/i,
    then: new RegExp(String.raw`^[^\n]{0,80}?(?:${credentialFile.source})`, 'i'),
  },
  { rule: 'credential-files', severity: 'low', what: 'a file with keys or passwords is named', first: credentialFile },
]
