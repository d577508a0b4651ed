/**
 * Normalizes an e-mail address for comparisons: in lower case, NFKC, without invisible characters, and with the domain
 * in ASCII. Mail systems ignore case, and people type the same letters in several forms of Unicode.
 *
 * Letters that may belong to different people stay different: `ı` and `i`, `ß` and `ss`, `ö` and `o`.
 *
 * @example
 * ```ts
 * normalEmail("Asha@EXAMPLE.com") // => "asha@example.com"
 * normalEmail("İda＠Müller.de") // => "ida@xn--mller-kva.de"
 * ```
 */
export const normalEmail = (email: string): string =>
  notAscii.test(email) ? normalUnicode(email) : email.toLowerCase()

const notAscii = /[^\0-\x7f]/

const normalUnicode = (email: string): string => {
  const text = email
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    // Replaces `i` with a combining dot (the lower case of `İ`), and the form of a sigma at the end of a word.
    .replaceAll("i\u0307", "i")
    .replaceAll("ς", "σ")
    .normalize("NFKC")
  const at = text.lastIndexOf("@")
  return at < 0 ? text : `${text.slice(0, at)}@${asciiDomain(text.slice(at + 1))}`
}

/** Converts the domain to its DNS form. Text that is not a domain is returned unchanged. */
const asciiDomain = (domain: string): string => {
  const url = `http://${domain}`
  return notAscii.test(domain) && !/[/?#:[\]\\]/.test(domain) && URL.canParse(url) ? new URL(url).hostname : domain
}
