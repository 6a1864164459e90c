export type XmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlElement[]
  /** The text directly in it. */
  text: string
}

/**
 * Reads XML 1.0 without DTD, comments, CDATA and processing instructions but the declaration, and is strict: throws
 * on a forbidden character, a bare `&` or `<`, `]]>` in text, an unknown entity, tags that don't match, an attribute twice.
 */
export const parseXml = (xml: string): XmlElement => {
  const forbidden = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(xml)
  if (forbidden) throw new Error(`forbidden character ${JSON.stringify(forbidden[0])} at ${forbidden.index}`)
  const declaration = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(xml)
  if (!declaration) throw new Error('no declaration')
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const above: XmlElement[] = []
  let inside = root
  const token = /<(\/?)([A-Za-z_][\w.-]*)((?:\s+[\w.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy
  token.lastIndex = declaration[0].length
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex
    const found = token.exec(xml)
    if (!found) throw new Error(`not well-formed at ${at}: ${xml.slice(at, at + 40)}`)
    const [, close, name = '', attributes = '', empty, text] = found
    if (text !== undefined) {
      if (text.includes(']]>')) throw new Error(`]]> in text at ${at}`)
      inside.text += decode(text)
    } else if (close) {
      const parent = above.pop()
      if (attributes !== '' || empty || inside.name !== name || !parent) throw new Error(`stray </${name}>`)
      inside = parent
    } else {
      const element: XmlElement = { name, attributes: attributesOf(attributes), children: [], text: '' }
      inside.children.push(element)
      if (empty) continue
      above.push(inside)
      inside = element
    }
  }
  if (inside !== root) throw new Error(`<${inside.name}> is not closed`)
  const [document, ...others] = root.children
  if (!document || others.length > 0 || root.text.trim() !== '') throw new Error('not exactly one root element')
  return document
}

const attributesOf = (text: string): Record<string, string> => {
  const attributes: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/([\w.-]+)="([^"]*)"/g)) {
    if (Object.hasOwn(attributes, name)) throw new Error(`attribute ${name} twice`)
    attributes[name] = decode(value)
  }
  return attributes
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decode = (text: string): string =>
  text.replace(/&(\w+;)?/g, (all, name: string | undefined) => {
    const character = entities[name?.slice(0, -1) ?? '']
    if (character === undefined) throw new Error(`bare or unknown entity ${all}`)
    return character
  })
