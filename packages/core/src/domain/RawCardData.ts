/**
 * Finds raw card data in a request, so that the request is rejected before anything is stored, logged or sent. Paymux
 * accepts tokens; a card number that is accepted by mistake would bring every system that the number reaches into the
 * scope of PCI DSS.
 *
 * A card number is a run of digits with a network's prefix and length and a correct check digit (ISO/IEC 7812-1, Luhn).
 * Its groups may be separated by spaces, dashes, dots or underscores, or by any other characters if they have the
 * lengths printed on cards (4-4-4-4, 4-6-5). Digits may be of any script, styled, percent-encoded, or character
 * references of HTML. The card number stands alone: digits behind a letter or before more than three letters, runs of
 * another length, and a whole UUID are a longer token (an order id, a ULID, a chain address), except after a word such
 * as `card`. Fields such as `cvv` are rejected regardless of their value.
 *
 * Order numbers are as long as card numbers, and one in ten has a correct check digit. Digits without grouping are read
 * as an order number in `order` and under a metadata key that the configuration names. Unless they are a published test
 * number, they are also read as an order number under a key that names a reference (`invoice_number`, `booking_id`) and
 * after capitals such as `ORD-`.
 *
 * The result is the path of the field with card data, never the data.
 *
 * @example
 * ```ts
 * findRawCardData({ metadata: { note: "card 4111 1111 1111 1111" } }) // => "/metadata/note"
 * findRawCardData({ customer: { phone: "+919999999999" } }, ["/customer/phone"]) // => null
 * findRawCardData({ metadata: { order_id: "4111111111111111" } }) // => null
 * findRawCardData({ order: "4111111111111111" }) // => null
 * ```
 */
import { isCardInUse, isCardNumber, isTestNumber, LONGEST, SHORTEST } from "./CardNumber.ts"
import { plainDigits, plainName } from "./plainDigits.ts"

/**
 * The default metadata keys whose digits are read as an order number, unless they are grouped or named as a card
 * number.
 */
export const defaultOrderNumberKeys: ReadonlyArray<string> = ["order_id"]

/**
 * Returns the JSON pointer (RFC 6901) to the first field of `value` that contains raw card data, or `null`. If a key is
 * a card number, the pointer leads to the object with that key. Values at `phones` pointers are phone numbers, and are
 * reported only if they have more digits than a phone number. `orderNumberKeys` are keys of the member `metadata`.
 */
export const findRawCardData = (
  value: unknown,
  phones: ReadonlyArray<string> = [],
  orderNumberKeys: ReadonlyArray<string> = defaultOrderNumberKeys
): string | null => {
  const seen = new Set<object>()
  // Uses an explicit stack instead of recursion: an embedding program may pass an object of any depth, or one that
  // contains itself.
  const open: Array<Field> = [{ pointer: "", value, metadataKey: null }]
  for (let field = open.pop(); field !== undefined; field = open.pop()) {
    const { metadataKey, pointer, value } = field
    if (phones.includes(pointer)) {
      if (typeof value === "string" && isCardAsPhone(value)) return pointer
      continue
    }
    if (typeof value !== "object" || value === null) {
      if (
        isCardText(value, "text") &&
        isCardText(value, pointer === orderPointer ? "orderNumber" : kindOf(metadataKey, orderNumberKeys))
      )
        return pointer
      continue
    }
    if (seen.has(value)) continue
    seen.add(value)
    const isArray = Array.isArray(value)
    const inside: Array<Field> = []
    for (const [key, inner] of Object.entries(value)) {
      if (!isArray && holdsCardNumber(key)) return pointer
      const at = {
        pointer: `${pointer}/${escape(key)}`,
        value: inner,
        metadataKey: pointer === "/metadata" ? key : null
      }
      if (!isArray && isCardField(key, inner)) return at.pointer
      inside.push(at)
    }
    for (const field of inside.toReversed()) open.push(field)
  }
  return null
}

/** The JSON pointer to the order field. Its digits are read like those under a configured metadata key. */
const orderPointer = "/order"

interface Field {
  readonly pointer: string
  readonly value: unknown
  /** The key of the field in the request's metadata; `null` if it is not in the metadata. */
  readonly metadataKey: string | null
}

/**
 * The kind of a text, which determines the patterns that are searched for. The search of a `text` is the widest: it
 * also finds every match of a `reference` or an `orderNumber`.
 */
type TextKind = "text" | "reference" | "orderNumber"

const kindOf = (key: string | null, orderNumberKeys: ReadonlyArray<string>): TextKind => {
  if (key === null) return "text"
  if (orderNumberKeys.includes(key)) return "orderNumber"
  return isReferenceKey(key) ? "reference" : "text"
}

/**
 * Whether the key names a reference, which shops number automatically. Keys of text that people type, such as a note to
 * an order, end in another word.
 */
const isReferenceKey = (key: string): boolean => {
  const words = plainName(key)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
  return (referenceId.test(words) || documentName.test(words.replace(/[^a-z0-9]/g, ""))) && !ofCard.test(words)
}

