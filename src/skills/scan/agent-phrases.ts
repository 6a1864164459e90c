import type { ScanRuleId, ScanSeverity } from './scan-rules.ts'

export type AgentPhrase = {
  readonly rule: ScanRuleId
  readonly severity: ScanSeverity
  readonly what: string
  /** Matched in plain prose, in any case; every gap is bounded. */
  readonly pattern: RegExp
}

const row = (rule: ScanRuleId, severity: ScanSeverity, what: string, ...patterns: readonly string[]): AgentPhrase => ({
  rule,
  severity,
  what,
  pattern: new RegExp(patterns.join('|'), 'giu'),
})

/** A few words in between, in one sentence. */
const gap = (words: number) => String.raw`(?:[^\s.!?。]{1,20}\s){0,${words}}`
const b = String.raw`(?<![\p{L}\p{N}])`
const e = String.raw`(?![\p{L}\p{N}])`

// "Ignore all instructions in the page" asks for the contrary: what stands in data is none. Only of instructions without
// any owner or time: the agent's own are never meant, wherever the sentence says that they stand.
const inData = String.raw`\s(?:(?:that\s(?:are|appear)|embedded|found|contained|appearing|hidden)\s)?(?:in|inside|within)\s(?:the\s|any\s|these\s|fetched\s|retrieved\s|untrusted\s|external\s|tool\s|search\s){0,3}(?:slices?|files?|documents?|pages?|web\s?(?:pages?|content)|data|content|inputs?|outputs?|comments?|code|diffs?|logs?|results?|issues?|e?mails?|sources?|tickets?)(?![\p{L}\p{N}])(?![^.!?,;:]{0,80}(?<![\p{L}\p{N}])(?:above|before|previous|prior|earlier|user|system|operator|developer|you|your|so\sfar)(?![\p{L}\p{N}]))`
const ofSomebody =
  '(?:previous|prior|above|earlier|preceding|existing|original|initial|other|system|your|my|our|safety|security)'
const order =
  '(?:instructions?|prompts?|directions?|directives?|guidelines?|commands?|messages?|rules?|guardrails?|safeguards?|polic(?:y|ies)|restrictions?)'
const orders = String.raw`(?:${ofSomebody}\s${gap(2)}${order}${e}|all\s(?!(?:(?:of|the|embedded|hidden)\s){0,2}(?:instructions?|directives?|commands?|prompts?)${inData})${gap(2)}${order}${e})`

