// Bundles everything that runs into dist/ (code splitting, dependencies inside), with the notices of what is inside,
// then writes the types and the JSON Schemas. usage: node scripts/build.mjs [--no-types]
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'
import { selfContainedTypes } from './self-contained-types.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const pkg = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const dist = join(root, 'dist')
const nodeModules = new Set(builtinModules)

rmSync(dist, { recursive: true, force: true })
// The viewer becomes two texts inside the program, which the HTML report writes into its page.
const viewer = await build({
  absWorkingDir: root,
  entryPoints: ['src/viewer/page/main.tsx', 'src/viewer/page/style.css'],
  outdir: 'dist',
  write: false,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome123', 'firefox120', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  charset: 'utf8',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
})
const viewerText = (extension) => viewer.outputFiles.find(({ path }) => path.endsWith(extension)).text.trim()
const shared = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  metafile: true,
  define: {
    SKILLS_EVAL_VERSION: JSON.stringify(pkg.version),
    SKILLS_EVAL_VIEWER_SCRIPT: JSON.stringify(viewerText('.js')),
    SKILLS_EVAL_VIEWER_STYLE: JSON.stringify(viewerText('.css')),
  },
  logLevel: 'warning',
}
// What a command needs is a module of its own in cli/, named *-from-cli; it and all below it are ES modules.
const commands = readdirSync(join(root, 'src/cli')).filter((file) => /(-from-cli|report-error)\.ts$/.test(file))
const modules = await build({
  ...shared,
  entryPoints: {
    index: 'src/index.ts',
    vitest: 'src/library/define-skill-tests.ts',
    ...Object.fromEntries(commands.map((file) => [file.slice(0, -3), `src/cli/${file}`])),
  },
  chunkNames: 'chunks/[name]-[hash]',
  // It is the caller's own, in whose test run the tests are defined.
  external: ['vitest'],
  splitting: true,
  format: 'esm',
  minifySyntax: true,
  plugins: [namedExports(), requireShim()],
})
// The command line itself is CommonJS: Node starts it without its module loader, which costs as much as commander.
const programs = await build({
  ...shared,
  entryPoints: { 'skills-eval': 'src/bin/skills-eval.ts', 'skills-agent': 'src/bin/skills-agent.ts' },
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  minify: true,
  plugins: [commandsStayOutside()],
})
const metafile = {
  inputs: { ...viewer.metafile.inputs, ...modules.metafile.inputs, ...programs.metafile.inputs },
  outputs: { ...modules.metafile.outputs, ...programs.metafile.outputs },
}
writeFileSync(join(dist, 'THIRD_PARTY_NOTICES.txt'), notices(Object.keys(metafile.inputs)))
writeFileSync(join(dist, 'meta.json'), JSON.stringify(loads(metafile)))
if (!process.argv.includes('--no-types')) {
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  })
  selfContainedTypes(root)
}
mkdirSync(join(root, 'schemas'), { recursive: true })
for (const name of await schemaNames()) {
  const schema = execFileSync(process.execPath, [join(dist, 'skills-eval.cjs'), 'schema', name], { cwd: root })
  writeFileSync(join(root, 'schemas', `${name}.schema.json`), schema)
}

/** The program's own list, which is TypeScript. */
async function schemaNames() {
  const { code } = await transform(readFileSync(join(root, 'src/core/schema-names.ts'), 'utf8'), { loader: 'ts' })
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).schemaNames
}

/** `await import()` of a CommonJS package gives its names in Node, but only `default` in a bundle: they are spelt out. */
function namedExports() {
  return {
    name: 'named-exports',
    setup({ onResolve, onLoad, resolve: resolvePath }) {
      onResolve({ filter: /^[a-z@]/ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === 'asked') return undefined
        const found = await resolvePath(path, { kind: 'import-statement', resolveDir, pluginData: 'asked' })
        return isCommonJs(found.path) ? { path, namespace: 'named', pluginData: resolveDir } : undefined
      })
      onLoad({ filter: /.*/, namespace: 'named' }, async ({ path, pluginData }) => {
        const all = await import(path)
        const names = Object.keys(all).filter((name) => name !== 'default' && name !== 'module.exports')
        const code = `import * as all from ${JSON.stringify(path)}\nexport const { ${names.join(', ')} } = all\nexport default all.default`
        return { contents: code, resolveDir: pluginData }
      })
    },
  }
}

function isCommonJs(file) {
  if (file.endsWith('.cjs')) return true
  if (!file.endsWith('.js')) return false
  const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(file)
  return match !== null && JSON.parse(readFileSync(join(match[1], 'package.json'), 'utf8')).type !== 'module'
}

/** A command's module is imported when the command is called, from beside the program. */
function commandsStayOutside() {
  return {
    name: 'commands-stay-outside',
    setup({ onResolve }) {
      onResolve({ filter: /(-from-cli|report-error)\.ts$/ }, ({ path, kind }) =>
        kind === 'dynamic-import' ? { path: path.replace(/\.ts$/, '.js'), external: true } : undefined,
      )
    },
  }
}

/** CommonJS dependencies ask for Node's modules through `require`: in a module there is none, so they are given one. */
function requireShim() {
  return {
    name: 'require-shim',
    setup({ onLoad }) {
      onLoad({ filter: /node_modules.*\.c?js$/ }, ({ path }) => {
        const code = readFileSync(path, 'utf8')
        if (!/\brequire\(/.test(code) || /^\s*(import|export)\s/m.test(code)) return undefined
        const builtins = [...new Set([...code.matchAll(/require\(['"](?:node:)?([a-z_/]+)['"]\)/g)].map((m) => m[1]))]
        const known = builtins.filter((name) => nodeModules.has(name))
        if (known.length === 0) return undefined
        const replaced = code.replace(/require\((['"])(?:node:)?([a-z_/]+)\1\)/g, (all, _quote, name) =>
          nodeModules.has(name) ? `globalThis.process.getBuiltinModule("node:${name}")` : all,
        )
        return { contents: replaced, loader: 'js' }
      })
    },
  }
}

/** What the bundle is made of, for the tests: which outputs each entry loads at once. */
function loads(metafile) {
  return Object.fromEntries(
    Object.entries(metafile.outputs).map(([file, output]) => [
      file,
      {
        bytes: output.bytes,
        imports: output.imports.map(({ path, kind }) => ({ path, kind })),
        packages: [...new Set(Object.keys(output.inputs).flatMap((input) => packageOf(input) ?? []))],
      },
    ]),
  )
}

function packageOf(input) {
  const match = /(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)
  return match?.[1]
}

function notices(inputs) {
  const folders = new Map()
  for (const input of inputs) {
    const match = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(input)
    if (match) folders.set(match[1], true)
  }
  const parts = [...folders.keys()].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const file = readdirSync(join(root, folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry))
    const text =
      file && existsSync(join(root, folder, file)) ? readFileSync(join(root, folder, file), 'utf8').trim() : ''
    return `${name} ${version} (${license ?? 'see text'})\n\n${text}\n`
  })
  return `Packages that are part of this program:\n\n${parts.join(`\n${'-'.repeat(72)}\n\n`)}`
}
