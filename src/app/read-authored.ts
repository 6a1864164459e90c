import type * as z from 'zod'
import { InvalidInputError } from '../core/errors.ts'
import { parseYaml } from '../lib/yaml.ts'
import { checkedBy } from '../lib/zod-issues.ts'
import { explainIssues } from '../suite/zod-diagnostics.ts'
import type { Host } from './host.ts'

const MAX_BYTES = 1024 * 1024

/** A small YAML file that a person wrote. Throws an InvalidInputError with every mistake; `kind` names them. */
export const readAuthored = <S extends z.ZodType>(
  path: string,
  shown: string,
  schema: S,
  kind: string,
  host: Host,
): z.output<S> => {
  const text = host.files.readText(path, MAX_BYTES)
  const yaml = parseYaml(text, { file: shown, maxBytes: MAX_BYTES, codePrefix: kind })
  if (!yaml.ok) throw new InvalidInputError(yaml.diagnostics)
  const checked = checkedBy(schema, yaml.value)
  if (checked.ok) return checked.data
  throw new InvalidInputError(
    explainIssues(schema, yaml.value, checked.issues).map(({ path: at, at: what, code, message, hint }) => ({
      severity: 'error',
      code: `${kind}/${code}`,
      message,
      file: shown,
      ...(what === 'key' ? yaml.positions.key(at) : yaml.positions.at(at)),
      ...(hint === undefined ? {} : { hint }),
    })),
  )
}
