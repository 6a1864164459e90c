import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FileError } from './errors.ts'
import type { Files, HttpClient, HttpRequest, Store, Workspace } from './ports.ts'
import type { TrialRow } from './results.ts'

/** What every adapter of a port does, whatever it is made of. Each function declares the tests for one adapter. */

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The code of the FileError that an action throws; anything else fails the test. */
export const codeOf = (action: () => unknown): string => {
  try {
    action()
  } catch (error) {
    if (error instanceof FileError) return error.code
    throw error
  }
  return 'nothing was thrown'
}

export const hostilePaths: readonly (readonly [what: string, path: string])[] = [
  ['nothing', ''],
  ['..', '..'],
  ['.. in front', '../secret.txt'],
  ['.. in the middle', 'a/../../secret.txt'],
  ['.. at the end', 'a/..'],
  ['an absolute path', '/etc/passwd'],
  ['a home', '~/secret.txt'],
  ['a backslash', '..\\secret.txt'],
  ['a drive', 'C:/secret.txt'],
  ['a drive without a slash', 'c:secret.txt'],
  ['a share', '//server/share/secret.txt'],
  ['a device path', '\\\\?\\C:\\secret.txt'],
  ['another home', '~'],
  ['.. and a space', '.. /secret.txt'],
  ['a control character of the second set', 'a\x9b2J.txt'],
  ['half a character', 'a\ud83d.txt'],
  ['a NUL', 'a.txt\0.png'],
  ['a line end', 'a\n.txt'],
  ['an escape', 'a\x1b[2K.txt'],
  ['a path without end', 'a/'.repeat(600)],
]

