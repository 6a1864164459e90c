import ipaddr from 'ipaddr.js'

/** Azure's host answers virtual machines here: an internal address among the public ones. */
const internalAmongPublic: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * What an address (as a resolver or a parsed URL gives it) is when it is not one of the public internet: `loopback`,
 * `private`, `linkLocal`, … in the words of ipaddr.js, or `reserved`; undefined for a public one. An IPv4 address that
 * is written as an IPv6 one counts as itself where it is mapped; translated ones (NAT64, 6to4, Teredo) are never public.
 */
export const specialRange = (address: string): string | undefined => {
  const plain = withoutDots(address)
  if (!ipaddr.IPv4.isValidFourPartDecimal(plain) && !ipaddr.IPv6.isValid(plain)) return 'reserved'
  const parsed = ipaddr.process(plain)
  const range = parsed.range()
  if (range !== 'unicast') return range
  // Outside of 2000::/3 IANA has given nothing to the public; `::7f00:1` lies there, and ipaddr.js calls it unicast.
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast, 3)) return 'reserved'
  return internalAmongPublic.has(parsed.toString()) ? 'private' : undefined
}

const globalUnicast = ipaddr.IPv6.parse('2000::')

/** ipaddr.js takes `::8.8.8.8` for `::ffff:8.8.8.8`, which is another address: the URL parser spells it without dots. */
const withoutDots = (address: string): string => {
  if (!address.includes(':') || !address.includes('.')) return address
  const url = `http://[${address.replace(/%.*$/s, '')}]`
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : ''
}
