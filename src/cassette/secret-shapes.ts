/** What a redaction calls what it stands for. A closed list: no text can pass itself off as a redaction of another kind. */
export const secretKinds = [
  'value',
  'env',
  'encoded',
  'header',
  'cookie',
  'field',
  'parameter',
  'assignment',
  'url-password',
  'private-key',
  'jwt',
  'bearer',
  'anthropic',
  'openai',
  'github',
  'gitlab',
  'slack',
  'aws',
  'google',
  'npm',
  'huggingface',
  'pypi',
  'stripe',
  'azure',
  'sendgrid',
  'webhook',
  'telegram',
  'token',
] as const

export type SecretKind = (typeof secretKinds)[number]

/** `keep`, where a pattern has that group, is what stands before the secret and stays. */
export type SecretShape = {
  readonly kind: SecretKind
  readonly pattern: RegExp
  /** Of these, one is in every match of the pattern. */
  readonly cores: readonly string[]
}

// In every pattern a run of characters ends before the next place where the pattern could start, or is bounded: the
// time is linear in the text, whoever wrote it.
// A dash before it belongs to a name, but for that of a diff; the letter of an escape (`\\n`) belongs to nothing.
const start = String.raw`(?:(?<![A-Za-z0-9_]|[^\n]-)|(?<=\\[nrtbf]-?))`

/** A pattern is made around its core, so that no match is without it. */
const shape = (
  kind: SecretKind,
  [before, core, after]: readonly [string, string, string],
  flags = 'g',
): SecretShape => ({
  kind,
  pattern: new RegExp(`${before}(?:${core})${after}`, flags),
  cores: [core],
})

/** One of several ways to begin, each with what follows. */
const token = (kind: SecretKind, ...forms: readonly (readonly [core: string, rest: string])[]): SecretShape => ({
  kind,
  pattern: new RegExp(`${start}(?:${forms.map(([core, rest]) => `(?:${core})${rest}`).join('|')})`, 'g'),
  cores: forms.map(([core]) => core),
})

const scheme = '(?:bearer|basic|digest|token|apikey|negotiate|ntlm|aws4-hmac-sha256)'
const quote = `\\\\{0,3}["']`
const name =
  '(?:api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|secret|token(?!iz)|password|passwd|passphrase|credential)'
const parameter =
  '(?:access_token|refresh_token|id_token|auth_token|token|api_?key|key|client_secret|secret|password|passwd|pwd|sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|code)'
const authorization = String.raw`(?:${quote})?[ \t]{0,8}[:=][ \t]{0,8}(?:${quote})?`

