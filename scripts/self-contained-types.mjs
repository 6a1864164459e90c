// Makes dist/types stand on its own: what the declarations take from a package that is bundled is copied beside them,
// and declarations that nothing reaches from what package.json exports go.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'

/** Packages whose declarations are themselves complete. */
const copied = ['zod']

export function selfContainedTypes(root) {
  const types = join(root, 'dist/types')
  const packageOf = (name) => join(root, 'node_modules', name)
  const reached = new Set()
  const waiting = Object.values(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports).flatMap((one) =>
    typeof one === 'object' && one.types !== undefined ? [join(root, one.types)] : [],
  )
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    const text = readFileSync(file, 'utf8')
    const placed = text.replace(/(\bfrom |\bimport ?\(?)(["'])([^"']+)\2/g, (all, before, quote, name) => {
      const target = name.startsWith('.') ? declarationOf(join(dirname(file), name)) : copyOf(name)
      if (target === undefined) return all
      waiting.push(target)
      return name.startsWith('.') ? all : `${before}${quote}${pathTo(file, target)}${quote}`
    })
    if (placed !== text) writeFileSync(file, placed)
  }
  for (const name of readdirSync(types, { recursive: true })) {
    const file = join(types, name)
    if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file)
  }

  function copyOf(name) {
    if (!copied.includes(name)) return undefined
    const from = packageOf(name)
    const to = join(types, 'packages', name)
    if (!existsSync(to)) {
      for (const path of readdirSync(from, { recursive: true })) {
        if (!path.endsWith('.d.ts') || path.startsWith(`src${sep}`)) continue
        mkdirSync(dirname(join(to, path)), { recursive: true })
        copyFileSync(join(from, path), join(to, path))
      }
      copyFileSync(join(from, 'LICENSE'), join(to, 'LICENSE'))
    }
    return join(to, 'index.d.ts')
  }
}

const pathTo = (file, target) =>
  `./${posix.normalize(relative(dirname(file), target).split(sep).join('/'))}`
    .replace(/^\.\/\.\.\//, '../')
    .replace(/\.d\.ts$/, '.js')

const declarationOf = (path) =>
  [path.replace(/\.[cm]?[jt]s$/, '.d.ts'), `${path}.d.ts`, join(path, 'index.d.ts')].find(
    (file) => file.endsWith('.d.ts') && existsSync(file),
  )
