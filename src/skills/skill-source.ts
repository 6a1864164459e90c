import type { Files, SkillSource } from '../core/ports.ts'
import type { SkillIndex } from '../core/skill.ts'
import { type BodyOptions, loadBody } from './load-body.ts'
import { loadResource } from './load-resource.ts'
import { skillResolver } from './resolve-skill.ts'
import { skillSearch } from './search-skills.ts'

/**
 * The skills of an index as one trial sees them. Nothing but the index is held: bodies and resources are read from disk
 * when they are asked for. A skill that is hidden from the model is neither visible, found nor resolved for it.
 */
export const skillSource = (index: SkillIndex, files: Files, options: BodyOptions): SkillSource => {
  const visible = index.skills.filter((skill) => !skill.hiddenFromModel)
  const resolve = skillResolver(index)
  const search = skillSearch(visible)
  const byPath = new Map(visible.map((skill) => [skill.file, skill]))
  return {
    visible: () => visible,
    resolve: (ref, by = 'model') => resolve(ref, by),
    byFile: (path) => byPath.get(path) ?? byPath.get(files.realPath(path) ?? ''),
    body: (skill) => loadBody(skill, files, options),
    resource: (skill, request) => loadResource(skill, request, files),
    search,
  }
}
