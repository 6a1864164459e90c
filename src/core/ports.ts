import type { ActionType } from './actions.ts'
import type { JsonSchema, ModelRequest, ModelResponse } from './model.ts'
import type { CaseResult, RecordingUse, RunHead, SuiteHead, Summary, TrialRow } from './results.ts'
import type { Skill, SkillBody, SkillHit, SkillProblem, SkillResource } from './skill.ts'
import type { Verdict } from './trajectory.ts'

/**
 * A model for one trial. `generate` answers one request; a failure is a response that carries `error`,
 * never a throw, except that it rejects with the signal's reason once `signal` is aborted. `close` ends the
 * trial: `ok` says whether it ended in order (what was recorded may be kept).
 */
export interface ModelAdapter {
  readonly profile: string
  /** Whether the model calls tools natively; otherwise actions travel as JSON in text. */
  readonly protocol: 'native' | 'text'
  generate(request: ModelRequest, options: { readonly signal: AbortSignal }): Promise<ModelResponse>
  close(ok: boolean): Promise<void>
  /**
   * The tools of the servers that a trial names: opened and recorded, or as they were recorded, with nothing opened.
   * Where it is absent they are what `open` gives.
   */
  provided?(servers: NamedServers): Promise<readonly ProvidedTool[]>
  /** Of a model that is recorded or replayed. */
  readonly recording?: ModelRecording
}

/** Servers of tools that a trial may have: `open` starts them. What is at hand needs no start, and is told as it is now. */
export type NamedServers = {
  readonly names: readonly string[]
  readonly atHand: readonly ProvidedTool[]
  open(): Promise<readonly ProvidedTool[]>
}

export interface ModelRecording {
  /** The tool as it is used in this trial: what comes from outside is recorded and replayed with the model's answers. */
  tool(tool: Tool): Tool
  /** Where this trial's answers are kept, and how they were used so far. */
  use(): RecordingUse
  /** The judge of this trial, where what it says is kept in the same place. To be closed before the model itself. */
  readonly judge?: ModelAdapter
}

/**
 * The skills that one trial can see. Names resolve the same way for index, loader, slash commands and CLI.
 * Problems are returned in words that help a model to go on; nothing here throws for a wrong name or path.
 */
export interface SkillSource {
  /** Every skill that may be triggered by the model, sorted by name. */
  visible(): readonly Skill[]
  /** For the model (the default) a skill that is hidden from it is not there. */
  resolve(ref: { readonly name: string; readonly source?: string }, by?: 'model' | 'user'): Skill | SkillProblem
  /** The skill whose SKILL.md this absolute path is. */
  byFile(path: string): Skill | undefined
  /** Reads the body from disk; the one place where it is read. */
  body(skill: Skill): SkillBody | SkillProblem
  resource(
    skill: Skill,
    request: { readonly path: string; readonly section?: string; readonly lines?: string },
  ): Promise<SkillResource | SkillProblem>
  search(query: string, limit: number): Promise<readonly SkillHit[]>
  /** Of a session in which skills can be turned off and read anew; the model is offered to turn them off. */
  readonly controls?: SkillControls
}

/** What turns skills off and on in one session. What the user turned off the model can't turn on. */
export interface SkillControls {
  /** Every skill that may be triggered by the model, those that are off too. */
  all(): readonly Skill[]
  disable(ref: SkillName, by: 'model' | 'user'): Skill | SkillProblem
  enable(ref: SkillName, by: 'model' | 'user'): Skill | SkillProblem
  /** Names of what is off, sorted. */
  disabled(): readonly string[]
  /** Reads the index anew. */
  reload(): void
  /** What the model was not told yet, given the skills whose instructions it has; it counts as told then. */
  news(loaded: readonly string[]): SkillNews
  /** A loaded skill as it is now, and its body: to be compared, not to be shown. Undefined where it is gone. */
  current(skill: Skill): { readonly skill: Skill; readonly body: SkillBody | SkillProblem } | undefined
}

