import { useEffect, useState } from 'preact/hooks'
import { formatNumber, plural } from '../../report/format-number.ts'
import type { UsedFile, UsedSkill } from '../../report/html/used-parts.ts'
import { placeOf } from '../../report/place-words.ts'
import { suitesCommand } from '../../report/repeat-command.ts'
import type { ReportData } from './read-blocks.ts'
import { Scroll } from './scroll.tsx'
import { Command, Line } from './text.tsx'

const MAX_PATHS = 20

/** What the trials used of each skill. What they did not use, the report can't know: a command tells. */
export const UsedSection = ({ data }: { readonly data: ReportData }) => {
  const [skills, setSkills] = useState<readonly UsedSkill[]>([])
  useEffect(() => {
    void data.used().then(setSkills)
  }, [data])
  if (skills.length === 0) return null
  const { run } = data.head
  return (
    <section>
      <h2>What was used of each skill</h2>
      <Scroll label="What was used of each skill">
        <table>
          <caption>In how many cases</caption>
          <thead>
            <tr>
              <th scope="col">skill</th>
              <th scope="col" class="number">
                instructions read
              </th>
              <th scope="col">files loaded</th>
              <th scope="col">scripts run</th>
            </tr>
          </thead>
          <tbody>
            {skills.map(({ skill, cases, files }) => (
              <tr key={skill}>
                <th scope="row">
                  <Line text={skill} max={80} />
                </th>
                <td class="number">{formatNumber(cases)}</td>
                <Files files={files} how="loaded" />
                <Files files={files} how="run" />
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p>
        Which parts no eval uses:{' '}
        <Command line={suitesCommand('skills coverage', run.suites.slice(0, MAX_PATHS), placeOf(run))} />
      </p>
    </section>
  )
}

const Files = ({ files, how }: { readonly files: readonly UsedFile[]; readonly how: UsedFile['how'] }) => {
  const used = files.filter((file) => file.how === how)
  return (
    <td>
      {used.length === 0 && 'none'}
      {used.slice(0, MAX_PATHS).map(({ path, cases }, i) => (
        <span key={path}>
          {i > 0 && ', '}
          <Line text={path} max={80} /> <span class="faint">{formatNumber(cases)}</span>
        </span>
      ))}
      {used.length > MAX_PATHS && `, and ${plural(used.length - MAX_PATHS, 'more')}`}
    </td>
  )
}
