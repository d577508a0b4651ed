/**
 * Finds raw card data in a request, so that it is refused before anything is kept, logged or sent. We take tokens; a
 * card number that gets in by mistake would put every place it reaches under PCI DSS.
 *
 * A card number is a run of digits with a network's prefix and length and a correct check digit (ISO/IEC 7812-1, Luhn).
 * Its groups may be separated by spaces, dashes, dots or underscores, or by any other characters if they have the lengths
 * printed on cards (4-4-4-4, 4-6-5). Digits may be of any script, styled, or percent-encoded. It stands alone: digits next to a
 * letter, runs of another length, and a whole UUID are a longer token (an order id, a ULID, a chain address), except after a
 * word such as `card`. Names such as `cvv` are rejected whatever their value.
 *
 * It reports where, never what.
 *
 * @example
 * ```ts
 * findRawCardData({ metadata: { note: "card 4111 1111 1111 1111" } }) // => "/metadata/note"
 * findRawCardData({ customer: { phone: "+919999999999" } }, ["/customer/phone"]) // => null
 * ```
 */

/**
 * The JSON pointer (RFC 6901) of the first field of `value` that holds raw card data, or `null`. A key that is a card
 * number itself is reported as its object. Values at `phones` pointers are phone numbers: only those are reported that are
 * longer than phone numbers are.
 */
export const findRawCardData = (value: unknown, phones: ReadonlyArray<string> = []): string | null => {
  const seen = new Set<object>()
  // A stack of our own: an embedded caller may hand over any depth, and circles.
  const open: Array<Field> = [{ pointer: "", value }]
  for (let field = open.pop(); field !== undefined; field = open.pop()) {
    const { pointer, value } = field
    if (phones.includes(pointer)) {
      if (typeof value === "string" && isCardAsPhone(value)) return pointer
      continue
    }
    if (typeof value !== "object" || value === null) {
      if (isCardNumber(value)) return pointer
      continue
    }
    if (seen.has(value)) continue
    seen.add(value)
    const isArray = Array.isArray(value)
    const inside: Array<Field> = []
    for (const [key, inner] of Object.entries(value)) {
      if (!isArray && holdsCardNumber(key)) return pointer
      const at = { pointer: `${pointer}/${escape(key)}`, value: inner }
      if (!isArray && isCardField(key, inner)) return at.pointer
      inside.push(at)
    }
    for (const field of inside.toReversed()) open.push(field)
  }
  return null
}

interface Field {
  readonly pointer: string
  readonly value: unknown
}

const escape = (key: string): string =>
  key.length > 64 || key.includes("~") || key.includes("/")
    ? key.replaceAll("~", "~0").replaceAll("/", "~1").slice(0, 64)
    : key

const isCardNumber = (value: unknown): boolean => {
  switch (typeof value) {
    case "string":
      return holdsCardNumber(value)
    case "number":
    case "bigint":
      return holdsCardNumber(String(value))
    default:
      return false
  }
}

/**
 * E.164 allows 15 digits, which is as many as American Express has. Phone numbers that begin as a card of 14 or 15 digits does
 * have 13 digits at most. A card number of 13 digits looks like one.
 */
const isCardAsPhone = (text: string): boolean => {
  const digits = text.replace(/[^0-9]/g, "")
  return digits.length > longestPhone && isOfNetwork(digits) && hasCheckDigit(digits)
}

/**
 * Names of card numbers, security codes and magnetic stripes, with or without `card_` before and `_code` after. In
 * India a `pan` is also a tax number; one that has that shape is let through.
 */
export const isCardField = (key: string, value: unknown): boolean => {
  const plain = notAscii.test(key) ? foldName(key) : key
  if (!cardFieldHint.test(plain)) return false
  const name = plain.toLowerCase().replace(/[^a-z0-9]/g, "")
  if (ambiguousCode.test(name)) return isSecurityCode(value)
  if (securityCode.test(plain.replace(/([a-z])([A-Z])/g, "$1_$2"))) return true
  if (name === "pan") return !(typeof value === "string" && /^[A-Z]{5}[0-9]{4}[A-Z]$/i.test(value))
  return cardField.test(name)
}

