/** Formats lists and text of others for sentences. */

/** `a`, `a and b`, `a, b and c`. */
export const joined = (texts: ReadonlyArray<string>): string => {
  const last = texts.at(-1) ?? ""
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} and ${last}`
}

/** The first texts, then the number of further ones, so that a paragraph does not contain a list of any length. */
export const limited = (texts: ReadonlyArray<string>, most: number, more: (count: number) => string) => {
  const rest = texts.length - most
  return rest > 0 ? [...texts.slice(0, most), more(rest)] : texts
}

/** `1 attempt`, `2 attempts`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** The end of a shortened list. */
export const moreProviders = (count: number): string => counted(count, "more provider")

const LONGEST = 60

/** Shortens the text of a payment or a note, since metadata may have 500 characters. */
export const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