const referenceId = /(?:^|[^a-z0-9])(?:id|ref|reference)$/
const documentName =
  /(?:order|invoice|receipt|booking|shipment|consignment|tracking|waybill|awb|transaction|txn)(?:id|ref|reference|no|nr|num|number)?$/
const ofCard = /card|(?:^|[^a-z])(?:pan|cc|debit|credit|account|acct|instrument|payment_?method|source|token)/

const escape = (key: string): string =>
  key.length > 64 || key.includes("~") || key.includes("/")
    ? key.replaceAll("~", "~0").replaceAll("/", "~1").slice(0, 64)
    : key

const isCardText = (value: unknown, kind: TextKind): boolean => {
  switch (typeof value) {
    case "string":
      return holdsCardNumber(value, kind)
    case "number":
      return isCardAsNumber(value)
    case "bigint":
      return holdsCardNumber(String(value), kind)
    default:
      return false
  }
}

/**
 * Whether a JSON number is a card number. A number with a fraction is not; in text, however, the digits after `0.` may
 * be a card number.
 */
export const isCardAsNumber = (value: number): boolean => Number.isInteger(value) && holdsCardNumber(String(value))

/**
 * Whether the value of a phone field is a card number of more than 13 digits. E.164 allows 15 digits, the length of
 * American Express numbers, but phone numbers that begin like a card number of 14 or 15 digits have 13 digits at most.
 * A card number of 13 digits cannot be distinguished from a phone number.
 */
const isCardAsPhone = (text: string): boolean => {
  const digits = text.replace(/[^0-9]/g, "")
  return digits.length > longestPhone && isCardNumber(digits)
}

/**
 * Whether a key is a name for a card number, a security code or a magnetic stripe, with or without `card_` before and
 * `_code` after. In India a `pan` is also a tax number; a value in the format of a tax number is allowed.
 */
export const isCardField = (key: string, value: unknown): boolean => {
  const plain = plainName(key)
  if (!cardFieldHint.test(plain)) return false
  const name = plain.toLowerCase().replace(/[^a-z0-9]/g, "")
  if (ambiguousCode.test(name)) return isSecurityCode(value)
  if (securityCode.test(plain.replace(/([a-z])([A-Z])/g, "$1_$2"))) return true
  if (name === "pan") return !(typeof value === "string" && /^[A-Z]{5}[0-9]{4}[A-Z]$/i.test(value))
  return cardField.test(name)
}

// A quick test that excludes most keys before the exact one.
const cardFieldHint =
  /c[^a-z]*(?:[vc]|s[^a-z]*c|i[^a-z]*d|a[^a-z]*r[^a-z]*d)|p[^a-z]*[ai][^a-z]*n|security|primary|track|stripe/i

/** Matches the name of a security code after any other words: `my_cvv`, `cardholderCvc2`. */
const securityCode = /(?:^|[^a-z0-9])(?:(?:c[vs]c|cv[vnd])2?|cv2)[^a-z0-9]?(?:code|number|value)?$/i

/**
 * Matches names of security codes that also name other values: customer ids, and the postal codes of India (six
 * digits).
 */
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

export const holdsCardNumber = (text: string, kind: TextKind = "text"): boolean => {
  if (text.length < SHORTEST || uuid.test(text)) return false
  const folded = plainDigits(text)
  if (!hasEnoughDigits(folded)) return false
  const plain = withoutOtherNumbers(folded)
  if (kind !== "orderNumber" && hasRun(plain, kind === "text" ? isCardInUse : isTestNumber)) return true
  return hasPrintedNumber(plain)
}

/**
 * Whether a text has enough digits for a card number. It excludes most texts quickly, because the search runs for every
 * request.
 */
const hasEnoughDigits = (text: string): boolean => {
  let digits = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57 && ++digits >= SHORTEST) return true
  }
  return false
}

/**
 * Removes numbers in other formats than those of card numbers: order numbers of 3-7-7 digits, numbers after capitals
 * such as `ORD-` (except published test card numbers), and IBANs with correct check digits.
 */
const withoutOtherNumbers = (text: string): string =>
  (afterCapitals.test(text)
    ? text.replace(documentNumber, (number, digits: string) => (isTestNumber(digits) ? number : "-"))
    : text
  )
    .replace(/(?<!\d)\d{3}-\d{7}-\d{7}(?!\d)/g, "-")
    .replace(/(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Z0-9])/g, (iban) =>
      isIban(iban) ? "-" : iban
    )

/**
 * Whether a text is an IBAN, by the check of ISO 13616: country and check digits are moved to the end, letters are read
 * as numbers, and the remainder by 97 must be 1.
 */
const isIban = (text: string): boolean => {
  const compact = text.replaceAll(" ", "")
  const moved = compact.slice(4) + compact.slice(0, 4)
  let remainder = 0
  for (const character of moved) {
    for (const digit of String(Number.parseInt(character, 36))) remainder = (remainder * 10 + Number(digit)) % 97
  }
  return remainder === 1
}