/** What became of the skills of a session, for the model. */
export type SkillNews = {
  readonly lines: readonly string[]
  /** Names of those that are other on disk than they were, sorted. */
  readonly changed: readonly string[]
}

type SkillName = { readonly name: string; readonly source?: string }

/** `denied`: refused by the configuration of this machine, not by what the action itself was. */
export type ToolResult = {
  readonly status: 'ok' | 'error' | 'denied'
  readonly text: string
  readonly exitCode?: number
}

export type Risk = 'low' | 'medium' | 'high'

export type ToolContext = {
  readonly workspace: Workspace
  /** The loaded skill that the action names, where it names one. */
  readonly skill: Skill | undefined
  /** What the policy says of another target of this same action: where a request is redirected to. */
  permit(target: string): Promise<Decision>
  /** What it said of the action itself. */
  readonly decision: Decision
  readonly signal: AbortSignal
}

/** Something an agent can do in the world. `run` reports what went wrong as a result; it throws only on abort. */
export interface Tool {
  readonly type: ActionType
  readonly risk: Risk
  /** Its results come from outside this machine's files and the case: another time they may differ. */
  readonly isOutside?: true
  run(params: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolResult>
}

/** A tool that a run provides (a test double, an MCP server, a library caller); reached through `call_tool`. */
export interface ProvidedTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  /** Whoever answers checks the input himself, by a schema that may be one of another dialect. */
  readonly checksInput?: true
  call(input: unknown, options: { readonly signal: AbortSignal }): Promise<ToolResult>
}

/** A tool as its server lists it: a stranger's words. */
export type ListedTool = { readonly name: string; readonly description: string; readonly parameters: JsonSchema }

/**
 * A server of tools that was opened for one trial or task. What goes wrong in a call is its result; `list` rejects with
 * a ToolServerError. Both reject with the signal's reason once it is aborted.
 */
export interface ToolServer {
  /** At most `most` tools; `isCut` where it has more. */
  list(
    most: number,
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly tools: readonly ListedTool[]; readonly isCut: boolean }>
  call(tool: string, input: unknown, options: { readonly signal: AbortSignal }): Promise<ToolResult>
  /** Ends the server's process, or the connection. Does not throw. */
  close(): Promise<void>
}

export type FileKind = 'file' | 'dir' | 'other'
export type FileEntry = { readonly path: string; readonly kind: FileKind; readonly size: number }

/**
 * One case's own folder. Paths are relative, forward slashes; anything that is not inside after links are
 * resolved is refused with a FileError that says why. Made on first use, removed by `dispose`.
 */
export interface Workspace {
  /** The absolute folder; makes it where it was not needed before. */
  root(): string
  /** Reads at most `maxBytes`; `bytes` is the file's whole size. */
  read(path: string, maxBytes: number): { readonly content: Uint8Array; readonly bytes: number }
  /** Atomic: the old file or the new one, never a part. Makes missing folders. */
  write(path: string, content: string | Uint8Array): void
  remove(path: string): void
  stat(path: string): FileEntry | undefined
  /** Entries of a folder, sorted by name. */
  list(path: string): readonly FileEntry[]
  /** All regular files below a folder, sorted by path, at most `limit`; links are not followed. */
  files(path: string, limit: number): readonly FileEntry[]
  /** What was laid into it before the trial: path → sha256 of the content. */
  initial(): ReadonlyMap<string, string>
  dispose(): Promise<void>
}

/**
 * Authored files (suites, skills, configs, fixtures), read-only. Synchronous: small local files cost half as much so.
 * `read*` throw a FileError for what is missing, not a regular file, over `maxBytes` or not UTF-8.
 */