// Text that speaks to the agent above the head of its user, in the languages that skills are written in most.
export const agentPhrases: readonly AgentPhrase[] = [
  row(
    'instruction-override',
    'high',
    'the agent is told to ignore its instructions',
    `${b}(?:ignore|disregard|forget)\\s${gap(3)}${orders}`,
    `${b}(?:override|discard|bypass|neglect|skip)\\s(?:(?:all|any|every|each|of|the|these|those|your|my|our)\\s){0,3}${orders}`,
    `${b}(?:ignore|disregard|forget)\\s(?:everything|anything|all(?:\\sof)?\\s(?:this|that|it|the))\\s${gap(3)}(?:above|before|previously|prior|said|told|so\\sfar)${e}`,
    // German, French, Spanish, Portuguese, Italian, Dutch
    `${b}(?:ignorier\\p{L}{0,3}|vergiss|missachte\\p{L}{0,2})\\s${gap(3)}(?:bisherig|vorherig|vorig|früher|obig|vorangegangen|vorstehend|alle|deine|systemanweisung)\\p{L}{0,4}\\s?${gap(2)}(?:anweisung|instruktion|regel|vorgabe|befehl|anordnung|richtlinie)\\p{L}{0,3}`,
    `${b}(?:ignore[zr]?|oublie[zr]?|ne\\stiens?\\spas\\scompte)\\s${gap(4)}(?:instructions?|consignes?|directives?|règles)\\s${gap(1)}(?:précédent|antérieur|ci-dessus|initial|du\\ssystème)`,
    `${b}(?:ignora|ignore|olvida|olvide|omite|descarta)\\s${gap(4)}(?:instrucciones|indicaciones|órdenes|reglas|directrices)\\s?${gap(1)}(?:anteriores|previas|iniciales|del\\ssistema)`,
    `${b}(?:ignore|ignora|esqueça|esquece|desconsidere)\\s${gap(4)}(?:instruções|instrucoes|ordens|regras|diretrizes)\\s?${gap(1)}(?:anteriores|prévias|iniciais|do\\ssistema|acima)`,
    `${b}(?:ignora|ignorate|dimentica|trascura)\\s${gap(4)}(?:istruzioni|indicazioni|regole|direttive)\\s?${gap(1)}(?:precedenti|iniziali|di\\ssistema|sopra)`,
    `${b}(?:negeer|vergeet)\\s${gap(3)}(?:vorige|eerdere|voorgaande|bovenstaande|alle)\\s${gap(2)}(?:instructies|opdrachten|regels|aanwijzingen)`,
    // Polish, Russian, Ukrainian, Turkish
    `${b}(?:zignoruj|ignoruj|zapomnij|pomiń)\\s${gap(4)}(?:poprzedni|wcześniejsz|powyższ|dotychczasow)\\p{L}{1,4}\\s${gap(1)}(?:instrukcj|poleceni|zasad|wytyczn)`,
    `${b}(?:игнорируй|проигнорируй|забудь|не\\sобращай\\sвнимания\\sна)\\p{L}{0,3}\\s${gap(4)}(?:предыдущ|прежн|прошл|системн|вышеуказанн|все)\\p{L}{0,4}\\s?${gap(2)}(?:инструкц|указани|правил|команд)`,
    `${b}(?:ігноруй|проігноруй|забудь)\\p{L}{0,3}\\s${gap(4)}(?:попередн|системн|усі|всі)\\p{L}{0,4}\\s?${gap(2)}(?:інструкц|вказівк|правил)`,
    `(?:önceki|yukarıdaki|tüm)\\s${gap(2)}(?:talimat|komut|kural)\\p{L}{0,8}\\s${gap(1)}(?:yok\\ssay|görmezden|unut)`,
    // Chinese, Japanese, Korean
    '(?:忽略|无视|無視|忘记|忘記|不要理会|不要理會|绕过)[^。！？.!?]{0,12}(?:指令|指示|提示|规则|規則|命令|要求|说明)',
    '(?:以前|前|上記|これまで|すべて|全て)の[^。！？]{0,10}(?:指示|命令|指令|ルール|プロンプト)[^。！？]{0,6}(?:無視|忘れ)',
    '(?:이전|위|앞선|모든|기존)[^.!?]{0,10}(?:지시|명령|지침|규칙|프롬프트)[^.!?]{0,6}(?:무시|잊)',
    // Arabic, Hindi, Vietnamese
    '(?:تجاهل|تجاهلي|انس)\\s[^.!?]{0,20}(?:التعليمات|الأوامر|القواعد)',
    '(?:पिछल|पहले|सभी|उपरोक्त)[^.!?।]{0,20}(?:निर्देश|आदेश|नियम)[^.!?।]{0,16}(?:अनदेखा|नज़रअंदाज़|भूल)',
    `(?:bỏ\\squa|phớt\\slờ|quên)\\s${gap(4)}(?:hướng\\sdẫn|chỉ\\sdẫn|chỉ\\sthị|lệnh)\\s${gap(1)}(?:trước|ở\\strên)`,
  ),
  row(
    'role-takeover',
    'high',
    'text plays the part of the system',
    String.raw`<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id)\|>`,
    String.raw`\[/?INST\]|<<\/?SYS>>|</?system(?:[-_ ]?(?:prompt|message|override))?>`,
    String.raw`\[(?:system|admin|developer)\s?(?:override|message|prompt|note)\]`,
    `${b}(?:new|updated|real|actual)\\ssystem\\s(?:prompt|instructions?|message)\\s?:`,
    `${b}(?:begin|end)\\s(?:of\\s)?system\\s(?:prompt|message)${e}`,
  ),
  row(
    'role-takeover',
    'high',
    'the agent is told to be something without rules',
    `${b}(?:you\\sare\\snow|act\\sas|pretend\\s(?:to\\sbe|you\\sare)|enter|switch\\s(?:in)?to|enable)\\s${gap(3)}(?:dan|jailbr(?:oken|eak)|developer\\smode|god\\smode|unrestricted|unfiltered|uncensored|no\\srestrictions|without\\s(?:any\\s)?restrictions)${e}`,
  ),
  row(
    'conceals-from-user',
    'high',
    'the agent is told to keep something from its user',
    `${b}(?:do\\snot|don['’]t|never|must\\snot|should\\snot|without)\\s${gap(2)}(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|mention(?:ing)?|report(?:ing)?|show(?:ing)?)\\s${gap(4)}(?:to\\s)?(?:the\\s|your\\s|any\\s)?(?:users?|humans?|operators?|owners?|developers?)\\s?(?:about|of|that\\syou|anything|this|what\\syou|[.,;!:]|$)`,
    `${b}(?:hide|conceal|keep)\\s${gap(4)}(?:(?:secret|hidden)\\sfrom|from)\\s(?:the\\s|your\\s)?(?:user|human|operator|owner)s?${e}`,
    `${b}(?:silently|secretly|covertly|quietly)\\s${gap(2)}(?:send|upload|post|copy|exfiltrate|collect|read|transmit|forward|add|install|run|execute)${e}`,
    `${b}(?:sag|verrate|erzähl|zeig|teile)\\p{L}{0,2}\\s${gap(2)}(?:dem|der|den)\\s(?:benutzer|nutzer|anwender)\\p{L}{0,3}\\s${gap(2)}(?:nichts|nicht|kein)`,
    `${b}(?:ne\\s(?:dis|dites|révèle|révélez|mentionne|mentionnez|préviens)\\s${gap(3)}(?:pas|rien)\\s${gap(4)}(?:utilisateur))`,
    `${b}no\\s(?:le\\s)?(?:digas|informes|menciones|reveles|muestres)\\s${gap(4)}(?:usuario)`,
    `${b}não\\s(?:conte|diga|informe|mencione|revele)\\s${gap(4)}(?:usuário|utilizador)`,
    `${b}не\\s(?:говори|сообщай|показывай|рассказывай)\\p{L}{0,3}\\s${gap(4)}пользовател`,
    '(?:不要|别|請勿|请勿|切勿|不得)[^。！？.!?]{0,8}(?:告诉|告訴|告知|通知|透露|提及|提示)[^。！？.!?]{0,6}(?:用户|使用者|用戶)',
    'ユーザー(?:に|には)[^。！？]{0,20}(?:知らせ|伝え|言わ|見せ)(?:ないで|るな|ず|ない)',
    '사용자에게[^.!?]{0,20}(?:알리지|말하지|보여주지)',
  ),
  row(
    'skips-approval',
    'medium',
    'the agent is told not to ask',
    `${b}(?:do\\snot|don['’]t|never|without)\\s${gap(1)}(?:ask|asking|wait|waiting|request|requesting|prompt|prompting|seek|seeking)\\s${gap(3)}(?:permission|approval|confirmation|consent|authorization)${e}`,
    `${b}(?:always|automatically|blindly)\\s${gap(1)}(?:approve|accept|allow|confirm|grant)\\s${gap(2)}(?:tools?|commands?|permissions?|requests?|prompts?|actions?|everything)${e}`,
    `${b}(?:disable|turn\\soff|bypass|circumvent|evade|defeat)\\s${gap(2)}(?:the\\s)?(?:sandbox|sandboxing|permission\\s(?:checks?|prompts?|system)|approval\\s(?:prompts?|checks?)|safety\\s(?:checks?|filters?|measures?)|antivirus|firewall|security\\s(?:checks?|tools?|software))${e}`,
  ),
  row(
    'sends-data',
    'high',
    'the agent is told to send data away',
    `${b}(?:send|upload|post|transmit|forward|exfiltrate|submit|email|leak|append|include|encode|put)\\s${gap(5)}(?:credentials?|api[-_ ]?keys?|secrets?|passwords?|tokens?|private\\skeys?|ssh\\skeys?|\\.env|env(?:ironment)?\\s(?:variables?|files?)|conversation(?:\\shistory)?|chat\\shistory|system\\sprompt|wallet|seed\\sphrase|id_rsa)${e}(?:(?!\\b(?:never|not)\\b)[^.!?]){0,80}\\b(?:to|at|in)\\b(?:(?!\\b(?:never|not)\\b)[^!?]){0,40}(?:https?://|webhook|\\b(?:url|query|image|endpoint|server|attacker)\\b|@[\\w-]{2,40}\\.)`,
    `${b}(?:exfiltrate|steal|harvest)\\s${gap(4)}(?:credentials?|keys?|secrets?|passwords?|tokens?|data|files?|cookies)${e}`,
  ),
  row(
    'remote-instructions',
    'medium',
    'the agent is told to follow what it finds on the network',
    `${b}(?:fetch|download|retrieve|curl|open|visit|read|load|get)\\s[^.!?\\n]{0,60}https?://[^\\s]{3,200}\\s[^!?]{0,60}\\b(?:follow|execute|obey|run|apply|do)\\s${gap(3)}(?:instructions?|commands?|steps?|directives?|what\\sit\\ssays|prompts?)${e}`,
    `${b}(?:follow|execute|obey)\\s${gap(3)}(?:instructions?|commands?|directives?|steps?|prompts?)\\s${gap(4)}(?:at|from|on|in)\\s(?:<|\\()?https?://`,
  ),
]
