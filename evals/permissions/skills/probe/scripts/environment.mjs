// What a script is given of the world, without anything that differs from machine to machine.
import { readdirSync, realpathSync } from 'node:fs'

const { SKILL_DIR, WORKSPACE, HOME, TMPDIR } = process.env
console.log(
  JSON.stringify({
    // A shell that stands between adds these by itself.
    names: Object.keys(process.env).filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)).sort(),
    inWorkspace: realpathSync(process.cwd()) === realpathSync(WORKSPACE),
    ownSkill: realpathSync(import.meta.dirname) === realpathSync(`${SKILL_DIR}/scripts`),
    homeIsEmpty: readdirSync(HOME).length === 0,
    temporaryIsHome: TMPDIR === HOME,
  }),
)
