// Rules for a skill's name and description: the standard's limits, and what decides whether the skill is chosen.

const VAGUE = new Map([
  ['helps?', 'name the action instead'],
  ['assists?', 'name the action instead'],
  ['various', 'list them'],
  ['several', 'list them'],
  ['stuff', 'name it'],
  ['things', 'name them'],
  ['etc', 'list the rest or leave it out'],
  ['and more', 'list the rest or leave it out'],
  ['and so on', 'list the rest or leave it out'],
  ['anything', 'say what'],
  ['everything', 'say what'],
  ['all kinds of', 'list them'],
  ['handles?', 'name the action: reads, converts, validates …'],
  ['manages?', 'name the action: creates, renames, archives …'],
  ['deals? with', 'name the action'],
  ['works? with', 'name the action'],
  ['supports?', 'name the action'],
  ['processes', 'name the action: parses, merges, resizes …'],
  ['utility', 'say what it does'],
  ['utilities', 'say what they do'],
  ['general[- ]purpose', 'say for what'],
])
const PRAISE = ['powerful', 'easily', 'easy', 'simple', 'simply', 'seamless(?:ly)?', 'robust', 'comprehensive', 'advanced', 'smart', 'efficient(?:ly)?', 'best', 'professional', 'state[- ]of[- ]the[- ]art', 'ultimate', 'useful', 'great']
const WHEN = /\b(?:used?|invoke|apply|choose|trigger(?:s|ed)?|activate[sd]?|run|read|load)\b[^.;]{0,40}?\b(?:when|whenever|if|before|after|for)\b|\bwhen(?:ever)?\b|\bif (?:the|a|an) /i
const EMPTY_WHEN = /\b(?:when|whenever|if|as)\s+(?:it is |it's |this is |you are |the user is )?(?:needed|required|appropriate|necessary|relevant|useful|applicable|asked|requested|possible)\b(?!\s+(?:to|for)\s+\w)/i
const LIMITS = /\b(?:not (?:for|to be used|intended|meant)|do(?:es)? not use|don't use|never use|except|instead use|use \S+ instead|rather than|only for)\b/i
const PERSON = /\b(?:I|I'll|I'm|my|we|our|you|your|you're)\b/
const STOPWORDS = new Set('a about after all also an and any are as asks at be been before but by can do does each for from give given has have how if in into is it its like make makes more no not of on one only or other out over own per she so such than that the their them then there these they this to under up use used user users using wants was what when where whether which who why will with without'.split(' '))

/** Findings for a name: [{severity, rule, message}]. folder is the name of the skill's folder, if there is one. */
export function checkName(name, folder) {
  if (name === undefined || name === '') return [{ severity: 'error', rule: 'no-name', message: 'there is no name' }]
  const findings = []
  const bad = (message) => findings.push({ severity: 'error', rule: 'bad-name', message })
  const normal = name.normalize('NFKC')
  if ([...normal].length > 64) bad(`the name has ${[...normal].length} characters, at most 64 are allowed`)
  if (!/^[\p{Ll}\p{Lo}\p{Lm}\p{Nd}]+(?:-[\p{Ll}\p{Lo}\p{Lm}\p{Nd}]+)*$/u.test(normal)) bad('a name has lowercase letters, digits and single hyphens between them')
  if (folder !== undefined && normal !== folder.normalize('NFKC')) findings.push({ severity: 'error', rule: 'name-mismatch', message: `the name is "${name}", the folder "${folder}"; they must be equal` })
  if (/^(?:helper|utils?|tools?|skill|misc|common|my-skill|test|data|files?|general)$/.test(normal)) findings.push({ severity: 'warning', rule: 'vague-name', message: `"${name}" says nothing about the job; name it after what it does, like csv-analyzer` })
  return findings
}

/** Findings for a description: [{severity, rule, message}], in a fixed order. */
export function checkDescription(description) {
  if (description === undefined || description.trim() === '') return [{ severity: 'error', rule: 'no-description', message: 'there is no description, so the skill can never be chosen' }]
  const findings = []
  const say = (severity, rule, message) => findings.push({ severity, rule, message })
  const length = [...description].length
  if (length > 1024) say('error', 'too-long', `${length} characters, at most 1024 are allowed`)
  else if (length > 600) say('info', 'long', `${length} characters; every one is paid for on each request, so keep those that decide`)
  if (length < 60) say('warning', 'too-short', `${length} ${length === 1 ? 'character' : 'characters'}; room for what it does, on what, and when to use it`)
  if (/[<>]/.test(description)) say('warning', 'angle-brackets', 'angle brackets can be read as markup by what builds the prompt; leave them out')
  if (/[\n\r]/.test(description.trim())) say('info', 'several-lines', 'a line break; the index shows descriptions on one line')
  const [before] = description.split(/\b(?:use|invoke|choose|apply)\b[^.]{0,30}?\b(?:when|whenever|if)\b|\bwhen\b/i)
  if (!WHEN.test(description)) say('warning', 'no-when', 'does not say when to use the skill; add "Use when the user …" with the words that users say')
  else if (EMPTY_WHEN.test(description)) say('warning', 'empty-when', 'the "when" says nothing ("when needed"); name the request, the file type or the situation')
  else if (words(before).length < 2) say('warning', 'no-what', 'starts with when to use it and does not say what it does; begin with a verb: "Extracts …"')
  if (!LIMITS.test(description)) say('info', 'no-limits', 'does not say what it is not for; name the nearest task that belongs elsewhere ("Not for …")')
  const person = PERSON.exec(description)
  if (person) say('warning', 'person', `"${person[0]}": write in the third person ("Extracts …"), since the text stands in a list, not in a conversation`)
  for (const [word, advice] of VAGUE) {
    const match = new RegExp(`\\b${word}\\b`, 'i').exec(description)
    if (match) say('warning', 'vague-word', `"${match[0]}": ${advice}`)
  }
  const praise = PRAISE.map((word) => new RegExp(`\\b${word}\\b`, 'i').exec(description)?.[0]).filter((word) => word !== undefined)
  if (praise.length > 0) say('warning', 'praise', `${praise.map((word) => `"${word}"`).join(', ')}: praise does not tell one request from another`)
  const keywords = words(description)
  if (length >= 60 && keywords.length < 6) say('warning', 'few-keywords', `only ${keywords.length} words that a request could share with it; name file types, tools and the users' own words`)
  return findings
}

/** How much two descriptions share: {share: 0–1 of the smaller one's words, shared: the words, sorted}. */
export function overlap(a, b) {
  const [mine, theirs] = [new Set(words(a)), new Set(words(b))]
  const shared = [...mine].filter((word) => theirs.has(word)).sort()
  return { share: shared.length / Math.max(1, Math.min(mine.size, theirs.size)), shared }
}

/** The distinct words that carry meaning, in lower case, without the plural's s; what it is not for is left out. */
function words(text) {
  const positive = text.replace(/\bNot (?:for|to)\b[^.]*\.?/g, ' ')
  const all = positive.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}.+#-]*/gu) ?? []
  const stems = all.map((word) => word.replace(/[.-]+$/, '').replace(/(?<=[^s\W]{3})s$/, '')).filter((word) => word.length > 1)
  return [...new Set(stems.filter((word) => !STOPWORDS.has(word)))]
}