/** Secrets that are known by how they look, those that are most certain first. */
export const secretShapes: readonly SecretShape[] = [
  shape('private-key', [
    '',
    '-----BEGIN ',
    String.raw`(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:[\w+/=\s\\,:.()@]|-(?!----))*(?:-----END [A-Z0-9 ]{1,60}-----)?`,
  ]),
  shape('url-password', [
    '(?<keep>(?<![A-Za-z0-9]|[^\\n][+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}',
    String.raw`:\/\/[^\s/@:"'<>]{0,200}:`,
    String.raw`)[^\s/"'<>]{1,500}(?=@)`,
  ]),
  shape(
    'header',
    [
      '(?<keep>(?<![A-Za-z0-9_])(?:proxy-)?',
      'authorization',
      String.raw`${authorization}(?:digest|aws4-hmac-sha256)[ \t]{1,8})[^\r\n"'\\]{4,}(?:"[^\r\n"]{0,500}"[^\r\n"]{0,20}){0,20}`,
    ],
    'gi',
  ),
  shape(
    'header',
    [
      '(?<keep>(?<![A-Za-z0-9_])(?:proxy-)?',
      'authorization',
      String.raw`${authorization}(?:${scheme}[ \t]{1,8})?)(?!${scheme}(?![\w.~+/=-]))[^\s"'\\,;<>]{4,}`,
    ],
    'gi',
  ),
  shape(
    'header',
    [
      '(?<keep>(?<![A-Za-z0-9_])',
      'x-[a-z-]{0,30}(?:key|token|secret)',
      String.raw`(?:${quote})?[ \t]{0,8}:[ \t]{0,8}(?:${quote})?)[^\s"'\\,;<>]{6,}`,
    ],
    'gi',
  ),
  shape(
    'cookie',
    [
      '(?<keep>(?<![A-Za-z0-9_])(?:set-)?',
      'cookie',
      String.raw`(?:${quote})?[ \t]{0,8}:[ \t]{0,8}(?:${quote})?)[\w.$!#%&*+^|~-]{1,100}=[^\r\n"'\\]+`,
    ],
    'gi',
  ),
  token('anthropic', ['sk-ant-', '[\\w-]{16,}']),
  token(
    'openai',
    ['sk-(?:proj|svcacct|admin|or-v1|none)-', '[\\w-]{16,}'],
    ['sk-', '(?=[A-Za-z]{0,200}\\d)[A-Za-z0-9]{32,}'],
  ),
  token('github', ['gh[pousr]_', '[A-Za-z0-9]{20,}'], ['github_pat_', '[A-Za-z0-9_]{20,}']),
  token('gitlab', ['gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-', '[\\w.-]{16,}']),
  token('slack', ['xox[a-z]', '(?:\\.xox[a-z])?-[\\w-]{10,}'], ['xapp-', '\\d-[\\w-]{10,}']),
  token('aws', ['AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9]', '[A-Z0-9]{16}(?![A-Za-z0-9])']),
  token('google', ['AIza', '[\\w-]{35}'], ['ya29\\.', '[\\w-]{20,}'], ['GOCSPX-', '[\\w-]{20,}']),
  token('npm', ['npm_', '[A-Za-z0-9]{30,}']),
  token('huggingface', ['hf_', '[A-Za-z0-9]{30,}']),
  token('pypi', ['pypi-', '[\\w-]{40,}']),
  token('stripe', ['[sr]k_(?:live|test)_', '[A-Za-z0-9]{16,}'], ['whsec_', '[A-Za-z0-9+/=]{20,}']),
  shape('azure', ['(?<keep>', 'AccountKey=|SharedAccessKey=', ')[A-Za-z0-9+/]{40,}={0,2}'], 'gi'),
  token('sendgrid', ['SG\\.', '[\\w-]{16,}\\.[\\w-]{16,}']),
  shape(
    'webhook',
    ['(?<keep>', 'hooks\\.slack\\.com/(?:services|workflows)/|discord(?:app)?\\.com/api/webhooks/', ')[\\w/-]{20,}'],
    'gi',
  ),
  shape('telegram', [`${start}\\d{8,10}`, ':AA', '[\\w-]{32,}']),
  token('jwt', ['eyJ', '[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]{8,}']),
  token(
    'token',
    ['SK[0-9a-f]', '[0-9a-f]{31}(?![0-9a-z])'],
    ['do[opr]_v1_', '[0-9a-f]{40,}'],
    ['shp(?:at|ca|pa|ss)_', '[0-9a-fA-F]{32}'],
    ['dckr_(?:pat|oat)_', '[\\w-]{20,}'],
    ['dapi[0-9a-f]', '[0-9a-f]{31}'],
    ['dp\\.(?:pt|st|ct|sa)\\.', '[\\w.-]{20,}'],
    ['hv[sbr]\\.', '[\\w-]{20,}'],
    ['gsk_', '[A-Za-z0-9]{32,}'],
    ['xai-', '[A-Za-z0-9]{40,}'],
    ['r8_', '[A-Za-z0-9]{30,}'],
    ['pplx-', '[A-Za-z0-9]{32,}'],
    ['(?:ntn|lin_api|sbp|figd|fo1|glsa|sntrys|pscale_tkn|pscale_pw)_', '[\\w+/=-]{30,}'],
    ['PMAK-', '[0-9a-f]{20,}-[0-9a-f]{20,}'],
    ['NRAK-', '[A-Z0-9]{20,}'],
    ['ATATT3', '[\\w=-]{40,}'],
    ['tskey-', '[a-z]{3,12}-[\\w-]{16,}'],
    ['AGE-SECRET-KEY-1', '[A-Z0-9]{40,}'],
  ),
  shape(
    'bearer',
    ['(?<keep>(?<![A-Za-z0-9_-])', 'bearer[ \\t]', String.raw`[ \t]{0,7})(?=[\w.~+/-]{0,60}\d)[\w.~+/-]{16,}=*`],
    'gi',
  ),
  shape(
    'parameter',
    ['(?<keep>', `[?&#]${parameter}=`, String.raw`)(?=[^&#\s"'<>]{0,200}[\d%])[^&#\s"'<>\\]{8,}`],
    'gi',
  ),
  // Under such a name a value is a secret where it has letters and digits and is no path, no variable and no call.
  shape(
    'assignment',
    [
      '(?<keep>',
      String.raw`${name}[\w-]{0,20}(?:${quote})?[ \t]{0,4}[:=]`,
      String.raw`[ \t]{0,4}(?:${quote})?)(?=[^\s"'\\,;&<>(){}[\]$]{0,60}\d)(?=[^\s"'\\,;&<>(){}[\]$]{0,60}[A-Za-z])(?![./~])[^\s"'\\,;&<>(){}[\]$]{8,}(?![(\[{$])`,
    ],
    'gi',
  ),
]

/**
 * Matches wherever one of the shapes does, and now and then elsewhere: what it does not match needs no closer look. All
 * shapes in one expression would be too large for the engine to compile well, and ten times as slow.
 */
export const maybeSecret: RegExp = new RegExp(
  [...new Set(secretShapes.flatMap(({ cores }) => cores))].map((core) => `(?:${core})`).join('|'),
  'i',
)
