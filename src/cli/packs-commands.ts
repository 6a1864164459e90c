import type { Command } from 'commander'
import type { Done } from './command-line.ts'
import { collect, withCommonOptions } from './common-options.ts'
import type {
  InstallFlags,
  KeyFlags,
  PackFlags,
  ProveFlags,
  RootFlags,
  UpdateFlags,
  VerifyFlags,
} from './packs-from-cli.ts'

const withRoot = (command: Command): Command =>
  command
    .option('--root <dir>', "another skill root than the project's .agent/skills")
    .option('--user', 'the skill root of your home folder, ~/.agent/skills')

const withRisk = (command: Command): Command =>
  command.option('--accept-risk <rule>', 'install although the scan finds this, which is high (repeatable)', collect)

const withAccepted = (command: Command): Command =>
  command
    .option('--accept-unsigned', 'take what nobody signed, though keys are trusted here')
    .option('--accept-unknown-key', 'take what a key signed that is not trusted here')

/** `skills pack`, `install`, `uninstall`, `verify`, `keygen` and `sign`. */
export const addPackCommands = (skills: Command, done: Done): void => {
  const load = () => import('./packs-from-cli.ts')

  withCommonOptions(
    skills
      .command('pack')
      .description('one zip of valid skills, with a manifest; the same skills give the same bytes')
      .argument('[path...]', 'skill folders, or folders of skill folders (default: this folder, or its skills/)')
      .option(
        '-o, --output <file>',
        'the zip (default: NAME-VERSION.zip here, or beside the skill that this folder is)',
      )
      .option('--name <name>', "the pack's name (default: that of its only skill)")
      .option('--version <version>', "the pack's version (default: that of its only skill)")
      .option('--sign [key]', 'sign it with the private key in this file (default: ~/.agent/keys/signing.pem)')
      .option('--proof', 'replay the suites of these skills, and pack them with their recordings and results')
      .option('--suites <path>', 'a suite for the proof, or a folder of them (repeatable; default: evals/)', collect),
    'skills-eval skills pack skills/csv-analyzer --version 1.0.0 --sign',
  ).action(async (paths: string[], flags: PackFlags) => done(await (await load()).packFromCli(paths, flags)))

  withCommonOptions(
    withRisk(
      withAccepted(
        withRoot(
          skills
            .command('install')
            .description('put the skills of a pack into a skill root: all of them, or nothing')
            .argument('<source>', 'a zip, a folder, an http(s) URL of a zip, or of a hub NAME[@RANGE] or COLLECTION')
            .option('--require-manifest', 'refuse what has no manifest')
            .option('--hub <name>', 'look in this hub alone'),
        ),
      ),
    ).option('--force', 'replace what was changed here or is from elsewhere; edits are kept as a backup'),
    `skills-eval skills install csv-analyzer-1.0.0.zip
  skills-eval skills install csv-analyzer@^1.2`,
  ).action(async (source: string, flags: InstallFlags) => done(await (await load()).installFromCli(source, flags)))

  withCommonOptions(
    withRisk(
      withAccepted(
        withRoot(
          skills
            .command('update')
            .description('bring packs from hubs to the highest version in their range: all of them, or nothing')
            .argument('[name...]', 'skills or packs (default: all that are from hubs)')
            .option('--dry-run', 'only say what would be done'),
        ),
      ),
    ).option('--force', 'also what was changed here; it is kept as a backup'),
    'skills-eval skills update --dry-run',
  ).action(async (names: string[], flags: UpdateFlags) => done(await (await load()).updateFromCli(names, flags)))

  withCommonOptions(
    withRoot(
      skills
        .command('uninstall')
        .description('take an installed skill away')
        .argument('<name>', "the skill's name")
        .option('--force', 'also where it was changed here; it is kept as a backup'),
    ),
    'skills-eval skills uninstall csv-analyzer',
  ).action(async (name: string, flags: RootFlags) => done(await (await load()).uninstallFromCli(name, flags)))

  withCommonOptions(
    withAccepted(
      withRoot(
        skills
          .command('verify')
          .description(
            'whether installed skills, or a pack, are what was made: exit 0, 1 tampered, 3 unsigned, 4 unknown key',
          )
          .argument('[what]', 'an installed skill, or the path of a pack (default: all installed skills)'),
      ),
    ),
    'skills-eval skills verify csv-analyzer-1.0.0.zip',
  ).action(async (what: string | undefined, flags: VerifyFlags) =>
    done(await (await load()).verifyFromCli(what, flags)),
  )

  withCommonOptions(
    withRoot(
      skills
        .command('prove')
        .description(
          'replay the proof of a pack here, offline; runs its scripts: exit 0 equal, 1 different, 3 not judged, 4 stale',
        )
        .argument('<what>', 'an installed skill, or the path of a pack')
        .option('--run-graders', "run the suites' graders too: programs of the pack that no sandbox holds"),
    ),
    'skills-eval skills prove csv-analyzer',
  ).action(async (what: string, flags: ProveFlags) => done(await (await load()).proveFromCli(what, flags)))

  withCommonOptions(
    skills
      .command('keygen')
      .description('make a private key to sign packs with (Ed25519)')
      .option('-o, --output <file>', 'where it is written (default: ~/.agent/keys/signing.pem); only you can read it'),
    'skills-eval skills keygen',
  ).action(async (flags: KeyFlags) => done(await (await load()).keygenFromCli(flags)))

  withCommonOptions(
    skills
      .command('sign')
      .description('sign a pack that was made before')
      .argument('<pack>', 'the zip')
      .option('--key <file>', 'the private key (default: ~/.agent/keys/signing.pem)')
      .option('-o, --output <file>', 'the signed zip (default: in place of the pack)'),
    'skills-eval skills sign csv-analyzer-1.0.0.zip --key ~/keys/skills.pem',
  ).action(async (pack: string, flags: KeyFlags) => done(await (await load()).signFromCli(pack, flags)))
}
