import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maybeSecret, secretShapes } from './secret-shapes.ts'

// A text for each way in which a shape can begin; what a shape has beside them would not be looked for.
const samples: readonly string[] = [
  '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
  'postgres://me:hunter2@db/x',
  'Authorization: Digest username="me", response="0a1b"',
  'authorization=Basic bWU6aHVudGVyMg==',
  'x-goog-api-key: abcdef123',
  'Set-Cookie: sid=abcdef',
  'sk-ant-api03-abcdefghijklmnop',
  'sk-proj-abcdefghijklmnop1',
  `sk-a1${'b'.repeat(40)}`,
  `ghp_${'a1'.repeat(12)}`,
  `github_pat_${'a1'.repeat(12)}`,
  `glpat-${'a1'.repeat(12)}`,
  'xoxb-123456789012-abcdef',
  'xapp-1-A0123456789-b',
  'AKIAIOSFODNN7EXAMPLE',
  `AIza${'a'.repeat(35)}`,
  `ya29.${'a'.repeat(24)}`,
  `GOCSPX-${'a'.repeat(24)}`,
  `npm_${'a1'.repeat(18)}`,
  `hf_${'a1'.repeat(18)}`,
  `pypi-${'a1'.repeat(24)}`,
  `sk_live_${'a1'.repeat(12)}`,
  `whsec_${'a1'.repeat(12)}`,
  `AccountKey=${'a1'.repeat(24)}==`,
  `SG.${'a1'.repeat(10)}.${'b2'.repeat(10)}`,
  `https://hooks.slack.com/services/${'T1/B2'.repeat(6)}`,
  `https://discord.com/api/webhooks/${'1'.repeat(24)}`,
  `123456789:AA${'a'.repeat(33)}`,
  'eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl',
  `SK${'0a'.repeat(16)}`,
  `dop_v1_${'0a'.repeat(20)}`,
  `shpat_${'0a'.repeat(16)}`,
  `dckr_pat_${'a1'.repeat(12)}`,
  `dapi${'0a'.repeat(16)}`,
  `dp.pt.${'a1'.repeat(12)}`,
  `hvs.${'a1'.repeat(12)}`,
  `gsk_${'a1'.repeat(18)}`,
  `xai-${'a1'.repeat(22)}`,
  `r8_${'a1'.repeat(18)}`,
  `pplx-${'a1'.repeat(18)}`,
  `lin_api_${'a1'.repeat(18)}`,
  `PMAK-${'0a'.repeat(12)}-${'0a'.repeat(12)}`,
  `NRAK-${'A1'.repeat(12)}`,
  `ATATT3${'a1'.repeat(22)}`,
  `tskey-auth-${'a1'.repeat(12)}`,
  `AGE-SECRET-KEY-1${'A1'.repeat(22)}`,
  'Bearer abcdefghijklmnop1',
  'https://a.example/?access_token=abcdefgh1',
  'my_api_key = "abcdefgh1"',
]

const matches = (text: string) => secretShapes.filter(({ pattern }) => text.search(pattern) >= 0)

describe('the quick look at a text', () => {
  test.each(samples)('stops at %s', (text) => {
    expect(matches(text)).not.toEqual([])
    expect(maybeSecret.test(text)).toBe(true)
  })

  test('knows every way in which a shape begins', () => {
    for (const { kind, cores } of secretShapes) {
      for (const core of cores) {
        const found = samples.filter((text) => new RegExp(core, 'i').test(text))
        expect(found, `${kind}: no sample has ${core}`).not.toEqual([])
      }
    }
  })

  test('never passes by what a shape would take out, however it is cut and joined', () => {
    const piece = fc.oneof(
      fc.constantFrom(...samples),
      fc.tuple(fc.constantFrom(...samples), fc.nat(60), fc.nat(60)).map(([text, from, to]) => text.slice(from, to)),
      fc.constantFrom('\n', ' ', '"', '\\n', '-', '=', ':', '_', 'x', 'task-', 'tokenizer', '://', '@'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('')
        if (matches(text).length > 0) expect(maybeSecret.test(text)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('goes by what ordinary work is made of', () => {
    const text =
      '<skill name="csv-analyzer" source="suite" folder="/srv/skills/csv-analyzer">\n# Read the CSV\n{"rows": 12, "path": "data/2026.csv"} https://a.example/docs?page=2#top'
    expect(maybeSecret.test(text)).toBe(false)
  })
})