/** `make` gives a fresh workspace with these files laid into it. */
export const workspaceContract = (make: (laid: Readonly<Record<string, string>>) => Workspace): void => {
  const laid = { 'a.txt': 'alpha', 'a/b.txt': 'beta', 'a/c/d.txt': 'delta', 'z.txt': '' }
  const readText = (workspace: Workspace, path: string) =>
    new TextDecoder().decode(workspace.read(path, 1_000_000).content)

  describe('a workspace', () => {
    test.each(hostilePaths)('refuses %s in every way to use it', (_, path) => {
      const workspace = make(laid)
      const uses = [
        () => workspace.read(path, 10),
        () => workspace.write(path, 'x'),
        () => workspace.remove(path),
        () => workspace.stat(path),
        () => workspace.list(path),
        () => workspace.files(path, 10),
      ]
      expect(uses.map(codeOf)).toEqual(uses.map(() => 'outside_workspace'))
    })

    test.each(hostilePaths)('refuses %s also while nothing was laid into it', (_, path) => {
      const workspace = make({})
      const uses = [
        () => workspace.read(path, 10),
        () => workspace.write(path, 'x'),
        () => workspace.remove(path),
        () => workspace.stat(path),
        () => workspace.list(path),
        () => workspace.files(path, 10),
      ]
      expect(uses.map(codeOf)).toEqual(uses.map(() => 'outside_workspace'))
    })

    test('is an empty folder where nothing was laid into it', () => {
      const workspace = make({})
      expect(workspace.stat('.')).toEqual({ path: '', kind: 'dir', size: 0 })
      expect([workspace.list('.'), workspace.files('.', 10), [...workspace.initial()]]).toEqual([[], [], []])
      expect(workspace.stat('a.txt')).toBeUndefined()
    })

    test('reads at most what is asked for and tells the whole size', () => {
      const workspace = make(laid)
      expect(readText(workspace, 'a.txt')).toBe('alpha')
      const { content, bytes: size } = workspace.read('a.txt', 2)
      expect([new TextDecoder().decode(content), size]).toEqual(['al', 5])
    })

    test('reads back any bytes that were written', () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 300 }), (content) => {
          const workspace = make({})
          workspace.write('some/folder/file.bin', content)
          const { content: read, bytes: size } = workspace.read('some/folder/file.bin', 1000)
          expect([Buffer.from(read).toString('hex'), size]).toEqual([
            Buffer.from(content).toString('hex'),
            content.length,
          ])
        }),
        { numRuns: 30 },
      )
    })

    test('holds what was written, whatever becomes of the bytes that were given', () => {
      const workspace = make({})
      const given = bytes('one')
      workspace.write('a.bin', given)
      given.fill(0)
      expect(readText(workspace, 'a.bin')).toBe('one')
    })

    test('takes a path in any of its spellings for the same file', () => {
      const workspace = make(laid)
      workspace.write('./a//new.txt', 'new')
      expect(readText(workspace, 'a/new.txt')).toBe('new')
      expect(workspace.stat('a/./new.txt/')).toEqual({ path: 'a/new.txt', kind: 'file', size: 3 })
    })

    test('replaces a file that is there', () => {
      const workspace = make(laid)
      workspace.write('a/b.txt', 'longer than before')
      expect([readText(workspace, 'a/b.txt'), workspace.files('.', 99).length]).toEqual(['longer than before', 4])
    })

    test('removes a file', () => {
      const workspace = make(laid)
      workspace.remove('a/b.txt')
      expect(workspace.stat('a/b.txt')).toBeUndefined()
      expect(workspace.files('a', 99).map((file) => file.path)).toEqual(['a/c/d.txt'])
    })

    test('keeps a folder whose last file was removed', () => {
      const workspace = make({})
      workspace.write('out/x.txt', 'x')
      workspace.remove('out/x.txt')
      expect([workspace.stat('out')?.kind, workspace.list('out')]).toEqual(['dir', []])
    })

    test('says that nothing is there', () => {
      const workspace = make(laid)
      expect(workspace.stat('nope/x')).toBeUndefined()
      expect(workspace.files('nope', 10)).toEqual([])
      expect([
        codeOf(() => workspace.read('nope', 10)),
        codeOf(() => workspace.remove('nope')),
        codeOf(() => workspace.list('nope')),
        codeOf(() => workspace.read('a.txt/below', 10)),
        codeOf(() => workspace.list('a.txt/below')),
      ]).toEqual(['file_missing', 'file_missing', 'file_missing', 'file_missing', 'file_missing'])
      expect(workspace.stat('a.txt/below')).toBeUndefined()
    })

    test('says that a folder is no file', () => {
      const workspace = make(laid)
      expect([
        codeOf(() => workspace.read('a', 10)),
        codeOf(() => workspace.write('a', 'x')),
        codeOf(() => workspace.write('.', 'x')),
        codeOf(() => workspace.remove('a')),
        codeOf(() => workspace.remove('.')),
      ]).toEqual(['not_a_file', 'not_a_file', 'not_a_file', 'not_a_file', 'not_a_file'])
    })

    test('says that a file is no folder', () => {
      const workspace = make(laid)
      expect([
        codeOf(() => workspace.list('a.txt')),
        codeOf(() => workspace.write('a.txt/below', 'x')),
        codeOf(() => workspace.write('a.txt/further/below', 'x')),
      ]).toEqual(['not_a_folder', 'not_a_folder', 'not_a_folder'])
      expect(readText(workspace, 'a.txt')).toBe('alpha')
    })

    test('lists a folder, sorted by name', () => {
      const workspace = make(laid)
      expect(workspace.list('.')).toEqual([
        { path: 'a', kind: 'dir', size: 0 },
        { path: 'a.txt', kind: 'file', size: 5 },
        { path: 'z.txt', kind: 'file', size: 0 },
      ])
      expect(workspace.list('a')).toEqual([
        { path: 'a/b.txt', kind: 'file', size: 4 },
        { path: 'a/c', kind: 'dir', size: 0 },
      ])
    })

    test('finds all files below a folder, sorted by path', () => {
      const workspace = make(laid)
      expect(workspace.files('.', 99)).toEqual([
        { path: 'a.txt', kind: 'file', size: 5 },
        { path: 'a/b.txt', kind: 'file', size: 4 },
        { path: 'a/c/d.txt', kind: 'file', size: 5 },
        { path: 'z.txt', kind: 'file', size: 0 },
      ])
      expect(workspace.files('a/c', 99).map((file) => file.path)).toEqual(['a/c/d.txt'])
      expect(workspace.files('a.txt', 99).map((file) => file.path)).toEqual(['a.txt'])
    })

    test('finds the first files in the order of their paths where there are more than asked for', () => {
      const workspace = make(laid)
      expect(workspace.files('.', 2).map((file) => file.path)).toEqual(['a.txt', 'a/b.txt'])
      expect(workspace.files('.', 0)).toEqual([])
    })

    test('remembers what was laid into it, whatever happens to it', () => {
      const workspace = make({ 'a.txt': 'alpha', 'b/c.txt': '' })
      workspace.write('a.txt', 'changed')
      workspace.write('new.txt', 'new')
      workspace.remove('b/c.txt')
      expect([...workspace.initial()]).toEqual([
        ['a.txt', '8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8'],
        ['b/c.txt', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
      ])
    })
  })
}

