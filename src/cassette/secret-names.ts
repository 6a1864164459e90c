/**
 * Whether a variable with this name holds a secret, as far as its name tells: a word of it (`API_KEY`, `ssh-private`,
 * `accessToken`) or what it contains (`PGPASSWORD`). `TOKENIZERS_PARALLELISM`, `KEYBOARD` and `GIT_AUTHOR_NAME` do not.
 */
export const hasSecretName = (name: string): boolean => {
  if (harmless.has(name.toUpperCase())) return false
  if (/secret|passw(?:or)?d|passphrase|api_?key|credential|token(?!iz)/i.test(name)) return true
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').split(/[^A-Za-z\d]+/)
  return words.some((word) => secretWords.has(word.toUpperCase()))
}

const harmless: ReadonlySet<string> = new Set(['PWD', 'OLDPWD', 'XAUTHORITY', 'SSH_AUTH_SOCK'])

const secretWords: ReadonlySet<string> = new Set([
  'KEY',
  'KEYS',
  'AUTH',
  'COOKIE',
  'COOKIES',
  'PRIVATE',
  'PASS',
  'PWD',
  'BEARER',
  'SIGNATURE',
  'DSN',
])

const minLength = 6

/**
 * Whether the value of such a variable is worth hiding. A switch (`true`), a short number and a path are none, and each
 * of their occurrences would become unreadable.
 */
export const isWorthHiding = (value: string): boolean => {
  if (value.length < minLength || /^\d{1,7}$/.test(value) || ordinary.has(value.toLowerCase())) return false
  return !PATH.test(value)
}

const ordinary: ReadonlySet<string> = new Set(
  'enabled disabled default required optional always string number boolean object password secret bearer digest undefined'.split(
    ' ',
  ),
)

// A random text may start with a slash too: only where a path of a machine could start.
const PATH =
  /^(?:~\/|\.{1,2}\/|[A-Za-z]:\\|\/(?:home|Users|root|tmp|var|etc|usr|opt|mnt|srv|run|private|dev|proc|work|workspace|data|app|Applications|Library)(?:\/|$))[^\n]*$/

/** Headers and fields whose value is a secret, whatever it looks like. */
export const isSecretField = (key: string): 'header' | 'field' | undefined => {
  const plain = key.toLowerCase().replaceAll(/[-_ ]/g, '')
  if (headers.has(plain)) return 'header'
  return fields.test(plain) ? 'field' : undefined
}

const headers: ReadonlySet<string> = new Set(['authorization', 'proxyauthorization', 'cookie', 'setcookie', 'xapikey'])
const fields =
  /^(?:password|passwd|passphrase|secret|token|credentials?|apikey|[a-z\d]{0,30}(?:clientsecret|accesstoken|refreshtoken|idtoken|authtoken|sessiontoken|securitytoken|privatekey|secretkey|accesskey|apikey|apitoken|password))$/