export interface Files {
  readText(path: string, maxBytes: number): string
  /** The first `maxBytes` of a regular file, decoded leniently. */
  readHead(path: string, maxBytes: number): { readonly text: string; readonly size: number }
  readBytes(path: string, maxBytes: number): Uint8Array
  /** The first `maxBytes` of a regular file of any size, as they are. */
  readStart(path: string, maxBytes: number): Uint8Array
  /** Lines of a text file without their ends and without a byte order mark, read as they are asked for. */
  lines(path: string): Iterable<string>
  /** Follows links; undefined where nothing is. */
  stat(path: string): { readonly kind: FileKind; readonly size: number } | undefined
  /** Entries by name, sorted; `isLink` where the entry itself is a link. Empty where it is no folder. */
  list(path: string): readonly { readonly name: string; readonly kind: FileKind; readonly isLink: boolean }[]
  /** False for a folder that is there and whose entries we may not look at: `list` gives none of it. */
  canList(path: string): boolean
  /** Whether a file has a run bit; undefined where it is not there, or where files have none (Windows, memory). */
  canRun(path: string): boolean | undefined
  /** Absolute, links resolved; undefined where nothing is. */
  realPath(path: string): string | undefined
  /** The same files for paths that `realPath` gave: one that has a link in it by the time it is read is refused. */
  resolved(): Files
}

export type ProcessRequest = {
  /** Program and arguments; never a shell line. */
  readonly command: readonly string[]
  readonly cwd: string
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>
  /**
   * The name of a variable in `env` whose value no other program has (its throw-away HOME): whatever still carries it
   * when the program has ended is ended too, also where it left the process group.
   */
  readonly marker?: string
  /** The program watches over a PID namespace: SIGTERM is for what runs in it, and all of that ends when it ends. */
  readonly watchesNamespace?: boolean
  readonly stdin?: string
  readonly timeoutMs: number
  /** Kept of each stream at its head and again at its tail; the rest is counted, not held. */
  readonly keepBytes: number
  readonly signal: AbortSignal
}

export type ProcessOutput = { readonly text: string; readonly bytes: number; readonly omitted: number }

export type ProcessResult = {
  /** null where it was killed or could not be started. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdout: ProcessOutput
  readonly stderr: ProcessOutput
  readonly timedOut: boolean
  readonly durationMs: number
  /** Set where the program could not be started at all. */
  readonly startError?: string
}

/** Runs a program; when it ends, its process tree is ended with it. Rejects only when `signal` is aborted. */
export interface ProcessRunner {
  run(request: ProcessRequest): Promise<ProcessResult>
}

export type HttpRequest = {
  /** http or https, without userinfo. */
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Whether the host's address may be one that is not public: loopback, private, link-local and the like. */
  readonly mayBePrivate: boolean
  /** How much of the decoded body is kept; what lies beyond is not read. */
  readonly keepBytes: number
  readonly signal: AbortSignal
}

export type HttpResponse = {
  readonly status: number
  readonly statusText: string
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Uint8Array
  /** Whether the body was longer than what was kept. */
  readonly isCut: boolean
}

/**
 * One exchange with one server. Every address of its name is checked, and a checked one is connected to; no redirect
 * is followed, no proxy asked, no connection kept. What went wrong is told in words; rejects only when `signal` is aborted.
 */
export interface HttpClient {
  send(request: HttpRequest): Promise<HttpResponse | { readonly problem: string }>
}

/** How scripts are kept apart from this machine. `none`: they run with the rights of whoever started us. */
export type Isolation =
  | { readonly kind: 'bubblewrap'; readonly version: string; readonly network: boolean }
  | { readonly kind: 'none'; readonly reason: string; readonly hint?: string }

/** The folders that a script may see; absolute, links resolved. */
export type ScriptPlaces = {
  /** Writable, but for what other programs take for their configuration. */
  readonly workspace: string
  /** Writable: its throw-away HOME. */
  readonly home: string
  /** Read-only. */
  readonly skill: string
}