export type FileEntries = Readonly<Record<string, string | Uint8Array | { readonly link: string }>>

/** `make` puts the entries (by relative path; a link's target is relative to the link) below the folder `at`. */
export const filesContract = (make: (entries: FileEntries) => { readonly files: Files; readonly at: string }): void => {
  describe('files', () => {
    test('are read as text, as bytes, and in part', () => {
      const { files, at } = make({ 'dir/a.txt': 'größe' })
      expect(files.readText(`${at}/dir/a.txt`, 100)).toBe('größe')
      expect(Buffer.from(files.readBytes(`${at}/dir/a.txt`, 100)).toString('utf8')).toBe('größe')
      expect(files.readHead(`${at}/dir/a.txt`, 2)).toEqual({ text: 'gr', size: 7 })
      expect([...files.readStart(`${at}/dir/a.txt`, 2)]).toEqual([0x67, 0x72])
      expect(files.readHead(`${at}/dir/a.txt`, 100)).toEqual({ text: 'größe', size: 7 })
    })

    test('keep their byte order mark, but for lines', () => {
      const { files, at } = make({ 'a.csv': '\ufeffa,b\n1,2\n' })
      expect(files.readText(`${at}/a.csv`, 100)).toBe('\ufeffa,b\n1,2\n')
      expect(files.readHead(`${at}/a.csv`, 4).text).toBe('\ufeffa')
      expect([...files.lines(`${at}/a.csv`)]).toEqual(['a,b', '1,2'])
    })

    test('may be as large as is asked for and no larger', () => {
      const { files, at } = make({ 'a.txt': '12345' })
      expect(files.readText(`${at}/a.txt`, 5)).toBe('12345')
      expect(codeOf(() => files.readText(`${at}/a.txt`, 4))).toBe('file_too_large')
      expect(codeOf(() => files.readBytes(`${at}/a.txt`, 4))).toBe('file_too_large')
    })

    const readers = (files: Files, path: string) => [
      () => files.readText(path, 100),
      () => files.readBytes(path, 100),
      () => files.readHead(path, 100),
      () => [...files.lines(path)],
    ]

    test.each([
      ['that are missing', 'nope.txt', 'file_missing'],
      ['below a file', 'a.txt/below', 'file_missing'],
      ['at a link that leads nowhere', 'dangling', 'file_missing'],
      ['that are folders', 'dir', 'not_a_file'],
    ])('%s are said to be so', (_, path, code) => {
      const { files, at } = make({ 'a.txt': 'a', 'dir/b.txt': 'b', dangling: { link: 'nowhere' } })
      expect(readers(files, `${at}/${path}`).map(codeOf)).toEqual([code, code, code, code])
    })

    test('that are not UTF-8 are no text', () => {
      const { files, at } = make({ 'a.txt': Uint8Array.of(0x61, 0xff, 0x62) })
      expect(codeOf(() => files.readText(`${at}/a.txt`, 100))).toBe('not_utf8')
      expect(codeOf(() => [...files.lines(`${at}/a.txt`)])).toBe('not_utf8')
      expect(files.readHead(`${at}/a.txt`, 100).text).toBe('a\ufffdb')
    })

    test.each([
      ['', []],
      ['one', ['one']],
      ['one\n', ['one']],
      ['one\r\ntwo\n\nfour', ['one', 'two', '', 'four']],
      ['\n', ['']],
      ['a\rb\n', ['a\rb']],
    ])('give the lines of %j', (text, lines) => {
      const { files, at } = make({ 'a.txt': text })
      expect([...files.lines(`${at}/a.txt`)]).toEqual(lines)
    })

    test('are looked at through links', () => {
      const { files, at } = make({
        'dir/a.txt': 'alpha',
        link: { link: 'dir/a.txt' },
        folder: { link: 'dir' },
        dangling: { link: 'nowhere' },
        loop: { link: 'loop' },
      })
      const stats = ['dir/a.txt', 'dir', 'link', 'folder/a.txt', 'dangling', 'loop', 'nope', 'link/below'].map((path) =>
        files.stat(`${at}/${path}`),
      )
      expect(stats.map((stat) => stat?.kind)).toEqual([
        'file',
        'dir',
        'file',
        'file',
        undefined,
        undefined,
        undefined,
        undefined,
      ])
      expect(stats[0]).toEqual({ kind: 'file', size: 5 })
      expect(files.readText(`${at}/folder/a.txt`, 100)).toBe('alpha')
      expect(
        ['link', 'folder/a.txt', 'dangling', 'loop', 'nope'].map((path) => files.realPath(`${at}/${path}`)),
      ).toEqual([`${at}/dir/a.txt`, `${at}/dir/a.txt`, undefined, undefined, undefined])
    })

    test('are listed by name, with what links are', () => {
      const { files, at } = make({
        'b.txt': '',
        'a/x.txt': '',
        toFile: { link: 'b.txt' },
        toFolder: { link: 'a' },
        dangling: { link: 'nowhere' },
        loop: { link: 'loop' },
      })
      expect(files.list(at)).toEqual([
        { name: 'a', kind: 'dir', isLink: false },
        { name: 'b.txt', kind: 'file', isLink: false },
        { name: 'dangling', kind: 'other', isLink: true },
        { name: 'loop', kind: 'other', isLink: true },
        { name: 'toFile', kind: 'file', isLink: true },
        { name: 'toFolder', kind: 'dir', isLink: true },
      ])
      expect([files.list(`${at}/b.txt`), files.list(`${at}/nope`)]).toEqual([[], []])
    })
  })
}

