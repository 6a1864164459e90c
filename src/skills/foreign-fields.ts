export type ForeignField = {
  readonly system: string
  /** What the field means here; `not used` where it is only kept. */
  readonly meaning: string
}

const row = (system: string, meaning: string): ForeignField => ({ system, meaning })

const notUsed = 'not used'

const fields: ReadonlyMap<string, ForeignField> = new Map([
  ['version', row('common', 'the version of the skill')],
  ['author', row('common', 'shown only')],
  ['tags', row('common', 'searched by search_skills')],
  ['keywords', row('common', notUsed)],
  ['category', row('common', notUsed)],
  ['homepage', row('common', 'shown only')],
  ['disable-model-invocation', row('Claude Code', 'true hides the skill from the model')],
  ['user-invocable', row('Claude Code', 'false hides the skill from people')],
  ['run-mode', row('skills-eval', 'subagent: the skill runs as an agent of its own')],
  ['allowed_tools', row('Spring AI Alibaba', 'read as allowed-tools')],
  ['allowedTools', row('Spring AI Alibaba', 'read as allowed-tools')],
  ['trigger', row('harness9', 'documentation only: never matched')],
  ['when_to_use', row('Claude Code', 'documentation only: put it into the description')],
  ['argument-hint', row('Claude Code', 'documentation of the arguments, shown only')],
  ['arguments', row('Claude Code', notUsed)],
  ['context', row('Claude Code', 'fork: the skill runs as an agent of its own')],
  ['agent', row('Claude Code', notUsed)],
  ['background', row('Claude Code', notUsed)],
  ['model', row('Claude Code', 'not used: the profile of the run decides')],
  ['effort', row('Claude Code', notUsed)],
  ['hooks', row('Claude Code', 'not used: nothing runs when a skill is loaded')],
  ['paths', row('Claude Code', notUsed)],
  ['shell', row('Claude Code', notUsed)],
  ['disallowed-tools', row('Claude Code', 'not used: the policy of the run denies tools')],
  ['id', row('Hermes', 'not used: name identifies a skill')],
  ['created', row('Hermes', notUsed)],
  ['updated', row('Hermes', notUsed)],
  ['language', row('Hermes', notUsed)],
  ['hermes', row('Hermes', notUsed)],
  ['hermes_version', row('Hermes', notUsed)],
  ['tools_required', row('Hermes', notUsed)],
  ['tools_optional', row('Hermes', notUsed)],
  ['entry_point', row('Hermes', notUsed)],
  ['platforms', row('Hermes', notUsed)],
  ['deps', row('Hermes', notUsed)],
  ['related_skills', row('Hermes', notUsed)],
  ['required_environment_variables', row('Hermes', 'not used: scripts get a built-up environment')],
  ['required_credential_files', row('Hermes', notUsed)],
])

/** What a field that the standard does not know means here; undefined where no known system has it. */
export const foreignField = (name: string): ForeignField | undefined => fields.get(name)
