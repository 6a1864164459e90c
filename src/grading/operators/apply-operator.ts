import { type Check, type CheckOperator, operatorOf } from '../../schema/check.ts'
import type { GradingPorts } from '../ports.ts'
import type { Subject } from '../subject.ts'
import { endsWith, startsWith } from './affixes.ts'
import { contains, containsAll, containsAny } from './contains.ts'
import { equals } from './equals.ts'
import { headings } from './headings.ts'
import { isJson } from './is-json.ts'
import { jsonEquals } from './json-equals.ts'
import { jsonPath } from './json-path.ts'
import { jsonSchema } from './json-schema.ts'
import { length } from './length.ts'
import { regex } from './regex.ts'
import { rubric } from './rubric.ts'
import { script } from './script.ts'
import { similar } from './similar.ts'
import type { Verdict } from './verdict.ts'

/** What a check's operator finds, before `not` is applied. Throws a SkillsEvalError where it can't judge. */
export const applyOperator = (
  operator: CheckOperator,
  check: Check,
  subject: Subject,
  ports: GradingPorts,
): Verdict | Promise<Verdict> => {
  switch (operator) {
    case 'equals':
      return equals(check, subject)
    case 'contains':
      return contains(check, subject)
    case 'contains_all':
      return containsAll(check, subject)
    case 'contains_any':
      return containsAny(check, subject)
    case 'starts_with':
      return startsWith(check, subject)
    case 'ends_with':
      return endsWith(check, subject)
    case 'regex':
      return regex(check, subject)
    case 'length':
      return length(check, subject)
    case 'is_json':
      return isJson(check, subject)
    case 'json_schema':
      return jsonSchema(check, subject, ports)
    case 'json_equals':
      return jsonEquals(check, subject)
    case 'json_path':
      return jsonPath(check, subject, (inner, value) =>
        applyOperator(operatorOf(inner) ?? 'equals', inner, value, ports),
      )
    case 'similar':
      return similar(check, subject)
    case 'headings':
      return headings(check, subject)
    case 'script':
      return script(check, subject, ports)
    case 'rubric':
      return rubric(check, subject, ports)
  }
}
