import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { tempFolder } from '../adapters/files/temp-folder.test-support.ts'
import { localServer } from '../adapters/net/local-server.test-support.ts'
import { SkillsEvalError } from '../core/errors.ts'
import type { ConfiguredHub, HubIndex } from '../schema/hub.ts'
import { type BuildHubOptions, buildHub } from './build-hub.ts'
import { hostIn } from './host.test-support.ts'
import { type HubInstallOptions, installFromHub } from './install-from-hub.ts'
import type { HubWorld } from './open-hub.ts'
import { packSkills } from './pack-skills.ts'
import { type UpdateOptions, updateSkills } from './update-skills.ts'

export const skillText = (name: string, text = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it for ${name}.\n---\n\nDo it. ${text}\n`

/** A project, and folders that are hubs. */
export const workplace = () => {
  const dir = tempFolder({ '.agent/config.json': '{}' })
  const host = hostIn(dir)
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content)
  }
  const read = (path: string) => readFileSync(join(dir, path), 'utf8')
  return {
    dir,
    host,
    write,
    read,
    root: join(dir, '.agent/skills'),
    /** Puts a version of a pack into a hub's folder; its skills are called as given, or as the pack. */
    publish: async (hub: string, name: string, version: string, skills: readonly string[] = [name], sign?: string) => {
      rmSync(join(dir, 'src'), { recursive: true, force: true })
      for (const one of skills) write(`src/${one}/SKILL.md`, skillText(one, `As of ${hub} ${version}.`))
      mkdirSync(join(dir, hub, 'packs'), { recursive: true })
      const output = `${hub}/packs/${name}-${version}.zip`
      await packSkills({ paths: ['src'], name, version, output, sign }, host)
    },
    build: (hub: string, source: object = {}, options: Partial<BuildHubOptions> = {}) => {
      write(`${hub}/hub.yaml`, JSON.stringify({ name: hub, ...source }))
      return buildHub({ dir: hub, ...options }, host)
    },
    index: (hub: string) => JSON.parse(read(`${hub}/index.json`)) as HubIndex,
    use: (...hubs: readonly ConfiguredHub[]) => write('.agent/config.json', JSON.stringify({ packs: { hubs } })),
    install: (source: string, options: Partial<HubInstallOptions> = {}, world: HubWorld = {}) =>
      installFromHub({ source, ...options }, host, world),
    update: (options: Partial<UpdateOptions> = {}) => updateSkills({ names: [], ...options }, host),
    skill: (name: string) => read(`.agent/skills/${name}/SKILL.md`),
    lock: () => JSON.parse(read('.agent/skills/skills.lock.json')),
    /** Serves a hub's folder as it lies there. */
    serve: (hub: string, answers: Record<string, (path: string) => Uint8Array | undefined> = {}) =>
      localServer((request, response) => {
        const path = decodeURIComponent(request.url ?? '').slice(1)
        const file = join(dir, hub, path)
        const own = answers[path]
        const body = own ? own(path) : existsSync(file) ? readFileSync(file) : undefined
        response.writeHead(body === undefined ? 404 : 200).end(body)
      }),
  }
}

export const fault = async (work: Promise<unknown>): Promise<SkillsEvalError> => {
  try {
    await work
  } catch (error) {
    if (error instanceof SkillsEvalError) return error
    throw error
  }
  throw new Error('it was taken')
}

export const local = (name: string): ConfiguredHub => ({ name, url: `./${name}` })
