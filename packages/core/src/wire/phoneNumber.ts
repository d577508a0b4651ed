/** Phone numbers as people write them. Pure. */

/** E.164; Indian numbers have ten digits after +91. */
const e164 = /^\+(?:91\d{10}|(?!91)[1-9]\d{6,14})$/

/** Spaces, dashes and brackets, of any script; no tabs and line feeds. */
const separators = /[\p{Zs}()[\]\u2010-\u2015\u2212-]/gu

/** A trunk zero in brackets, as in `+49 (0)30 …`: whether it belongs to the number depends on the country. */
const trunkZero = /\(0\)/

/** A number in E.164 without separators; `null`: it is not a phone number. */
export const phoneNumber = (text: string): string | null => {
  if (e164.test(text)) return text
  if (trunkZero.test(text)) return null
  const digits = text.length > 40 ? "" : text.replace(separators, "")
  return e164.test(digits) ? digits : null
}
