/** Lists and foreign text in sentences. */

/** `a`, `a and b`, `a, b and c`. */
export const joined = (texts: ReadonlyArray<string>): string => {
  const last = texts.at(-1) ?? ""
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(", ")} and ${last}`
}

/** The first of them, then how many more there are: a paragraph is not the place for a list of any length. */
export const limited = (texts: ReadonlyArray<string>, most: number, more: (count: number) => string) => {
  const rest = texts.length - most
  return rest > 0 ? [...texts.slice(0, most), more(rest)] : texts
}

/** `1 attempt`, `2 attempts`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** Of a list that is cut. */
export const moreProviders = (count: number): string => counted(count, "more provider")

const LONGEST = 60

/** Text of a payment or of a note, cut: metadata may have 500 characters. */
export const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
