/**
 * Normalizes text for the search for card data, from all the forms in which a browser, a form or a person may write a
 * digit or a letter.
 */

/** Converts digits of any script or style, encoded or not, spaces, dashes and invisible characters to ASCII. */
export const plainDigits = (text: string): string => {
  const readable = text.includes("%") || text.includes("&") ? decoded(text) : text
  return notAscii.test(readable) ? folded(readable) : readable
}

/** Converts styled letters, and letters of other scripts that look like Latin letters, to ASCII. */
export const plainName = (name: string): string =>
  notAscii.test(name)
    ? withoutInvisible(name.normalize("NFKC")).replace(
        /[^\0-\x7f]/g,
        (letter) => lookAlikes[letter.toLowerCase()] ?? letter
      )
    : name

const notAscii = /[^\0-\x7f]/

/** The maximum depth of nested encodings that are decoded, such as `%26%2352;` or `&amp;#52;`. */
const mostEncodings = 3

const decoded = (text: string): string => {
  let plain = text
  for (let n = 0; n < mostEncodings; n++) {
    const once = withoutEntities(withoutPercent(plain))
    if (once === plain) break
    plain = once
  }
  return plain
}

/** Decodes percent-encoded ASCII. Other percent-encoded characters cannot be a digit or a separator. */
const withoutPercent = (text: string): string =>
  text.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Decodes HTML character references. A named reference is never a digit, but may be a separator, such as `&nbsp;`. */
const withoutEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,9});?|#x([0-9a-f]{1,9});?|([a-z][a-z0-9]{1,30});)/gi,
    (_, decimal?: string, hexadecimal?: string, name?: string) => {
      if (name !== undefined) return name.toLowerCase() === "amp" ? "&" : " "
      const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal)
      return code > 0x10_ffff ? " " : String.fromCodePoint(code)
    }
  )

const folded = (text: string): string =>
  withoutInvisible(text.normalize("NFKC"))
    .replace(/\p{Zs}/gu, " ")
    .replace(/\p{Pd}|\u2212/gu, "-")
    .replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit)))

/** Removes format characters, marks, and other characters without a glyph, such as the Hangul fillers. */
const withoutInvisible = (text: string): string => text.replace(/\p{Cf}|\p{M}|\p{Default_Ignorable_Code_Point}/gu, "")

/**
 * The value of a digit. In Unicode, the digits of a script are adjacent, in order from zero, and separate from those of
 * other scripts.
 */
const digitValue = (digit: string): number => {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--
  return (code - zero) % 10
}

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
