import type { Status } from '../core/results.ts'

/** Which cases a list shows, and in which order; empty texts and lists leave all. */
export type Query = {
  /** Every word of it must be in the case's names, tags, skills or reason. */
  readonly text: string
  readonly statuses: readonly Status[]
  readonly suite: string
  readonly model: string
  readonly tag: string
  readonly skill: string
  /** A column, with a `-` before it from high to low; empty: the order of the run. */
  readonly sort: string
}

export type CaseName = { readonly suite: string; readonly id: string; readonly model: string }

export type Route =
  | { readonly page: 'overview' }
  | { readonly page: 'comparison' }
  | { readonly page: 'feedback' }
  | { readonly page: 'cases'; readonly query: Query }
  | { readonly page: 'case'; readonly key: string; readonly trial: number | undefined }

export const noQuery: Query = { text: '', statuses: [], suite: '', model: '', tag: '', skill: '', sort: '' }

const statuses: readonly Status[] = ['passed', 'failed', 'error', 'stale', 'skipped']

/** Reads the part of the address behind `#`; what is none of ours is the overview. Never throws. */
export const parseRoute = (hash: string): Route => {
  const [path = '', search = ''] = hash.replace(/^#/, '').split(/\?(.*)/s)
  const [, page, ...parts] = path.split('/')
  if (page === 'cases') return { page, query: parseQuery(search) }
  if (page === 'comparison' || page === 'feedback') return { page }
  if (page !== 'case' || parts.length < 3) return { page: 'overview' }
  const trial = Number(parts[3])
  return { page, key: parts.slice(0, 3).join('/'), trial: Number.isInteger(trial) && trial > 0 ? trial : undefined }
}

/** The case in addresses: cases are looked up by it, so that nothing of an address need be decoded. */
export const caseKey = ({ suite, id, model }: CaseName): string => [suite, id, model].map(segment).join('/')

// Halves of surrogate pairs can't be in an address.
const segment = (text: string): string => encodeURIComponent(text.toWellFormed())

export const caseAddress = (key: string, trial?: number): string =>
  `#/case/${key}${trial === undefined ? '' : `/${trial}`}`

export const casesAddress = (query: Partial<Query>): string => {
  const { statuses: chosen = [], text = '', ...rest } = query
  const search = new URLSearchParams()
  if (text !== '') search.set('q', text)
  if (chosen.length > 0) search.set('status', chosen.join(','))
  for (const [name, value] of Object.entries(rest)) if (value !== '') search.set(name, value)
  const written = search.toString()
  return written === '' ? '#/cases' : `#/cases?${written}`
}

const parseQuery = (search: string): Query => {
  const given = new URLSearchParams(search)
  const of = (name: string) => given.get(name) ?? ''
  const chosen = of('status').split(',')
  return {
    text: of('q'),
    statuses: statuses.filter((status) => chosen.includes(status)),
    suite: of('suite'),
    model: of('model'),
    tag: of('tag'),
    skill: of('skill'),
    sort: of('sort'),
  }
}
