// The string formats that can be told from an example and checked without a library; the order is that of preference.
const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/
const TIME = /^([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/i

export const FORMATS = new Map([
  ['date-time', (text) => /^.{10}[Tt]/.test(text) && isDate(text.slice(0, 10)) && TIME.test(text.slice(11))],
  ['date', isDate],
  ['time', (text) => TIME.test(text)],
  ['uuid', (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)],
  ['email', (text) => text.length <= 254 && /^[^\s@"<>()]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(text)],
  ['ipv4', (text) => /^((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\.(?!$)|$)){4}$/.test(text)],
  ['uri', (text) => /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\s<>"{}|\\^`]+$/.test(text) && URL.canParse(text)],
])

function isDate(text) {
  const match = DATE.exec(text)
  if (!match) return false
  const [year, month, day] = match.slice(1).map(Number)
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year, month) {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
