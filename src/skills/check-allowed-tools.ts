import { parseToolRule, ruleNames } from '../core/tool-rule.ts'
import { nearestName } from '../lib/nearest.ts'
import { visibleLine } from '../lib/visible.ts'
import type { Place, SkillLog } from './diagnose.ts'

// Nobody writes more: what follows would only be more of the same.
const MAX_ENTRIES = 100

/** Entries of a declaration that could be read and still allow nothing: no rule, no pattern, or a slip of a known name. */
export const checkAllowedTools = (declared: readonly string[], log: SkillLog, place: () => Place): void => {
  for (const entry of declared.slice(0, MAX_ENTRIES)) {
    const rule = parseToolRule(entry)
    const shown = visibleLine(entry, 60)
    const why = rule ? rule.problem : 'it is neither a tool nor a tool and a pattern'
    if (why !== undefined) {
      log.report('allowed-tools-rule', `${shown} in allowed-tools allows nothing: ${why}`, { place })
      continue
    }
    const meant = rule?.kind === 'name' ? nearestName(entry.replace(/\(.*/s, ''), ruleNames) : undefined
    if (meant === undefined) continue
    const message = `${shown} in allowed-tools is none of the known tools`
    log.report('allowed-tools-rule', message, { place, hint: `Did you mean ${meant}?` })
  }
}