// Most keys pass one quick test.
const cardFieldHint =
  /c[^a-z]*(?:[vc]|s[^a-z]*c|i[^a-z]*d|a[^a-z]*r[^a-z]*d)|p[^a-z]*[ai][^a-z]*n|security|primary|track|stripe/i

/** A security code's name after any other words: `my_cvv`, `cardholderCvc2`. */
const securityCode = /(?:^|[^a-z0-9])(?:(?:c[vs]c|cv[vnd])2?|cv2)[^a-z0-9]?(?:code|number|value)?$/i

/** Names of security codes and of other things: customer ids, and the postal codes of India (six digits). */
const ambiguousCode = /^(?:card)?(?:cid|pin)(?:code)?$/

const isSecurityCode = (value: unknown): boolean => /^\s*\d{3,4}\s*$/.test(String(value))

const cardField = new RegExp(
  "^(?:" +
    [
      "(?:(?:credit|debit|payment)?card|cc)?(?:cvc|cvv|cvn|cvd)2?(?:code|number|value)?",
      "(?:credit|debit|payment)?card(?:number|no|num|pan)",
      "cc(?:number|no|num)",
      "(?:card)?securitycode",
      "cardverification(?:code|value|number)",
      "primaryaccountnumber",
      "track(?:1|2|one|two)(?:data)?",
      "magstripe(?:data)?"
    ].join("|") +
    ")$"
)

export const holdsCardNumber = (text: string): boolean => {
  if (text.length < SHORTEST || uuid.test(text)) return false
  const readable = text.includes("%") ? decoded(text) : text
  const folded = notAscii.test(readable) ? fold(readable) : readable
  if (!hasEnoughDigits(folded)) return false
  const plain = withoutOtherNumbers(folded)
  if (enoughDigits.test(plain) && runsOf(plain).some(hasCardNumber)) return true
  return hasPrintedNumber(plain)
}

/** Most texts end here: it is on the way of every request. */
const hasEnoughDigits = (text: string): boolean => {
  let digits = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57 && ++digits >= SHORTEST) return true
  }
  return false
}

/** Numbers with a form of their own: order numbers of 3-7-7 digits, and IBANs, whose check digits tell them apart. */
const withoutOtherNumbers = (text: string): string =>
  text
    .replace(/(?<!\d)\d{3}-\d{7}-\d{7}(?!\d)/g, "-")
    .replace(/(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Z0-9])/g, (iban) =>
      isIban(iban) ? "-" : iban
    )

/** ISO 13616: country and check digits moved to the end, letters as numbers, the remainder by 97 is 1. */
const isIban = (text: string): boolean => {
  const compact = text.replaceAll(" ", "")
  const moved = compact.slice(4) + compact.slice(0, 4)
  let remainder = 0
  for (const character of moved) {
    for (const digit of String(Number.parseInt(character, 36))) remainder = (remainder * 10 + Number(digit)) % 97
  }
  return remainder === 1
}

/** Groups as printed on cards, whatever stands between them; or digits after a word for a card. */
const hasPrintedNumber = (text: string): boolean => {
  for (const pattern of [printedGroups, namedNumber]) {
    for (const [, ...groups] of text.matchAll(pattern)) {
      const digits = groups.join("")
      if (isOfNetwork(digits) && hasCheckDigit(digits)) return true
    }
  }
  return false
}

const between = "[^0-9\\p{L}]{1,6}"
const printedGroups = new RegExp(
  `(?<![0-9\\p{L}])(?<![0-9][.])([0-9]{4})${between}(?:([0-9]{4})${between}([0-9]{4})${between}([0-9]{1,4}(?:${between}[0-9]{3})?)|([0-9]{6})${between}([0-9]{4,5}))(?![0-9\\p{L}])`,
  "gu"
)
const namedNumber =
  /(?:card|visa|master|amex|rupay|maestro|diners|jcb|discover|debit|credit|cc|pan)(?:no|num|number|nr)?([0-9]{13,19})(?![0-9])/giu

/** Percent-encoding of ASCII: what else is encoded cannot be a digit or a separator. */
const decoded = (text: string): string =>
  text.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const SHORTEST = 12
