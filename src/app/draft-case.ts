import type { Redactor } from '../cassette/redactor.ts'
import { actionTypeOf } from '../core/actions.ts'
import type { AgentStop } from '../core/outcome.ts'
import type { Authorizer } from '../core/ports.ts'
import { readControl } from '../core/skill-control.ts'
import { parseToolRule } from '../core/tool-rule.ts'
import { actionsOf, type Trajectory } from '../core/trajectory.ts'
import { visibleLine } from '../lib/visible.ts'
import { evalDefaults, policyAuthorizer } from '../permissions/policy-authorizer.ts'
import type { AgentCase } from '../schema/agent-case.ts'
import type { CassetteTrial } from '../schema/cassette.ts'
import type { Config } from '../schema/config.ts'
import type { Policy } from '../schema/policy.ts'
import type { ActionResult } from '../schema/run.ts'
import { candidateExpectations } from './candidate-expectations.ts'
import { isKept } from './own-files.ts'
import type { TouchedFile, TouchedFiles } from './touched-files.ts'

/** What is known of a run once it is over. */
export type RunToDraft = {
  readonly run: string
  readonly profile: string
  readonly isScripted: boolean
  readonly inputs: readonly string[]
  readonly stop: AgentStop
  readonly trajectory: Trajectory
  readonly hasSkills: boolean
  /** Whether skills could be turned off and on in it. */
  readonly hasControls: boolean
  readonly touched: TouchedFiles
  /** The MCP servers that were named. */
  readonly servers: readonly string[]
  /** What the configuration says of how much a model is shown. */
  readonly limits: Config['limits']
  /** Whether some of the index of skills was not shown. */
  readonly isIndexCut: boolean
  /** What AGENTS.md said. */
  readonly notes: string
  /** Whether the working folder is the project's: all that AGENTS.md said is of one file then. */
  readonly isAtTop: boolean
  /** The answers as they were recorded; undefined where one is missing. */
  readonly recorded: CassetteTrial | undefined
  readonly authorizer: Authorizer
  readonly configured: Policy | undefined
  /** As `--allow` had them. */
  readonly allow: readonly string[]
  readonly secrets: Redactor
}

/** What a case can be made of, or why none can, as the end of a sentence. */
export const draftCase = (run: RunToDraft): AgentCase | { readonly problem: string } => {
  const { stop, inputs, trajectory, recorded, secrets, touched } = run
  if (stop.kind !== 'answered') return { problem: 'its last request has no answer' }
  const answers = trajectory.filter((event) => event.type === 'answer' && event.parent === undefined).length
  const requests = inputs.filter((input) => !(run.hasControls && readControl(input))).length
  if (requests === 0 || recorded === undefined || answers !== requests) {
    return { problem: 'a request in it was broken off or failed, and a case goes on only after an answer' }
  }
  const changed = changedSkills(trajectory)
  if (changed !== undefined) return { problem: changed }
  if (run.notes !== '' && !run.isAtTop) {
    return { problem: 'the model was told what AGENTS.md of the project says, and it was not run in its top folder' }
  }
  const files = touched.before().map((file) => ({ file, reason: whyNotInCase(file, secrets) }))
  const { permissions, trusted } = policyOf(run)
  const turns = trajectory.filter((event) => event.type === 'model').length
  const expected = candidateExpectations(trajectory, { hasSkills: run.hasSkills, changed: touched.changed() })
  const agent = agentOf(run)
  const made = {
    ...(Object.keys(agent).length === 0 ? {} : { agent }),
    ...(run.servers.length === 0 ? {} : { mcp: [...run.servers] }),
    ...(permissions === undefined ? {} : { permissions }),
    ...(run.isScripted ? { mock: recorded.turns.map(mockTurn) } : {}),
    unreviewed: Object.keys(expected),
    expected,
    ...(turns > usualTurns ? { constraints: { max_turns: turns } } : {}),
  }
  const told = { input: [...inputs], case: made }
  if (JSON.stringify(secrets.redactValue(told)) !== JSON.stringify(told)) {
    return { problem: 'what was asked, done or answered holds a secret' }
  }
  const laid = files.flatMap(({ file, reason }) => ('content' in file && reason === undefined ? [file] : []))
  return {
    format: 'skills-eval/agent-case@1',
    run: run.run,
    profile: run.profile,
    ...told,
    files: laid.map(({ path, content }) => ({ path, base64: Buffer.from(content).toString('base64') })),
    folders: touched
      .folders()
      .filter((folder) => !isKept(folder) && !laid.some(({ path }) => path.startsWith(`${folder}/`))),
    left_out: [
      ...files.flatMap(({ file: { path }, reason }) => (reason === undefined ? [] : [{ path, reason }])),
      // With a scripted model the tools are called anew.
      ...(run.isScripted ? [] : touched.madeByTools().map((path) => ({ path, reason: ofTool }))),
    ],
    trusted,
    actions: happened(actionsOf(trajectory), secrets),
    is_scripted: run.isScripted,
  }
}

