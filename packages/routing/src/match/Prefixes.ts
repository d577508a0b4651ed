/** Beginnings of text, thousands of them where they are a table of BINs: looked up by length instead of tried in turn. */
export interface Prefixes {
  readonly texts: ReadonlySet<string>
  /** Those that there are, ascending. */
  readonly lengths: ReadonlyArray<number>
}

export const prefixes = (texts: Iterable<string>): Prefixes => {
  const all = new Set(texts)
  const lengths = new Set<number>()
  for (const { length } of all) lengths.add(length)
  return { texts: all, lengths: [...lengths].sort((a, b) => a - b) }
}

export const beginsWithOne = ({ lengths, texts }: Prefixes, value: string): boolean =>
  lengths.some((length) => length <= value.length && texts.has(value.slice(0, length)))