const cardWord = "card|visa|master|amex|rupay|maestro|diners|jcb|discover|debit|credit|cc|pan"

const afterCapitals = new RegExp(`[A-Z][-_/#][0-9]{${SHORTEST}}`)
/**
 * Matches a document number, such as `ORD-…`. It does not match if letters or digits precede or follow, since the
 * number is then part of a longer token.
 */
const documentNumber = new RegExp(
  `(?<![\\p{L}0-9])(?![A-Z]*(?:${cardWord.toUpperCase()}|MC|DC))[A-Z]{2,6}[-_/#]([0-9]{${SHORTEST},${LONGEST}})(?![\\p{L}0-9])`,
  "gu"
)

/**
 * Whether the text has a card number in groups as printed on cards, with any characters between, or after a word for a
 * card.
 */
const hasPrintedNumber = (text: string): boolean => {
  for (const pattern of isCardNamed.test(text) ? [printedGroups, namedNumber] : [printedGroups]) {
    for (const [, ...groups] of text.matchAll(pattern)) {
      if (isCardNumber(groups.join(""))) return true
    }
  }
  return false
}

const isCardNamed = new RegExp(cardWord, "i")

/** Matches the end of a card number, which may have up to three letters behind it. With more, it is a longer token. */
const lettersBehind = "\\p{L}{0,3}(?![0-9\\p{L}])"
const between = "[^0-9\\p{L}]{1,6}"
const printedGroups = new RegExp(
  `(?<![0-9\\p{L}])(?<![0-9][.])([0-9]{4})${between}(?:([0-9]{4})${between}([0-9]{4})${between}([0-9]{1,4}(?:${between}[0-9]{3})?)|([0-9]{6})${between}([0-9]{4,5}))${lettersBehind}`,
  "gu"
)
const numberWord = "(?:no|num|number|nr)?"
// Matches a card number after a word such as `card`. The pattern begins with the digits, because few texts have as many
// digits.
const namedNumber = new RegExp(
  `(?<![0-9])(?=[0-9]{13})(?<=(?:${cardWord})${numberWord}|(?<!\\p{L})(?:${cardWord})[ _-]?${numberWord}[ :=#._-]{1,3})([0-9]{13,${LONGEST}})(?![0-9])`,
  "giu"
)

/** Matches a UUID: one in some hundred thousand ends like a card number. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const separator = "[ \\t\\r\\n._-]{1,3}"
const enoughDigits = new RegExp(`[0-9](?:(?:${separator})?[0-9]){${SHORTEST - 1}}`)

const hasRun = (text: string, isCardAlone: (digits: string) => boolean): boolean =>
  enoughDigits.test(text) &&
  (runsOf(text).some((run) => hasCardNumber(run, isCardAlone)) ||
    (hasLetterBehind.test(text) && [...text.matchAll(beforeLetters)].some(([, digits = ""]) => isCardAlone(digits))))

const hasLetterBehind = new RegExp(`[0-9]{${SHORTEST}}\\p{L}`, "u")
/**
 * Matches digits that are followed by letters. Sixteen hexadecimal digits, such as the id of a tracing span, are
 * excluded, since they often end in letters.
 */
const beforeLetters = new RegExp(
  `(?<![0-9\\p{L}])(?![0-9a-fA-F]{16}(?![0-9\\p{L}]))([0-9]{${SHORTEST},${LONGEST}})(?=\\p{L})${lettersBehind}`,
  "gu"
)

/** A run of digits: groups with only separators between them. */
interface Run {
  readonly groups: ReadonlyArray<string>
  /** Whether a plus stands before the first group, as in a phone number. */
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
    const isFraction = digits.length >= SHORTEST && afterInteger.test(text.slice(Math.max(0, start - 3), start))
    // Replaces digits that are part of a token or a fraction by an empty group, so that the groups before and after
    // them are not joined.
    groups.push(isPartOfToken || isFraction ? "" : digits)
  }
  return runs
}

const isSeparator = new RegExp(`^${separator}$`)
const isLetter = /^\p{L}$/u
/**
 * Matches the integer part and the point of a decimal fraction. `0.` alone is not matched, because a card number could
 * be hidden after it.
 */
const afterInteger = /(?:[1-9]|[0-9]0)\.$/

/** Whether a single group of a run, or neighboring groups together, are a card number. */
const hasCardNumber = ({ groups, plus }: Run, isCardAlone: (digits: string) => boolean): boolean =>
  groups.some((_, first) => {
    let digits = ""
    for (const group of groups.slice(first, first + LONGEST)) {
      const isAlone = digits === ""
      digits += group
      if (group === "" || digits.length > LONGEST) return false
      // A plus and so few digits are a phone number in E.164 format, not a card number.
      const isPhone = plus && first === 0 && digits.length <= longestPhone
      if (!isPhone && (isAlone ? isCardAlone(digits) : isCardNumber(digits))) return true
    }
    return false
  })

/** The maximum number of digits in a phone number, with its country code. */
const longestPhone = 13
