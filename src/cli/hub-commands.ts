import { type Command, Option } from 'commander'
import type { Done } from './command-line.ts'
import { withCommonOptions } from './common-options.ts'
import type { HubAddFlags, HubBuildFlags, HubFlags, HubSearchFlags } from './hub-from-cli.ts'

/** `skills hub build | add | list | search`. */
export const addHubCommands = (skills: Command, done: Done): void => {
  const load = () => import('./hub-from-cli.ts')
  const hub = skills
    .command('hub')
    .description('where packs are found by name: static files on a server or in a folder')

  withCommonOptions(
    hub
      .command('build')
      .description('make index.json of the packs in a folder and its hub.yaml; the same folder gives the same bytes')
      .argument('<dir>', 'the folder')
      .option('--sign <key>', 'sign the index with the private key in this file')
      .option('--unsigned', 'nobody signs the index any more, though one that was signed is there'),
    'skills-eval skills hub build public/ --sign ~/keys/hub.pem',
  ).action(async (dir: string, flags: HubBuildFlags) => done(await (await load()).buildHubFromCli(dir, flags)))

  withCommonOptions(
    hub
      .command('add')
      .description('put a hub into the configuration, with the key that signs its index')
      .argument('<url>', 'an http(s) URL of the folder with index.json, or a folder')
      .option('--name <name>', 'what it is called here (default: what it calls itself)')
      .option('--key <key>', 'the public key that must have signed its index (default: the one that did)')
      .option('--user', 'for you, not for this project: ~/.agent/config.json'),
    'skills-eval skills hub add https://skills.example.org/hub/',
  ).action(async (url: string, flags: HubAddFlags) => done(await (await load()).addHubFromCli(url, flags)))

  withCommonOptions(
    hub
      .command('list')
      .description('the hubs of the configuration, in the order in which they are asked')
      .option('--user', 'only yours'),
    'skills-eval skills hub list',
  ).action(async (flags: HubFlags) => done(await (await load()).listHubsFromCli(flags)))

  withCommonOptions(
    hub
      .command('search')
      .description('packs and collections of all hubs, the best match first')
      .argument('[query...]', 'words (default: everything)')
      .addOption(new Option('--tier <tier>', 'only packs of this tier').choices(['official', 'verified', 'community']))
      .option('--limit <n>', 'at most so many', '20')
      .option('--user', 'only in your hubs'),
    'skills-eval skills hub search csv sales',
  ).action(async (query: string[], flags: HubSearchFlags) => done(await (await load()).searchHubsFromCli(query, flags)))
}
