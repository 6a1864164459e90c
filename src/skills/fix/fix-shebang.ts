import { extensionOf } from '../paths.ts'

const shebangs: ReadonlyMap<string, string> = new Map([
  ['.py', '#!/usr/bin/env python3'],
  ['.sh', '#!/usr/bin/env bash'],
  ['.bash', '#!/usr/bin/env bash'],
  ['.js', '#!/usr/bin/env node'],
  ['.mjs', '#!/usr/bin/env node'],
  ['.cjs', '#!/usr/bin/env node'],
])

/**
 * A script with its interpreter named on its first line; undefined where its extension names none, where it has one, and
 * where its line ends or its first character would make it of no use.
 */
export const fixShebang = (path: string, text: string): string | undefined => {
  const shebang = shebangs.get(extensionOf(path))
  const isPlain = !/^(?:#!|\ufeff)/.test(text) && !text.includes('\r') && text.trim() !== ''
  return shebang !== undefined && isPlain ? `${shebang}\n${text}` : undefined
}
