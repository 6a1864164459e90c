const subject = String.raw`(?:\b(?:never|do\snot|don['’]t|must\s(?:not|never)|mustn['’]t|refuse\sto|avoid)\b|(?<!\p{L})(?:niemals|jamais|nunca)(?!\p{L}))`
const mark = String.raw`[\s*_"“'${'`'}(]{0,6}`
const verb =
  '(?:run(?:ning)?|us(?:e|ing)|execut(?:e|ing)|pip(?:e|ing)|typ(?:e|ing)|past(?:e|ing)|read(?:ing)?|print(?:ing)?|recommend(?:ing)?|suggest(?:ing)?|install(?:ing)?\\s(?:with|by|via|using))'
const named =
  '(?:a|an|any|the|this|(?:(?:remote|untrusted|downloaded|arbitrary|such)\\s)?(?:commands?|scripts?|code|things|anything|something)(?:\\slike|\\ssuch\\sas|,?\\se\\.g\\.,?))'

const ofCommand = new RegExp(`${subject}${mark}(?:${verb}${mark}(?:${named}${mark}|:${mark})?)?$`, 'iu')
// A statement that something can't be done tells nobody to do it; "cannot read or ignore" denies both.
const ofPhrase = new RegExp(
  `(?:${subject}|\\b(?:cannot|can['’]t)\\b)${mark}(?:\\p{L}{2,14}\\s(?:or|nor)\\s)?$|(?:不要|请勿|不得|切勿)$`,
  'iu',
)

// Words that turn a prohibition round, make it depend on something, or belong to somebody else's.
const turned = /\b(?:if|when|who|whoever|why|because|not|n['’]t|cannot|never|no|false|wrong|myth|but|unless|except)\b/iu
const depends = /\b(?:unless|except|but|without|before|until|yet|twice|only|instead|otherwise)\b/iu

/**
 * Whether what stands between `before` and `after` is forbidden in so many words: "never run …". Only a prohibition that
 * leaves no room for a second verb counts, for whoever means harm can write the words of a warning as well.
 */
export const isForbidden = (before: string, after: string, what: 'command' | 'phrase'): boolean => {
  const near = before.slice(-200)
  const found = (what === 'command' ? ofCommand : ofPhrase).exec(near)
  if (found === null || found[0].length > 48) return false
  const clause = near.slice(0, found.index).replace(/^[\s\S]*[.!?;:。！？]/u, '')
  return !turned.test(clause) && !depends.test(sentenceOf(after))
}

/** As far as the sentence goes; a dot inside an address does not end it. */
const sentenceOf = (text: string): string => text.slice(0, 300).replace(/[.!?;。！？](?:[\s`*"')]|$)[\s\S]*$/u, '')
