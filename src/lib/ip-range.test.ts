import { BlockList, isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { specialRange } from './ip-range.ts'

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.1', 'private'],
  ['100.64.0.1', 'carrierGradeNat'],
  ['100.100.100.200', 'carrierGradeNat'],
  ['169.254.169.254', 'linkLocal'],
  ['168.63.129.16', 'private'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['240.0.0.1', 'reserved'],
  ['192.0.0.192', 'reserved'],
  ['198.18.0.1', 'reserved'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['fe80::1', 'linkLocal'],
  ['fe80::1%eth0', 'linkLocal'],
  ['fc00::1', 'uniqueLocal'],
  ['fd00:ec2::254', 'uniqueLocal'],
  ['fec0::1', 'deprecatedSiteLocal'],
  ['ff02::1', 'multicast'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:a9fe:a9fe', 'linkLocal'],
  ['::127.0.0.1', 'reserved'],
  ['::8.8.8.8', 'reserved'],
  ['64:ff9b::127.0.0.1', 'rfc6052'],
  ['::7f00:1', 'reserved'],
  ['::ffff:0:7f00:1', 'rfc6145'],
  ['64:ff9b::7f00:1', 'rfc6052'],
  ['64:ff9b:1::7f00:1', 'rfc6052'],
  ['2002:7f00:1::', '6to4'],
  ['2001:0:7f00:1::', 'teredo'],
  ['4000::1', 'reserved'],
])('%s is not public: %s', (address, range) => {
  expect(specialRange(address)).toBe(range)
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2606:4700:4700::1111',
  '2a00:1450::1',
])('%s is public', (address) => {
  expect(specialRange(address)).toBeUndefined()
})

test.each([
  '',
  'localhost',
  '127.1',
  '2130706433',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '8.8.8.8.',
  '8.8.8',
  '1.2.3.256',
  ':::',
])('what is no plain address is never public: %j', (text) => {
  expect(specialRange(text)).toBe('reserved')
})

const closed: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001:db8::', 32],
  ['2001::', 32],
  ['2002::', 16],
  ['64:ff9b::', 96],
]

const kind = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

// Node's own reading of the ranges, not the library's.
test('never takes an address of a closed range for a public one', () => {
  // Two lists: in one, IPv4 addresses would be looked for in `::/3` too.
  const blocked = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const [network, prefix] of closed) blocked[kind(network)].addSubnet(network, prefix, kind(network))
  let publicOnes = 0
  fc.assert(
    fc.property(
      fc.oneof(
        fc.ipV4(),
        fc.ipV6(),
        fc.ipV4().map((address) => `::ffff:${address}`),
      ),
      (address) => {
        if (specialRange(address) !== undefined) return
        publicOnes += 1
        const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
        const plain = mapped ?? address
        expect(blocked[kind(plain)].check(plain, kind(plain))).toBe(false)
      },
    ),
    { numRuns: 5000 },
  )
  expect(publicOnes).toBeGreaterThan(100)
})
