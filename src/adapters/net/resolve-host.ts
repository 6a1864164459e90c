import { lookup } from 'node:dns/promises'

export type Address = { readonly address: string; readonly family: 4 | 6 }

/** All addresses of a name; rejects with an error that has a `code` where there is none. */
export type Resolve = (name: string) => Promise<readonly Address[]>

/** As the system resolves names, its hosts file included. */
export const systemResolve: Resolve = async (name) => {
  const found = await lookup(name, { all: true })
  return found.map(({ address, family }) => ({ address, family: family === 4 ? 4 : 6 }))
}
