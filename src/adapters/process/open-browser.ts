import { spawn } from 'node:child_process'
import { programFinder } from './find-program.ts'

/** Opens an address in the browser of this machine; false where there is no program that could. Waits for nothing. */
export const openBrowser = (url: string, searchPath: string, platform: string = process.platform): boolean => {
  const [name, ...args] = openers[platform] ?? ['xdg-open']
  const program = programFinder(searchPath)(name ?? '')
  if (program === undefined) return false
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' })
  child.on('error', () => undefined)
  child.unref()
  return true
}

const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
}
