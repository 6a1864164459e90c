import type { ScannedText } from './scan-log.ts'

/** A part of a Markdown or HTML text that a rendered page does not show. */
export type UnseenPart = { readonly offset: number; readonly text: string; readonly what: string }

/** Comments, link definitions that are comments, and elements that are styled away. Each is cut at 4,000 characters. */
export function* unseenParts({ text }: ScannedText): Generator<UnseenPart> {
  for (let at = text.indexOf('<!--'); at !== -1; ) {
    const end = text.indexOf('-->', at + 4)
    const stop = end === -1 ? text.length : end
    yield { offset: at + 4, text: text.slice(at + 4, Math.min(stop, at + 4004)), what: 'a comment' }
    at = text.indexOf('<!--', stop)
  }
  for (const match of text.matchAll(/^\[(?:\/\/|comment|_|#)\]:[^\S\n]{1,5}\S[^\n]{0,1000}/gim))
    yield { offset: match.index, text: match[0].replace(/^[^:]*:\s*\S+\s*/, ''), what: 'a link that is a comment' }
  for (const match of text.matchAll(
    /style\s{0,3}=\s{0,3}["'][^"'>]{0,200}(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden|font-size\s{0,3}:\s{0,3}0|opacity\s{0,3}:\s{0,3}0(?![.\d]))[^>]{0,300}>([^<]{1,2000})/gi,
  ))
    yield { offset: match.index, text: match[1] ?? '', what: 'text that is styled away' }
}

/** Whether a comment speaks to somebody who acts, rather than noting something down. */
export const isAddressed = (comment: string): boolean =>
  comment.trim().length > 20 &&
  /\b(?:(?:ai|llm|language model|assistant|agent|claude|gpt|gemini|copilot|codex|model)s?\b[^.\n]{0,40}\b(?:must|should|shall|needs? to|have to|please|will|read|run|execute|ignore|note)|you (?:must|should|are|will|shall|need to|have to)\b|(?:always|never|first|secretly|silently|before (?:doing|answering)|when (?:you|the user))\b[^.\n]{0,60}\b(?:run|execute|send|read|include|install|call|use|append|fetch|download|write|delete)\b|(?:run|execute|send|upload|curl|wget|fetch|install)\b[^.\n]{0,80}(?:https?:\/\/|~\/|\$\(|\.env\b|\.sh\b))/i.test(
    comment,
  )
