import { join } from 'node:path'
import { diskFiles } from '../adapters/files/disk-files.ts'
import type { Host } from './host.ts'

/** A host that works in a folder, has no terminal and swallows what it is told; its home lies in the folder. */
export const hostIn = (cwd: string, more: Partial<Host> = {}): Host => ({
  cwd,
  home: join(cwd, 'home'),
  env: {},
  isCi: true,
  cores: 1,
  version: '0',
  packageDir: join(cwd, 'package'),
  files: diskFiles(),
  stdout: () => undefined,
  stderr: () => undefined,
  color: false,
  width: 100,
  signal: new AbortController().signal,
  ...more,
})
