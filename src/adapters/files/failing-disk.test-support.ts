import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Which error a change to the disk ends with; `step` counts them from 1. */
export type Failures = (step: number, what: string) => string | undefined

const changes = [
  'openSync',
  'writeFileSync',
  'fsyncSync',
  'mkdirSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'linkSync',
  'unlinkSync',
  'chmodSync',
] as const

const readsOnly = (name: string, args: readonly unknown[]) =>
  name === 'openSync' && (typeof args[1] === 'number' || args[1] === 'r' || args[1] === undefined)

/** Lets changes to the disk fail while `action` runs; returns how many it tried. */
export const onFailingDisk = (failures: Failures, action: () => void): number => {
  const all: Readonly<Record<string, unknown>> = fs
  const real = changes.map((name) => [name, all[name] as (...args: unknown[]) => unknown] as const)
  let steps = 0
  const failing = (name: string, made: (...args: unknown[]) => unknown) =>
    function change(...args: unknown[]): unknown {
      if (readsOnly(name, args)) return made(...args)
      steps += 1
      const code = failures(steps, name)
      // Only counted, since nobody here pulls the plug, and it takes its time.
      if (code === undefined) return name === 'fsyncSync' ? undefined : made(...args)
      // As a full disk does it: what there was room for is written.
      if (name === 'writeFileSync') made(args[0], String(args[1]).slice(0, 5), args[2])
      throw Object.assign(new Error(`${code}: let fail, ${name}`), { code, syscall: name, errno: -1 })
    }
  try {
    for (const [name, made] of real) Reflect.set(fs, name, failing(name, made))
    syncBuiltinESMExports()
    action()
  } finally {
    for (const [name, made] of real) Reflect.set(fs, name, made)
    syncBuiltinESMExports()
  }
  return steps
}
