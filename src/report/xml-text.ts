import { visible } from '../lib/visible.ts'

/**
 * Text for content or a quoted attribute of XML 1.0: markup is escaped (`]]>` with it), and characters that XML
 * forbids (https://www.w3.org/TR/xml/#charsets) are written out, halves of surrogate pairs among them.
 */
export const xmlText = (text: string): string =>
  PLAIN.test(text) ? text : visible(text).replace(MARKUP, (found) => escapes.get(found) ?? '\ufffd')

// Most texts are: there is nothing to escape.
const PLAIN = /^[\w .,:/()→✗…-]*$/

const MARKUP = /[&<>"'\ufffe\uffff]/g

const escapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
  ['\ufffe', '\\ufffe'],
  ['\uffff', '\\uffff'],
])