/** What of the configuration the model's requests depend on: the case is to be the same without it. */
const agentOf = ({ notes, hasControls, limits, isIndexCut, trajectory }: RunToDraft) => {
  const isCompacted = trajectory.some(({ type }) => type === 'compacted')
  const { context_tokens, index_tokens } = limits ?? {}
  return {
    ...(notes === '' ? {} : { agents_md: true }),
    ...(hasControls ? { skill_controls: true } : {}),
    ...(isCompacted && context_tokens !== undefined ? { context_tokens } : {}),
    ...(isIndexCut && index_tokens !== undefined ? { index_tokens } : {}),
  }
}

/** Skills that were other in one request than in the one before, which no case can tell; the end of a sentence. */
const changedSkills = (trajectory: Trajectory): string | undefined => {
  let answered = 0
  for (const event of trajectory) {
    if (event.type === 'answer' && event.parent === undefined) answered += 1
    if (event.type !== 'index' || event.changed === undefined) continue
    const names = event.changed.map((name) => visibleLine(name, 80)).join(', ')
    return `skills changed on disk before its request ${answered + 1} (${names}), and a case has them as they are once`
  }
  return undefined
}

const happened = (actions: readonly ActionResult[], secrets: Redactor): AgentCase['actions'] =>
  actions.map(({ action, params, status, exit_code, actions: nested = [] }) => ({
    action,
    params: secrets.redactValue(params),
    status,
    ...(exit_code === undefined ? {} : { exit_code }),
    ...(nested.length === 0 ? {} : { actions: happened(nested, secrets) }),
  }))

const ofTool = 'a tool of an MCP server or of the program made it, and a replay calls none'

/** What a run may take without a limit of its own. */
const usualTurns = 20

/** Why a file can't be among those of a case. */
export const whyNotInCase = (file: TouchedFile, secrets: Redactor): string | undefined => {
  if ('problem' in file) return file.problem
  if (SECRET_FILE.test(file.path)) return 'files of that name hold secrets'
  const text = new TextDecoder().decode(file.content)
  return secrets.redact(text) !== text ? 'it holds a secret' : undefined
}

const SECRET_FILE =
  /(^|\/)(\.env(\.[^/]*)?|\.npmrc|\.netrc|\.pgpass|id_(rsa|dsa|ecdsa|ed25519)|[^/]*\.(pem|key|p12|pfx))$/i

/** The model's answer as a script has it: its actions, or its text where it had none. */
const mockTurn = ({ answer: { text, actions } }: CassetteTrial['turns'][number]): unknown => {
  if (actions.length === 0) return text
  const turn = actions.map(({ name, input }) =>
    actionTypeOf(name) === name ? { [name]: input } : { raw: { name, input } },
  )
  return turn.length === 1 ? turn[0] : turn
}

/**
 * A case starts from a wider policy than a run. It closes what was closed, so that the model is offered the same; what
 * is only open because the person said so, a suite may open again only where it is trusted.
 */
const policyOf = ({
  authorizer,
  configured,
  allow,
  servers,
}: RunToDraft): { readonly permissions?: Policy; readonly trusted: boolean } => {
  const inEval = policyAuthorizer({ defaults: evalDefaults, configured, runtime: undefined })
  const tools = ['run_script', 'write_file', 'delete_file', 'network_request'] as const
  const deny = tools.filter((tool) => !authorizer.mayAllow(tool) && inEval.mayAllow(tool))
  // Tools of a server are closed in an eval until a rule opens them.
  const calls = servers.length > 0 && allow.some((grant) => parseToolRule(ruleOf(grant))?.kind === 'name')
  const trusted = calls || tools.some((tool) => authorizer.mayAllow(tool) && !inEval.mayAllow(tool))
  const opened = trusted
    ? [...new Set([...(configured?.allow ?? []), ...(configured?.ask ?? []), ...allow.map(ruleOf)])]
    : []
  if (deny.length === 0 && opened.length === 0) return { trusted }
  return {
    permissions: { ...(opened.length === 0 ? {} : { allow: opened }), ...(deny.length === 0 ? {} : { deny }) },
    trusted,
  }
}

/** `write_file:out.txt` → `write_file(out.txt)` */
const ruleOf = (grant: string): string => {
  const at = grant.indexOf(':')
  return at < 0 ? grant : `${grant.slice(0, at)}(${grant.slice(at + 1)})`
}