export const aRow = (change: Partial<TrialRow> = {}): TrialRow => ({
  suite: 'suite',
  case: 'case',
  model: 'mock',
  n: 1,
  status: 'passed',
  score: 1,
  output: 'done',
  skills_selected: [],
  plan: null,
  actions: [],
  checks: [],
  usage: { input_tokens: 1, output_tokens: 2, cached_input_tokens: 0, reasoning_tokens: 0 },
  cost_usd: 0,
  duration_ms: 1,
  latency_ms: 0,
  ...change,
})

export const storeContract = (make: () => Store): void => {
  describe('a store', () => {
    test('gives back what was put at a place, in any order', () => {
      const store = make()
      for (const at of [3, 0, 7]) store.append(at, aRow({ case: `case ${at}` }))
      expect([0, 1, 3, 7].map((at) => store.read(at)?.case)).toEqual(['case 0', undefined, 'case 3', 'case 7'])
      store.close()
    })

    test('takes places far apart', () => {
      const store = make()
      store.append(100_000, aRow({ n: 2 }))
      store.append(5, aRow({ n: 3 }))
      expect([store.read(100_000)?.n, store.read(5)?.n, store.read(99_999), store.read(200_000)]).toEqual([
        2,
        3,
        undefined,
        undefined,
      ])
      store.close()
    })

    test('gives back any text as it was', () => {
      const store = make()
      let at = 0
      fc.assert(
        fc.property(
          fc.string({ unit: fc.constantFrom('a', '\n', '\u2028', '\ud83d', '😀', '"', '\\', '\0') }),
          fc.jsonValue(),
          (output, value) => {
            const row = aRow({
              output,
              checks: [{ name: 'x', kind: 'x', passed: true, score: 1, weight: 1, actual: value }],
            })
            store.append(at, row)
            expect(JSON.stringify(store.read(at))).toBe(JSON.stringify(row))
            at += 1
          },
        ),
        { numRuns: 25 },
      )
      store.close()
    })

    test('is not changed by what becomes of a row later', () => {
      const store = make()
      const selected = ['a']
      store.append(0, aRow({ skills_selected: selected }))
      selected.push('b')
      expect(store.read(0)?.skills_selected).toEqual(['a'])
      store.close()
    })
  })
}

