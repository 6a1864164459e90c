import type { Host } from '../app/host.ts'
import type { RecordedRun } from '../app/recorded-run.ts'
import { type SavedCase, saveCase } from '../app/save-case.ts'
import { visible, visibleLine } from '../lib/visible.ts'
import { placeOfFlags } from '../report/place-words.ts'

/**
 * Puts a run into a suite and says what came of it. 0 where the case does what the run did, 1 where it does not or where
 * none could be made.
 */
export const tellSavedCase = async (
  { draft, cassette }: RecordedRun,
  file: string,
  flags: { readonly C?: string; readonly config?: string; readonly id?: string; readonly quiet?: boolean },
  host: Host,
): Promise<number> => {
  if ('problem' in draft) {
    host.stderr(`error: this run makes no case: ${visible(draft.problem)}\n`)
    return 1
  }
  const { config, id } = flags
  const to = {
    file,
    place: placeOfFlags(flags),
    ...(config === undefined ? {} : { config }),
    ...(id === undefined ? {} : { id }),
  }
  const saved = await saveCase(draft, cassette, to, host)
  host.stderr(savedText(saved))
  return saved.trial.kind === 'same' ? 0 : 1
}

const savedText = ({ suite, id, leftOut, isReplayable, command, trial }: SavedCase): string =>
  [
    `saved as ${visibleLine(suite, 500)}: ${id}`,
    ...leftOutLines(leftOut),
    ...(trial.kind === 'same'
      ? [
          `it does what the run did: ${trial.actions === 1 ? '1 action' : `${trial.actions} actions`}, the same`,
          ...(trial.seen.length === 0
            ? []
            : [`  but for what was seen: ${trial.seen.join(', ')} is not word for word what it was`]),
        ]
      : [`warning: it does not do what the run did: ${visible(trial.why)}`]),
    isReplayable
      ? 'what it expects is what happened; look at it, then delete `unreviewed`. To run it:'
      : 'it was kept without a recording, so it can not be replayed yet; look at what it expects, then delete `unreviewed`. To record it, which asks the model:',
    `  ${command}`,
    '',
  ].join('\n')

const mostLines = 20

/** A line for each file, or for all of a folder that have one reason. */
const leftOutLines = (leftOut: SavedCase['leftOut']): readonly string[] => {
  const groups = new Map<string, { readonly folder: string; readonly reason: string; readonly paths: string[] }>()
  for (const { path, reason } of leftOut) {
    const folder = path.slice(0, path.indexOf('/') + 1)
    const key = JSON.stringify([folder, reason])
    const group = groups.get(key) ?? { folder, reason, paths: [] }
    groups.set(key, group)
    group.paths.push(path)
  }
  const lines = [...groups.values()].flatMap(({ folder, reason, paths }) => {
    if (paths.length <= mostAlone) {
      return paths.map((path) => `warning: ${visibleLine(path, 500)} is not among its files: ${reason}`)
    }
    const of = folder === '' ? '' : ` of ${visibleLine(folder, 500)}`
    return [`warning: ${paths.length} files${of} are not among its files: ${reason}`]
  })
  if (lines.length <= mostLines) return lines
  const more = lines.length - mostLines + 1
  return [...lines.slice(0, mostLines - 1), `warning: and ${more} more like these`]
}

const mostAlone = 3
