/** Formats lists for sentences, and shortens text that merchants or operators wrote. */

/** Joins texts: `a`, `a and b`, `a, b and c`. */
export const joined = (texts: ReadonlyArray<string>): string => {
  const last = texts.at(-1) ?? ""
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} and ${last}`
}

/** Shortens a list: the first texts, then the number of further ones. */
export const limited = (texts: ReadonlyArray<string>, most: number, more: (count: number) => string) => {
  const rest = texts.length - most
  return rest > 0 ? [...texts.slice(0, most), more(rest)] : texts
}

/** Formats a number with its noun: `1 attempt`, `2 attempts`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** Formats the end of a shortened list of providers. */
export const moreProviders = (count: number): string => counted(count, "more provider")

const LONGEST = 60

/** Shortens a text such as a payment's metadata or a note, since metadata may have 500 characters. */
export const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