const LONGEST = 19
/** Of a phone number, with its country code. */
const longestPhone = 13
/** One in some hundred thousand ends in what looks like a card number. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const notAscii = /[^\0-\x7f]/
const separator = "[ \\t\\r\\n._-]{1,3}"
const enoughDigits = new RegExp(`[0-9](?:(?:${separator})?[0-9]){${SHORTEST - 1}}`)

/** Digits of any script or style, spaces, dashes and invisible characters as ASCII has them. */
const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/\p{Cf}|\p{M}/gu, "")
    .replace(/\p{Zs}/gu, " ")
    .replace(/\p{Pd}|\u2212/gu, "-")
    .replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit)))

/** Letters of Cyrillic and Greek that look like Latin ones, and styled letters, as ASCII has them. */
const foldName = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(/\p{Cf}|\p{M}/gu, "")
    .replace(/[^\0-\x7f]/g, (letter) => lookAlikes[letter.toLowerCase()] ?? letter)

const lookAlikes: { readonly [letter: string]: string } = {
  а: "a",
  с: "c",
  ԁ: "d",
  е: "e",
  і: "i",
  ո: "n",
  о: "o",
  р: "p",
  г: "r",
  ѕ: "s",
  ѵ: "v",
  ν: "v",
  υ: "v",
  ι: "i",
  α: "a",
  ρ: "p",
  ϲ: "c"
}

/** Unicode keeps the digits of a script together, in order from zero, and every such block is separate. */
const digitValue = (digit: string): number => {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--
  return (code - zero) % 10
}

/** Groups of digits with nothing but separators between them. */
interface Run {
  readonly groups: ReadonlyArray<string>
  /** A plus stands before the first group, as before a phone number. */
  readonly plus: boolean
}

const runsOf = (text: string): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  let groups: Array<string> = []
  let plus = false
  let end = -1
  for (const match of text.matchAll(/[0-9]+/g)) {
    const [digits] = match
    const start = match.index
    const before = text.slice(end, start)
    if (end < 0 || !isSeparator.test(before)) {
      groups = []
      plus = text[start - 1] === "+"
      runs.push({ groups, plus })
    }
    end = start + digits.length
    const isPartOfToken = isLetter.test(text.slice(start - 1, start)) || isLetter.test(text.slice(end, end + 1))
    const isFraction = digits.length >= SHORTEST && /[0-9]\.$/.test(text.slice(Math.max(0, start - 2), start))
    // A group that may not be read holds the others apart.
    groups.push(isPartOfToken || isFraction ? "" : digits)
  }
  return runs
}

const isSeparator = new RegExp(`^${separator}$`)
const isLetter = /^\p{L}$/u

/** Whether neighboring groups, taken whole, make a card number. */
const hasCardNumber = ({ groups, plus }: Run): boolean =>
  groups.some((_, first) => {
    let digits = ""
    for (const group of groups.slice(first, first + LONGEST)) {
      digits += group
      if (group === "" || digits.length > LONGEST) return false
      // E.164: a plus and so few digits are a phone number.
      const isPhone = plus && first === 0 && digits.length <= longestPhone
      if (!isPhone && isOfNetwork(digits) && hasCheckDigit(digits)) return true
    }
    return false
  })

/** Prefixes and lengths as the networks publish them. */
const networks = {
  visa: /4(?:\d{12}|\d{15}|\d{18})/,
  mastercard: /(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}/,
  americanExpress: /3[47]\d{13}/,
  discover: /(?:6011|64[4-9]\d|65\d{2})\d{12,15}/,
  // No shorter ones: twelve digits that begin with the last digit of a year are a UPI reference number.
  rupay: /(?:60\d{2}|65\d{2}|81\d{2}|82\d{2}|508\d)\d{12}/,
  jcb: /35(?:2[89]|[3-8]\d)\d{12,15}/,
  dinersClub: /3[0689]\d{12}/,
  unionPay: /62\d{14,17}/,
  maestro: /(?:5018|5020|5038|5893)\d{8,15}|(?:6304|6390|67\d{2})\d{12,15}/
} as const

const anyNetwork = new RegExp(
  `^(?:${Object.values(networks)
    .map(({ source }) => source)
    .join("|")})$`
)

const isOfNetwork = (digits: string): boolean => anyNetwork.test(digits)

/** Luhn: from the right, every second digit doubled, its digits summed. */
const hasCheckDigit = (digits: string): boolean => {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48
    const weighed = i % 2 === 1 ? digit * 2 : digit
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}
