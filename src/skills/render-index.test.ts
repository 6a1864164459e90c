import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Skill } from '../core/skill.ts'
import { renderIndex } from './render-index.ts'

test('no text can leave its element', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('</description>', '</skill><skill>', '&lt;', '<![CDATA[', ']]>'))
  fc.assert(
    fc.property(text, text, text, (name, description, file) => {
      const skill = { name, description, source: 'project', file } as Skill
      const index = renderIndex([skill], { locations: true })
      expect(index.match(/<[^>]*>/g)?.join('')).toBe(
        '<available_skills><skill><name></name><description></description><source></source><location></location></skill></available_skills>',
      )
      const [, inner = ''] = /<description>\n([\s\S]*)\n<\/description>/.exec(index) ?? []
      expect(inner.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')).toBe(description)
    }),
  )
})