export type HttpAnswers = Readonly<
  Record<
    string,
    {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string | Uint8Array
      readonly hangs?: boolean
    }
  >
>

/** `make` gives a client and a site whose address is private; it answers these paths. */
export const httpContract = (
  make: (answers: HttpAnswers) => Promise<
    AsyncDisposable & {
      readonly http: HttpClient
      readonly origin: string
      /** What has reached the site. */
      seen(): readonly { readonly method: string; readonly path: string; readonly body: string }[]
    }
  >,
): void => {
  const request = (url: string, change: Partial<HttpRequest> = {}): HttpRequest => ({
    url: new URL(url),
    method: 'GET',
    headers: {},
    mayBePrivate: true,
    keepBytes: 100,
    signal: new AbortController().signal,
    ...change,
  })
  const told = (answer: Awaited<ReturnType<HttpClient['send']>>) =>
    'problem' in answer
      ? answer
      : { status: answer.status, body: Buffer.from(answer.body).toString(), isCut: answer.isCut }

  describe('an HTTP client', () => {
    test('brings back status, headers in lower case, and body', async () => {
      await using site = await make({ '/a': { status: 404, headers: { 'X-Some': 'Thing' }, body: 'größe' } })
      const answer = await site.http.send(request(`${site.origin}/a`))
      expect(told(answer)).toEqual({ status: 404, body: 'größe', isCut: false })
      expect('headers' in answer && answer.headers.get('x-some')).toBe('Thing')
    })

    test('sends method and body', async () => {
      await using site = await make({ '/a': {} })
      await site.http.send(request(`${site.origin}/a`, { method: 'PUT', body: 'größe' }))
      expect(site.seen()).toEqual([{ method: 'PUT', path: '/a', body: 'größe' }])
    })

    test.each([
      [99, 'a'.repeat(99), true],
      [100, 'a'.repeat(100), false],
      [0, '', true],
    ])('keeps %i bytes of a body of 100', async (keepBytes, body, isCut) => {
      await using site = await make({ '/a': { body: 'a'.repeat(100) } })
      expect(told(await site.http.send(request(`${site.origin}/a`, { keepBytes })))).toEqual({
        status: 200,
        body,
        isCut,
      })
    })

    test('gets no body where it asks for none', async () => {
      await using site = await make({ '/a': { body: 'a' } })
      expect(told(await site.http.send(request(`${site.origin}/a`, { method: 'HEAD' })))).toEqual({
        status: 200,
        body: '',
        isCut: false,
      })
    })

    test('follows no redirect', async () => {
      await using site = await make({ '/a': { status: 302, headers: { location: '/b' } }, '/b': { body: 'b' } })
      const answer = await site.http.send(request(`${site.origin}/a`))
      expect('headers' in answer && [answer.status, answer.headers.get('location')]).toEqual([302, '/b'])
      expect(site.seen().map(({ path }) => path)).toEqual(['/a'])
    })

    test('asks no private address unless it may', async () => {
      await using site = await make({ '/a': { body: 'a' } })
      expect(await site.http.send(request(`${site.origin}/a`, { mayBePrivate: false }))).toEqual({
        problem: expect.stringContaining(new URL(site.origin).hostname),
      })
      expect(site.seen()).toEqual([])
    })

    test('says in words that nobody is there', async () => {
      let origin = ''
      {
        await using site = await make({})
        origin = site.origin
      }
      await using other = await make({})
      const problem = `${new URL(origin).host} refused the connection`
      expect(await other.http.send(request(`${origin}/nothing`))).toEqual({ problem })
    })

    test('ends with the reason of an abort, before and during a request', async () => {
      await using site = await make({ '/a': { hangs: true } })
      const controller = new AbortController()
      const waiting = site.http.send(request(`${site.origin}/a`, { signal: controller.signal }))
      const ended = expect(waiting).rejects.toThrow('enough')
      while (site.seen().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      controller.abort(new Error('enough'))
      await ended
      await expect(site.http.send(request(`${site.origin}/a`, { signal: controller.signal }))).rejects.toThrow('enough')
      expect(site.seen().length).toBe(1)
    })
  })
}
