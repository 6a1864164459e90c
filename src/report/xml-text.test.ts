import { expect, test } from 'vitest'
import { xmlText } from './xml-text.ts'

test.each([
  ['plain text', 'plain text'],
  ['a <b> & "c" \'d\' ]]>', 'a &lt;b&gt; &amp; &quot;c&quot; &apos;d&apos; ]]&gt;'],
  ['\x00\x0b\x1b\x85', '\\x00\\x0b\\x1b\\x85'],
  ['\ufffe\uffff\ud800', '\\ufffe\\uffff\\ud800'],
  ['two\nlines\t', 'two\nlines\t'],
])('%j becomes %s', (text, xml) => {
  expect(xmlText(text)).toBe(xml)
})
