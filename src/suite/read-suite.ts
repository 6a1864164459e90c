import * as z from 'zod'
import { issuesOf } from '../lib/zod-issues.ts'
import { type NormalizeRules, type StaleSetting, suiteSchema, type Thresholds } from '../schema/suite.ts'
import { caseIds } from './case-ids.ts'
import { toEvalCase } from './eval-case.ts'
import { expressionProblems } from './expression-problems.ts'
import { below } from './finding.ts'
import { normalizeFindings } from './normalize-findings.ts'
import { depthIn, formatPath, type Path } from './path.ts'
import { readCase } from './read-case.ts'
import { readDefaults } from './read-defaults.ts'
import type { Reading, SuiteText } from './reading.ts'
import { isRecord, type JsonRecord, listOr, recordOr } from './record.ts'
import type { Suite, SuiteCase } from './suite.ts'
import { homeFromTop } from './suite-keys.ts'
import { triggerCases } from './trigger-cases.ts'
import { validateCase } from './validate-case.ts'
import { explainIssues } from './zod-diagnostics.ts'

const TOO_MANY = 5_000

/** The suite that a map says; only of use where no error was reported. */
export const readSuite = async (root: JsonRecord, text: SuiteText): Promise<Suite> => {
  readTop(root, text)
  const problems = expressionProblems()
  const defaults = await readDefaults(recordOr(root.defaults), text, problems)
  const reading: Reading = { ...text, defaults, ids: caseIds(), problems }

  const cases: SuiteCase[] = []
  const authored = listOr(root.cases)
  for (const [i, own] of authored.entries()) {
    const read = await readCase(own, ['cases', i], reading)
    if (read !== undefined) cases.push(read)
  }
  cases.push(...(await readTriggers(recordOr(root.triggers), reading)))
  if (cases.length === 0 && !text.hasErrors()) warnOfNothing(text)
  if (authored.length > TOO_MANY) warnOfMany(authored.length, text)
  return suiteOf(root, cases, text.file)
}

/** Everything at the top, but cases and defaults only as what kind of value they are. */
const topSchema = suiteSchema.extend({
  cases: z.array(z.unknown()).nullish(),
  defaults: z.record(z.string(), z.unknown()).nullish(),
  triggers: suiteSchema.shape.triggers.nullish(),
})

const readTop = (root: JsonRecord, text: SuiteText): void => {
  const issues = issuesOf(topSchema, root)
  for (const finding of explainIssues(topSchema, root, issues, { homeOf: homeFromTop })) text.report(finding)
  for (const path of notNumbers(root)) {
    const message = `\`${formatPath(path)}\`: a number that is not finite can't be kept`
    text.report({ path, at: 'value', code: 'range', message, hint: 'Put it in quotes if the text is meant.' })
  }
  for (const finding of normalizeFindings(root.normalize)) text.report(below(['normalize'], finding))
  const seen = new Set<unknown>()
  for (const [i, model] of listOr(root.model).entries()) {
    if (seen.has(model)) {
      const message = `\`model\`: ${model} is named twice`
      text.report({ path: ['model', i], at: 'value', code: 'duplicate-model', message })
    }
    seen.add(model)
  }
}

/** Paths of numbers that JSON does not have: a suite is kept as JSON. */
function* notNumbers(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value === 'number' && !Number.isFinite(value)) yield path
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* notNumbers(item, [...path, i])
  else for (const [key, item] of Object.entries(value)) yield* notNumbers(item, [...path, key])
}

const readTriggers = async (triggers: JsonRecord, reading: Reading): Promise<SuiteCase[]> => {
  const made = triggerCases(triggers, reading.defaults)
  const [first] = made
  if (first !== undefined) {
    // All take the same from `defaults`, and what is their own is looked at with the rest of the top.
    for (const finding of await validateCase(first.merged, reading.problems)) {
      if (depthIn(reading.defaults, finding.path) > 0) reading.report(below(['defaults'], finding))
    }
  }
  return made.map(({ merged, path }) => {
    const line = reading.lineOf(path)
    const taken = reading.ids.add(String(merged.id), { file: reading.file, line })
    if (taken !== undefined) reading.report({ ...taken, path })
    return { kind: 'case', case: toEvalCase(merged, { line, triggerOnly: true }) }
  })
}

const warnOfNothing = ({ report }: SuiteText): void =>
  report({
    path: [],
    at: 'value',
    code: 'no-cases',
    message: 'the suite has no cases',
    hint: 'Write them under `cases` or `triggers`.',
    severity: 'warning',
  })

const warnOfMany = (count: number, { report }: SuiteText): void =>
  report({
    path: ['cases'],
    at: 'key',
    code: 'too-many-cases',
    message: `${count} cases in one file take long to read`,
    hint: 'Write one case with `each: rows.jsonl`: rows are read as they are needed.',
    severity: 'warning',
  })

const suiteOf = (root: JsonRecord, cases: readonly SuiteCase[], file: string): Suite => {
  const { name, description, skills, model, judge, distractors, thresholds, normalize, stale } = root
  return {
    name: typeof name === 'string' ? name : nameOf(file),
    ...(typeof description === 'string' && { description }),
    ...(Array.isArray(skills) && { skills: stringsIn(skills) }),
    ...(model !== undefined && { models: stringsIn(Array.isArray(model) ? model : [model]) }),
    ...(typeof judge === 'string' && { judge }),
    ...(typeof distractors === 'number' && { distractors }),
    ...(isRecord(thresholds) && { thresholds: thresholds as Thresholds }),
    ...(Array.isArray(normalize) && { normalize: normalize as NormalizeRules }),
    ...((typeof stale === 'string' || isRecord(stale)) && { stale: stale as StaleSetting }),
    cases,
  }
}

/** What is none was reported. */
const stringsIn = (list: readonly unknown[]): string[] => list.filter((item) => typeof item === 'string')

/** `evals/csv.eval.yaml` → `csv`. */
const nameOf = (file: string): string => {
  const base = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
  return base.replace(/(\.eval)?\.ya?ml$/i, '') || base
}
