import type { SuiteAudit } from '../../core/results.ts'
import { auditLine, auditRows, isAuditMissed } from '../../report/audit-tables.ts'
import { RowsTable } from './rows-table.tsx'
import { Line } from './text.tsx'

const MAX_ROWS = 500

/** Which checks and cases hold for agents that do not do the work. */
export const AuditSection = ({ audit }: { readonly audit: SuiteAudit }) => {
  const rows = auditRows({ audit }, { limit: MAX_ROWS })
  return (
    <section>
      <h2>Audit of the checks</h2>
      <p class={isAuditMissed({ audit }) ? 'bad' : ''}>{auditLine({ audit })}</p>
      {rows.rows.length === 0 ? (
        <p>Every check that asks for something fails for an agent that does not do the work.</p>
      ) : (
        <RowsTable caption="What agents pass that do not do the work" rows={rows} />
      )}
      {rows.left > 0 && <p class="faint">… and {rows.left} more</p>}
      <details>
        <summary>The agents that were tried</summary>
        <dl class="facts">
          {Object.entries(audit.agents).map(([name, does]) => (
            <div key={name}>
              <dt>
                <Line text={name} />
              </dt>
              <dd>
                <Line text={does} />
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}
