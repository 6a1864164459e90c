import type { Mount } from './mount.ts'

export type Bubblewrap = {
  readonly program: string
  readonly version: string
  /** Whether it can forbid further user namespaces and bound temporary file systems: older ones can't. */
  readonly isCurrent: boolean
}

const temporaryBytes = 256 * 1024 * 1024

/**
 * A command in a root made of these mounts, without capabilities, in namespaces of its own for everything. The
 * environment is not given on the command line, where every user of the machine could read it: it is inherited.
 */
export const bubblewrapCommand = (
  command: readonly string[],
  { program, isCurrent }: Pick<Bubblewrap, 'program' | 'isCurrent'>,
  mounts: readonly Mount[],
  options: { readonly cwd: string; readonly network: boolean },
): readonly string[] => {
  const temporary = (path: string) => [...(isCurrent ? ['--size', String(temporaryBytes)] : []), '--tmpfs', path]
  return [
    program,
    '--unshare-all',
    ...(options.network ? ['--share-net'] : []),
    '--unshare-user',
    ...(isCurrent ? ['--disable-userns'] : []),
    // Not root in there: it would be root outside for the modes of files. As a name it is that of nobody.
    ...['--uid', '65534', '--gid', '65534', '--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    // Root may write the files below /proc/sys whatever its capabilities, and one of them names a program that the
    // kernel starts outside: bubblewrap itself leaves them writable.
    ...['--proc', '/proc', '--remount-ro', '/proc'],
    ...['--dev', '/dev', ...temporary('/dev/shm'), '--remount-ro', '/dev'],
    ...temporary('/tmp'),
    ...mounts.flatMap(mountOptions),
    ...mounts.flatMap(({ kind, path }) => (kind === 'empty' ? ['--remount-ro', path] : [])),
    ...['--remount-ro', '/', '--chdir', options.cwd, '--'],
    ...command,
  ]
}

const mountOptions = (mount: Mount): string[] => {
  switch (mount.kind) {
    case 'read':
      return ['--ro-bind', mount.path, mount.path]
    case 'write':
      return ['--bind', mount.path, mount.path]
    case 'empty':
      return ['--tmpfs', mount.path]
    case 'link':
      return ['--symlink', mount.to, mount.path]
  }
}
