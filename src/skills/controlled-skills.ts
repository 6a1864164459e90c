import type { SkillControls, SkillNews, SkillSource } from '../core/ports.ts'
import type { Skill, SkillProblem } from '../core/skill.ts'
import { sha256 } from '../lib/hash.ts'
import { visibleLine } from '../lib/visible.ts'
import { renderSkill } from './render-index.ts'

type Who = 'model' | 'user'

/** What a session must remember to go on another time: what is off and by whom, and what the model was told. */
export type KeptControls = {
  readonly disabled: readonly { readonly name: string; readonly by: Who }[]
  readonly told: {
    /** Digests of the entries in the index, by the names of the skills. */
    readonly skills: Readonly<Record<string, string>>
    readonly disabled: readonly string[]
  }
}

export type ControlledSkills = SkillSource & { readonly controls: SkillControls; kept(): KeptControls }

/**
 * The skills of one session, in which some can be turned off and all can be read anew: `load` gives the source as it is
 * now. One that is turned off is not visible, found, resolved or used; its body is not read.
 */
export const controlledSkills = (load: () => SkillSource, kept?: KeptControls): ControlledSkills => {
  let source = load()
  const off = new Map<string, Who>(kept?.disabled.map(({ name, by }) => [name, by]))
  const isOn = (skill: Pick<Skill, 'name'>): boolean => !off.has(skill.name)
  const visible = () => source.visible().filter(isOn)
  // What the model was told last: the index of its system prompt, then each change.
  const told = {
    skills: kept ? new Map(Object.entries(kept.told.skills)) : entriesOf(source.visible()),
    off: new Set(kept?.told.disabled),
  }
  const find = (ref: Parameters<SkillControls['disable']>[0], by: Who): Skill | SkillProblem => {
    const found = source.resolve(ref, by)
    if (!('problem' in found) || by === 'model') return found
    // A person may also turn off what only the model invokes.
    const hidden = source.resolve(ref, 'model')
    return 'problem' in hidden ? found : hidden
  }

  const news = (loaded: readonly string[]): SkillNews => {
    const all = source.visible()
    const now = entriesOf(all)
    const on = all.filter(isOn)
    const isKnown = (name: string): boolean => (told.skills.has(name) && now.has(name)) || loaded.includes(name)
    const fresh = on.filter(({ name }) => !told.skills.has(name))
    const changed = on.filter(({ name }) => told.skills.has(name) && told.skills.get(name) !== now.get(name))
    const gone = [...told.skills.keys()].filter((name) => !now.has(name))
    const turnedOff = [...off.keys()].filter((name) => isKnown(name) && !told.off.has(name))
    const turnedOn = [...told.off].filter((name) => isKnown(name) && !off.has(name))
    for (const name of gone) told.skills.delete(name)
    for (const { name } of on) told.skills.set(name, now.get(name) ?? '')
    told.off = new Set(off.keys())
    return {
      lines: [
        ...section('New:', fresh),
        ...section('Described otherwise now:', changed),
        ...names('Gone', gone),
        ...names('Disabled by the user', turnedOff),
        ...(turnedOff.length === 0 ? [] : [whatOffMeans]),
        ...names('Enabled again by the user', turnedOn),
      ],
      changed: [...fresh.map(({ name }) => name), ...changed.map(({ name }) => name), ...gone].sort(),
    }
  }

  return {
    visible,
    resolve: (ref, by = 'model') => {
      const skill = source.resolve(ref, by)
      return 'problem' in skill || isOn(skill) ? skill : { problem: whyOff(skill.name, off.get(skill.name), by) }
    },
    byFile: (path) => source.byFile(path),
    body: (skill) => source.body(skill),
    resource: (skill, request) => source.resource(skill, request),
    search: async (query, limit) => (await source.search(query, limit + off.size)).filter(isOn).slice(0, limit),
    kept: () => ({
      disabled: [...off].map(([name, by]) => ({ name, by })),
      told: { skills: Object.fromEntries(told.skills), disabled: [...told.off].sort() },
    }),
    controls: {
      all: () => source.visible(),
      disable: (ref, by) => {
        const skill = find(ref, by)
        if ('problem' in skill) return skill
        // The user's word stands, whoever says it again.
        if (off.get(skill.name) !== 'user') off.set(skill.name, by)
        // Its own doing it knows.
        if (by === 'model') told.off.add(skill.name)
        return skill
      },
      enable: (ref, by) => {
        const skill = find(ref, by)
        if ('problem' in skill) return skill
        if (off.get(skill.name) === 'user' && by === 'model') return refused(skill)
        off.delete(skill.name)
        if (by === 'model') told.off.delete(skill.name)
        return skill
      },
      disabled: () => [...off.keys()].sort(),
      reload: () => {
        source = load()
      },
      news,
      current: ({ name, source: from }) => {
        const skill = find({ name, source: from }, 'user')
        return 'problem' in skill ? undefined : { skill, body: source.body(skill) }
      },
    },
  }
}

const whatOffMeans =
  'What is disabled is not found, loaded or used until they enable it again; instructions of it that you have hold no more.'

const entriesOf = (skills: readonly Skill[]): Map<string, string> =>
  new Map(skills.map((skill) => [skill.name, sha256(renderSkill(skill)).slice(0, 16)]))

const refused = ({ name }: Skill): SkillProblem => ({
  problem: `${visibleLine(name, 80)} was disabled by the user, who alone can enable it.`,
})

const whyOff = (name: string, by: Who | undefined, asker: Who): string => {
  const shown = visibleLine(name, 80)
  if (by === 'user') return `${shown} is disabled by the user.`
  return asker === 'user'
    ? `${shown} was disabled by the model in this session.`
    : `${shown} is disabled in this session; enable_skill brings it back.`
}

const section = (title: string, skills: readonly Skill[]): string[] =>
  skills.length === 0 ? [] : [title, ...skills.map((skill) => renderSkill(skill))]

const names = (what: string, list: readonly string[]): string[] =>
  list.length === 0 ? [] : [`${what}: ${list.map((name) => visibleLine(name, 80)).join(', ')}.`]
