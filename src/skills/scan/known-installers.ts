/**
 * Whether all that a line downloads comes from where a well-known tool's own installation guide says: seen by millions, and
 * worth knowing of, but not what a hostile skill would choose. In documentation names that are kept free for examples count
 * as well. Anything else in the line that could be an address makes it false.
 */
export const isKnownInstaller = (line: string, isDocumentation: boolean): boolean => {
  const named = line.replace(/https:\/\/[^\s"'`)>|;<\\&]{1,200}/g, (url, at: number) =>
    known.test(url) && !goesOn.test(line.slice(at + url.length, at + url.length + 8)) ? ' ' : url,
  )
  const rest = isDocumentation ? named.replace(reserved, ' ') : named
  if (rest === line || /:\/\/|[\w-]\.[a-z]{2,12}[/:]/i.test(rest)) return false
  // Before the pipe, what is downloaded can still be turned elsewhere.
  const [, , download = ''] = /^(.*?)\b(curl[^|]*|wget[^|]*|i[rw][mr]\b[^|]*|invoke-[^|]*)/i.exec(rest) ?? []
  return !/\$\{?\w|`|--?(?:proxy|resolve|connect-to|config)\b|\s-[xK]\b/i.test(download)
}

/** Behind a quote mark a shell's word goes on: `"https://sh.rustup.rs"@other.host`. */
const goesOn = /^(?:["'`]|\\(?!n))+[\w.@:$-]/

/** The names of RFC 2606, which nobody can own; what looks like one and goes on is none. */
const reserved =
  /(?<![\w.@/:-])(?:https?:\/\/)?(?:(?:[\w-]{1,40}\.){0,4}(?:example\.(?:com|org|net)|[\w-]{1,40}\.(?:example|test|invalid))|localhost)(?::\d{1,5})?(?:\/[^\s"'`)>|;<\\&@]{0,200})?(?=$|[\s)|;<>&,]|["'`]+(?:$|[\s)|;<>&,.*]))/gi

const repositories = [
  'nvm-sh/nvm',
  'Homebrew/install',
  'helm/helm',
  'pyenv/pyenv-installer',
  'ohmyzsh/ohmyzsh',
  'aquasecurity/trivy',
  'anchore/syft',
  'anchore/grype',
  'trufflesecurity/trufflehog',
  'golangci/golangci-lint',
  'k3d-io/k3d',
  'rancher/k3d',
  'kubernetes-sigs/kustomize',
  'docker/docker-install',
]

const hosts = [
  'sh.rustup.rs',
  'get.docker.com',
  'mise.run',
  'mise.jdx.dev',
  'clickhouse.com',
  'get.sdkman.io',
  'install.determinate.systems',
  'get.volta.sh',
  'pyenv.run',
  'get.helm.sh',
  'foundry.paradigm.xyz',
  'get.k3s.io',
  'install.duckdb.org',
  'sdk.cloud.google.com',
  'deb.nodesource.com',
  'rpm.nodesource.com',
  'get.scoop.sh',
]

// Of hosts that hold more than installers, the file or the folder is named.
const files = [
  'astral.sh/uv/',
  'astral.sh/ruff/',
  'astral.sh/ty/',
  'bun.sh/install',
  'bun.com/install',
  'deno.land/install.sh',
  'deno.land/install.ps1',
  'deno.land/x/install/install.sh',
  'get.pnpm.io/install.sh',
  'install.python-poetry.org',
  'fnm.vercel.app/install',
  'nixos.org/nix/install',
  'ollama.com/install.sh',
  'claude.ai/install.sh',
  'claude.ai/install.ps1',
  'cursor.com/install',
  'opencode.ai/install',
  'starship.rs/install.sh',
  'fly.io/install.sh',
  'tailscale.com/install.sh',
  'taskfile.dev/install.sh',
  'just.systems/install.sh',
  'community.chocolatey.org/install.ps1',
  ...repositories.map((name) => `raw.githubusercontent.com/${name}/`),
]

const anyOf = (texts: readonly string[]): string => texts.map((text) => text.replaceAll('.', String.raw`\.`)).join('|')

const known = new RegExp(
  `^https://(?:(?:${anyOf(hosts)})(?:/[^@]*)?|(?:${anyOf(files.filter((file) => file.endsWith('/')))})[^@]*|(?:${anyOf(files.filter((file) => !file.endsWith('/')))})(?:\\?[^@]*)?)$`,
)
