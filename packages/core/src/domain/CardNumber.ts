/**
 * Recognizes card numbers by the prefix and length that a card network uses, and by the check digit (ISO/IEC 7812-1,
 * Luhn). An order number may be as long as a card number, and one in ten numbers has a correct check digit.
 */

/** The minimum and maximum number of digits in a card number. */
export const SHORTEST = 12
export const LONGEST = 19

/** Whether digits that are grouped, or that follow a word such as `card`, have the form of a card number. */
export const isCardNumber = (digits: string): boolean => anyNetwork.test(digits) && hasCheckDigit(digits)

/**
 * Whether digits that are not grouped, and do not follow a word such as `card`, are a card number: a published test
 * number, or one with an assigned issuer number.
 */
export const isCardInUse = (digits: string): boolean =>
  testNumbers.has(digits) || (isIssued(digits) && hasCheckDigit(digits))

/**
 * Whether the digits are a card number that networks and providers publish for tests. A test number can be nothing
 * else, so an integration that would send card numbers is rejected before it goes live.
 */
export const isTestNumber = (digits: string): boolean => testNumbers.has(digits)

/** Prefixes and lengths of card numbers as the card networks publish them. */
const networks = {
  visa: /4(?:\d{12}|\d{15}|\d{18})/,
  mastercard: /(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}/,
  americanExpress: /3[47]\d{13}/,
  discover: /(?:6011|64[4-9]\d|65\d{2})\d{12,15}/,
  // Matches RuPay card numbers of 16 digits. Shorter numbers are excluded: twelve digits that begin with the last digit
  // of a year are a UPI reference number.
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

interface IssuedRange {
  /** The first number of the range (the first six digits of a card number), inclusive like `to`. */
  readonly from: number
  readonly to: number
  readonly lengths: ReadonlyArray<number>
}

const range = (from: number, to: number, ...lengths: ReadonlyArray<number>): IssuedRange => ({ from, to, lengths })

/** The issuer numbers that card networks have assigned, and the lengths of their card numbers. */
const issued: ReadonlyArray<IssuedRange> = [
  // Issuer numbers of Visa. Cards of 13 digits were withdrawn, and shop systems use order numbers of that length.
  range(400_000, 499_999, 16, 19),
  // Issuer numbers of Mastercard.
  range(510_000, 559_999, 16),
  range(222_100, 272_099, 16),
  // Issuer numbers of American Express.
  range(340_000, 349_999, 15),
  range(370_000, 379_999, 15),
  // Issuer numbers of Discover.
  range(601_100, 601_103, 16, 19),
  range(601_105, 601_109, 16, 19),
  range(601_120, 601_149, 16, 19),
  range(601_174, 601_174, 16, 19),
  range(601_177, 601_179, 16, 19),
  range(601_186, 601_199, 16, 19),
  range(644_000, 659_999, 16, 19),
  // Issuer numbers of RuPay and UnionPay, which share the prefix 81.
  range(508_500, 508_999, 16),
  range(606_985, 607_984, 16),
  range(608_001, 608_500, 16),
  range(810_000, 829_999, 16),
  range(620_000, 629_999, 16, 17, 18, 19),
  // Issuer numbers of JCB.
  range(352_800, 358_999, 16, 19),
  // Issuer numbers of Diners Club.
  range(300_000, 305_999, 14),
  range(309_500, 309_599, 14),
  range(360_000, 369_999, 14),
  range(380_000, 399_999, 14),
  // Issuer numbers of Maestro.
  ...[501_800, 502_000, 503_800, 589_300].map((from) => range(from, from + 99, 12, 13, 14, 15, 16, 17, 18, 19)),
  range(630_400, 630_499, 16, 17, 18, 19),
  range(639_000, 639_099, 16, 17, 18, 19),
  range(670_000, 679_999, 16, 17, 18, 19)
]

const isIssued = (digits: string): boolean => {
  const issuer = Number(digits.slice(0, 6))
  return issued.some(({ from, lengths, to }) => issuer >= from && issuer <= to && lengths.includes(digits.length))
}

const testNumbers: ReadonlySet<string> = new Set([
  "4000056655665556",
  "4012888888881881",
  "4111111111111111",
  "4222222222222",
  "4242424242424242",
  "4917610000000000",
  "2223003122003222",
  "5105105105105100",
  "5200828282828210",
  "5424000000000015",
  "5555555555554444",
  "343434343434343",
  "371449635398431",
  "378282246310005",
  "378734493671000",
  "6011000990139424",
  "6011111111111117",
  "6011981111111113",
  "3530111333300000",
  "3566002020360505",
  "30569309025904",
  "36227206271667",
  "36700102000000",
  "38520000023237",
  "6200000000000005",
  "6205500000000000004",
  "6759649826438453"
])

/** The Luhn check: from the right, every second digit is doubled, and the digits of all results are summed. */
const hasCheckDigit = (digits: string): boolean => {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48
    const weighed = i % 2 === 1 ? digit * 2 : digit
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}
