/** Why a file or folder is no part of a skill that ships; undefined for what ships. */
export const leftOutBecause = (name: string, isFolder: boolean): string | undefined => {
  const lower = name.toLowerCase()
  if (isFolder) {
    if (['.git', '.hg', '.svn', '.jj'].includes(lower)) return 'version control'
    if (['node_modules', '.venv', 'venv'].includes(lower)) return 'installed dependencies'
    if (/^(__pycache__|\.(pytest|ruff|mypy)_cache|\.cache|__macosx|\.idea|\.vscode)$/.test(lower))
      return 'caches and settings of tools'
    return undefined
  }
  if (lower === '.git') return 'version control'
  if (['.gitignore', '.gitattributes', '.skillignore'].includes(lower)) return 'only about the files themselves'
  if (['.ds_store', 'thumbs.db', 'desktop.ini'].includes(lower) || lower.startsWith('._')) return 'left by the system'
  if (/\.(pyc|pyo|swp|swo)$|~$/.test(lower)) return 'left by a tool'
  return undefined
}

/** Why a file looks like a secret that nobody should get; its content is asked for where its name says too little. */
export const secretBecause = (path: string, head: () => string): string | undefined => {
  const name = (path.split('/').at(-1) ?? '').toLowerCase()
  if (/^\.env(\..+)?$/.test(name) && !/\.(example|sample|template|dist)$/.test(name))
    return 'environment files hold secrets'
  if (/^id_(rsa|dsa|ecdsa|ed25519)$/.test(name) || /\.(p12|pfx|jks|keystore)$/.test(name)) return 'it is a private key'
  if (['.netrc', '_netrc', '.pgpass', '.htpasswd', '.git-credentials', '.pypirc'].includes(name))
    return 'it holds passwords'
  if (name === '.npmrc' && /_(authToken|auth|password)\s*=\s*(?!\$\{)/i.test(head())) return 'it holds a token'
  if (/(^|\/)\.(aws|ssh|gnupg)\//i.test(path)) return 'it is a private setting'
  return /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/.test(head()) ? 'it holds a private key' : undefined
}
