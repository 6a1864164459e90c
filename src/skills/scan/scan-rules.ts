export const scanSeverities = ['info', 'low', 'medium', 'high'] as const
export type ScanSeverity = (typeof scanSeverities)[number]

type RuleRow = {
  /** At most so severe; where it stands can make it less. */
  readonly severity: ScanSeverity
  readonly summary: string
  /** What to do before the skill is used. */
  readonly advice: string
}

const row = (severity: ScanSeverity, summary: string, advice: string): RuleRow => ({ severity, summary, advice })

// What scripts reach for, then what speaks to the agent, then what is declared, then what could not be looked at.
const table = {
  'download-run': row(
    'high',
    'What is downloaded is run unseen.',
    'Download it, read it and pin it, or do not use the skill.',
  ),
  'encoded-payload': row('high', 'Code or text is encoded.', 'Decode it and read it before anything runs it.'),
  'dynamic-code': row('medium', 'Text is run as code.', 'Look where the text comes from.'),
  exfiltration: row(
    'high',
    'One file reads secrets and uses the network.',
    'Find out what is sent where, and do not run it before.',
  ),
  'credential-files': row(
    'high',
    'Files that hold keys or passwords are reached for.',
    'Find out why; run it where there are none.',
  ),
  'environment-dump': row(
    'medium',
    'All environment variables are read.',
    'Look what becomes of them: keys are among them.',
  ),
  'secret-variable': row('low', 'A key is taken from the environment.', 'Give it a key of its own, with few rights.'),
  'network-access': row('low', 'The network is used.', 'Allow only the hosts that it needs.'),
  'writes-outside': row(
    'medium',
    'Files outside the workspace are written.',
    'Look what is written; isolate its scripts.',
  ),
  persistence: row(
    'high',
    'Something is set up that stays and runs again later.',
    'Do not let it: startup files, timers and hooks are yours.',
  ),
  'agent-settings': row(
    'high',
    'Settings or instructions of agents are changed.',
    'Do not let it: they decide what agents may do.',
  ),
  destructive: row('high', 'Much could be deleted or overwritten.', 'Read what it deletes, and when.'),
  'elevated-rights': row('medium', 'More rights are taken than yours.', 'Run it without them.'),
  'safety-off': row('high', 'A safeguard is turned off.', 'Leave it on: the skill has no say over what protects you.'),
  'starts-programs': row('low', 'Other programs are started.', 'Look which, and what they are given.'),
  'installs-packages': row('medium', 'Packages are installed.', 'Check their names, pin their versions.'),
  'native-program': row(
    'high',
    'A program that can not be read comes along.',
    'Build it from source, or leave it out.',
  ),
  'opaque-file': row('medium', 'A file can not be looked into.', 'Unpack it, or ask its author what it is.'),
  'link-outside': row('high', 'A link leads out of the skill.', 'Do not follow it; ask for the file itself.'),
  'special-file': row('high', 'Something is neither a file nor a folder.', 'Remove it.'),
  'hidden-file': row('low', 'A file is hidden by its name.', 'Look what it is for.'),
  'hidden-text': row(
    'high',
    'Text is there that a reader does not see.',
    'Read it as it is shown here, and remove it.',
  ),
  'hidden-instructions': row(
    'high',
    'Instructions stand where people do not see them.',
    'Read the source, not the rendered page.',
  ),
  'instruction-override': row(
    'high',
    'The agent is told to ignore its instructions.',
    'Do not use the skill, unless it quotes this as an example.',
  ),
  'role-takeover': row(
    'high',
    'Text plays the part of the system or of its user.',
    'Do not use the skill, unless it quotes this as an example.',
  ),
  'conceals-from-user': row('high', 'The agent is told to keep something from you.', 'Ask why you should not know.'),
  'skips-approval': row('medium', 'The agent is told not to ask you.', 'Keep asking for what can do harm.'),
  'sends-data': row('high', 'The agent is told to send your data away.', 'Find out what is sent, and to whom.'),
  'remote-instructions': row(
    'medium',
    'The agent is told to follow what it finds on the network.',
    'Whoever owns the page can change it: ask for a copy in the skill.',
  ),
  'runs-on-load': row(
    'high',
    'Some systems run this as soon as the skill is loaded.',
    'Remove it, or read it like a script. Here nothing is run on loading.',
  ),
  'undeclared-tools': row(
    'low',
    'More is used than allowed-tools declares.',
    'Expect to be asked for it, or have the declaration mended.',
  ),
  'broad-tools': row('low', 'Any command may run unasked.', 'Name the commands, e.g. `Bash(git:*)`.'),
  contradiction: row('medium', 'The text says what the code does not keep.', 'Believe the code.'),
  'not-checked': row('high', 'A bound was hit.', 'Look at it yourself: what was not looked at can hold anything.'),
} as const satisfies Record<string, RuleRow>

export type ScanRuleId = keyof typeof table

export type ScanRule = RuleRow & { readonly id: ScanRuleId }

export const scanRules: readonly ScanRule[] = (Object.keys(table) as ScanRuleId[]).map((id) => ({ id, ...table[id] }))

export const scanRule = (id: ScanRuleId): RuleRow => table[id]