/** Runs scripts of skills as far apart from the machine as it can and the configuration demands. */
export interface ScriptRunner {
  /** What is in force, found out by trying it at the first question. */
  isolation(): Promise<Isolation>
  /** Runs the request confined to these places; `refused` says in words why it was not started at all. */
  run(request: ProcessRequest, places: ScriptPlaces): Promise<ProcessResult | { readonly refused: string }>
}

export type PermissionRequest = {
  readonly tool: ActionType
  /** The main parameter: path, URL, tool name. */
  readonly target: string
  readonly params: Readonly<Record<string, unknown>>
  /** The loaded skill that the action names: its declaration counts, and no other. */
  readonly skill: Skill | undefined
  /** Every skill that is loaded: of an action that names none, their declarations count together. */
  readonly loaded: readonly Skill[]
}

export type Decision = {
  readonly verdict: Verdict
  /** The rule that decided, and where it stands. */
  readonly rule: string
  readonly reason?: string
  /** Whether that rule names this target and no other: only then may a private address be asked. */
  readonly isExact?: boolean
}

/** Decides each action. Deny is the answer wherever nothing says otherwise. */
export interface Authorizer {
  decide(request: PermissionRequest): Promise<Decision>
  /** Whether the policy could ever allow this tool: only such tools are offered to the model. */
  mayAllow(tool: ActionType): boolean
}

export type ApprovalQuestion = {
  readonly action: ActionType
  readonly target: string
  readonly params: Readonly<Record<string, unknown>>
  readonly skill: string | undefined
  readonly rule: string
  readonly risk: Risk
}

/** `by`: who answered, for the record: `terminal`, `--yes`. `run` holds for the same action with the same parameters. */
export type ApprovalAnswer = { readonly answer: 'once' | 'run' | 'no'; readonly by: string; readonly reason?: string }

/** Asks a person. Undefined: nobody is there who could answer. Rejects only when `signal` is aborted. */
export interface Approver {
  ask(question: ApprovalQuestion, options: { readonly signal: AbortSignal }): Promise<ApprovalAnswer | undefined>
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds on a clock that never goes back. */
  monotonic(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Lets whatever waits (signals, timers, the terminal) have its turn. */
  breathe(): Promise<void>
  /** Calls back once after `ms`; the returned function takes it back. */
  timer(ms: number, callback: () => void): () => void
}

export interface Ids {
  /** A new run id: sorts by time, safe as a folder name. */
  run(): string
}

/** Finished trials, one line each, flushed as they end. `at` is the trial's place in the run plan. */
export interface Store {
  append(at: number, row: TrialRow): void
  /** The trial at this place of the plan; undefined where it has not finished. */
  read(at: number): TrialRow | undefined
  close(): void
}

/**
 * A run's result as one text, told in order: `start`, then for each suite `suite` and its cases' `result`, then `end`;
 * each returns the next piece of the text. Made anew for each report; holds no more than the place it is at.
 */
export interface Reporter {
  start(run: RunHead): string
  suite(suite: SuiteHead): string
  result(result: CaseResult): string
  end(): string
}

/** A page as it is sent; `version` is another where what it shows has changed. */
export type ServedPage = {
  readonly html: Uint8Array
  /** Its Content-Security-Policy. */
  readonly policy: string
  readonly status: number
  readonly version: string
}

/** Serves one page to the browsers of this machine. */
export interface PageServer {
  readonly url: string
  /** Tells whoever looks at the page that there is another version. */
  changed(version: string): void
  close(): Promise<void>
}

/** Watches a run. May not affect it: what a listener throws is dropped and told once. */
export interface RunListener {
  started?(total: { readonly cases: number; readonly trials: number }): void
  trialStarted?(at: { readonly suite: string; readonly case: string; readonly model: string; readonly n: number }): void
  trialFinished?(row: TrialRow): void
  caseFinished?(suite: { readonly name: string; readonly path: string }, result: CaseResult): void
  finished?(summary: Summary): void
}
