import type { Isolation } from '../core/ports.ts'
import { visibleLine } from '../lib/visible.ts'

/** What whoever starts a run is told where its scripts are not isolated. */
export const notIsolatedText = (
  { reason, hint }: Extract<Isolation, { kind: 'none' }>,
  mode: 'auto' | 'require' | 'off',
): string => {
  const consequence =
    mode === 'require'
      ? 'No script is run: the configuration says sandbox: require.'
      : 'Scripts run with your rights: they can read your files and use the network. Limits on time, output and memory still hold.'
  const lines = [`Isolation: none. ${visibleLine(reason, 500)}.`, `  ${consequence}`]
  if (hint !== undefined) lines.push(`  ${hint}`)
  return `${lines.join('\n')}\n  See docs/sandbox.md\n`
}

/** The isolation in one line. */
export const isolationLine = (isolation: Isolation): string => {
  if (isolation.kind === 'none') return `none: ${visibleLine(isolation.reason, 500)}`
  return `bubblewrap ${isolation.version}, ${isolation.network ? 'with the network' : 'without the network'}`
}
