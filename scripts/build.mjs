// Bundles everything that runs into dist/ (code splitting, dependencies inside), with the notices of what is inside,
// then writes the types and the JSON Schemas. usage: node scripts/build.mjs [--no-types]
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const pkg = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const dist = join(root, 'dist')
const nodeModules = new Set(builtinModules)

rmSync(dist, { recursive: true, force: true })
const result = await build({
  absWorkingDir: root,
  entryPoints: {
    'skills-eval': 'src/bin/skills-eval.ts',
    'skills-agent': 'src/bin/skills-agent.ts',
    index: 'src/index.ts',
  },
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  define: { SKILLS_EVAL_VERSION: JSON.stringify(pkg.version) },
  logLevel: 'warning',
  plugins: [requireShim()],
})
writeFileSync(join(dist, 'THIRD_PARTY_NOTICES.txt'), notices(Object.keys(result.metafile.inputs)))
writeFileSync(join(dist, 'meta.json'), JSON.stringify(loads(result.metafile)))
if (!process.argv.includes('--no-types')) {
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  })
}
mkdirSync(join(root, 'schemas'), { recursive: true })
for (const name of ['suite', 'run', 'config']) {
  const schema = execFileSync(process.execPath, [join(dist, 'skills-eval.js'), 'schema', name], { cwd: root })
  writeFileSync(join(root, 'schemas', `${name}.schema.json`), schema)
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
