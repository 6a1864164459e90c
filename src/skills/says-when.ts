/**
 * Whether a description seems to say when to use the skill, not only what it does. A guess by words of the languages
 * that skills are written in most; a text in a script that is not among them passes.
 */
export const saysWhen = (description: string): boolean =>
  wordings.some((wording) => wording.test(description)) || !known.test(description)

const wordings: readonly RegExp[] = [
  /\b(when|whenever|if|while|before|after|during|upon|triggers?|triggered|invoke[ds]?|asks?|asked|wants?|needs?|mentions?|requests?)\b/iu,
  /\b(us(e|ed|eful|ing)|meant|suited|suitable|good|ideal|helpful|designed|intended|required) (this |it |the |skill )*(for|to|in|with|on|as|by)\b/iu,
  /(^|[.;:!?\u2014-] *)use\b/iu,
  /\b(wenn|falls|sobald|bei|cuando|siempre que|quand|lorsque|lors|dès que|quando|sempre che|se o usu|wanneer|als de|gdy|kiedy|kdy|när|når|eğer|khi)\b/iu,
  /(?<!\p{L})(когда|если|при|для|коли|якщо)(?!\p{L})/iu,
  /当|當|时|時|用于|用於|适用|適用|如果|若|场景|場景|需要|使用|とき|際|場合|ときに|때|경우|사용|요청/u,
]

const known =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
