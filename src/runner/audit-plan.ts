import { type Probe, type ProbeTargets, probeModel, probes } from '../agent/probe-model.ts'
import { type EvalCase, type PlannedCase, type RunPlan, reasonOf } from '../core/plan.ts'
import { relativePath } from '../core/relative-path.ts'
import type { CheckResult, SuiteAudit } from '../core/results.ts'
import { isGlob, matchesGlob, unescapeGlob } from '../lib/glob.ts'
import { skillsNamedBy } from '../suite/case-skills.ts'
import { auditFold, type ProbedCase } from './audit-fold.ts'
import { provingPart } from './proving-part.ts'
import type { RunDeps, SuiteSkills } from './run-deps.ts'
import { runTrial } from './run-trial.ts'

type AuditDeps = Omit<RunDeps, 'store' | 'listener' | 'bail' | 'seed'>

/** How long cases may follow each other before signals get their turn. */
const breathMs = 25

/**
 * Runs every case that is to pass (none that is skipped or `xfail`), once whatever its models and trials, with each
 * probe as its model: the same agent, permissions, tools and graders, and no recording. Undefined where it is aborted.
 */
export const auditPlan = async (
  plan: RunPlan,
  deps: AuditDeps,
  mode: SuiteAudit['mode'],
): Promise<SuiteAudit | undefined> => {
  const fold = auditFold()
  const cases = casesOf(plan)
  // What is told first of a group must not depend on who was done first. Each worker holds one case until its turn.
  let turn = Promise.resolve()
  const worker = async () => {
    let breath = deps.clock.monotonic()
    for (let next = cases.next(); !next.done && !deps.signal.aborted; next = cases.next()) {
      if (deps.clock.monotonic() - breath > breathMs) {
        await deps.clock.breathe()
        breath = deps.clock.monotonic()
      }
      const before = turn
      let end = (): void => undefined
      turn = new Promise((resolve) => {
        end = resolve
      })
      try {
        const probed = await probeCase(next.value, deps)
        await before
        fold.add(probed)
      } finally {
        end()
      }
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: deps.concurrency }, worker))
  if (deps.signal.aborted) return undefined
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return fold.result(mode)
}

function* casesOf(plan: RunPlan): Generator<PlannedCase> {
  for (const planned of plan.cases()) {
    const isToPass = reasonOf(planned.evalCase.xfail) === undefined
    if (isToPass && planned.trials > 0 && planned.model === planned.suite.models[0]) yield planned
  }
}

const probeCase = async (planned: PlannedCase, deps: AuditDeps): Promise<ProbedCase> => {
  const part = provingPart(planned.evalCase)
  const skills = deps.skillsOf(planned.suite)
  const targets = { skills: selectable(planned.evalCase, skills), paths: wrongPaths(planned.evalCase) }
  const checks = new Map<Probe, readonly CheckResult[]>()
  for (const probe of probes) {
    const idle = checks.get('idle')
    if (idle !== undefined && isLikeIdle(probe, part.evalCase, targets)) {
      checks.set(probe, idle)
      continue
    }
    const { row } = await runTrial({ ...planned, evalCase: part.evalCase }, 1, {
      ...inertDeps,
      ...deps,
      openModel: () => probeModel(probe, targets),
      mayRetry: () => false,
      maxBodiesPerTurn: Number.POSITIVE_INFINITY,
    })
    // An error has judged nothing, or not all: what is missing there would shift the others.
    if (row.status !== 'passed' && row.status !== 'failed') continue
    checks.set(
      probe,
      row.checks.filter(({ kind, weight }) => kind !== 'constraint' && weight > 0),
    )
  }
  return { planned, part, checks }
}

/** Whether nothing that is judged could tell the probe from one that does nothing: a file that nobody looks at costs most. */
const isLikeIdle = (probe: Probe, { expected = {} }: EvalCase, targets: ProbeTargets): boolean => {
  const { actions, files, output = [], skills: labels } = expected
  const looksAtAll = actions !== undefined || files !== undefined || output.some(({ script }) => script !== undefined)
  if (probe === 'wrong_file') return !looksAtAll
  return probe === 'all_skills' && (targets.skills.length === 0 || (!looksAtAll && labels === undefined))
}

/** A probe's trials are neither kept nor watched. */
const inertDeps: Pick<RunDeps, 'store' | 'listener' | 'bail' | 'seed'> = {
  store: { append: () => undefined, read: () => undefined, close: () => undefined },
  listener: {},
  bail: undefined,
  seed: 1,
}

/** Each body that is loaded costs: of a large index only so many are, and those that the case is about. */
const mostSkills = 100

const selectable = (evalCase: EvalCase, { source }: SuiteSkills): readonly string[] => {
  const names = source.visible().map(({ name }) => name)
  if (names.length <= mostSkills) return names
  const about = skillsNamedBy(evalCase)
  return names.filter((name, i) => i < mostSkills || about.has(name))
}

const mostPaths = 20

/** The paths that a case's expectations name, a glob as one path that matches it; some path where there is none. */
const wrongPaths = ({ expected }: EvalCase): readonly string[] => {
  const paths = (expected?.files ?? []).flatMap(({ path }) => {
    const concrete = isGlob(path) ? matching(path) : unescapeGlob(path)
    const normal = concrete === undefined ? undefined : relativePath(concrete)
    return normal === undefined || 'problem' in normal || normal.path === '' ? [] : [normal.path]
  })
  return paths.length === 0 ? ['wrong.txt'] : [...new Set(paths)].slice(0, mostPaths)
}

const matching = (glob: string): string | undefined => {
  const path = glob
    .replace(/\{([^{},]*)[^{}]*\}/g, '$1')
    .replace(/\*\*\//g, '')
    .replace(/\*+/g, 'wrong')
    .replace(/\?|\[[^\]]+\]/g, 'x')
  return matchesGlob(glob, path) ? path : undefined
}
