/**
 * A set of prefixes, such as a table of thousands of BINs. A text is looked up once per prefix length, instead of being
 * compared with each prefix.
 */
export interface Prefixes {
  readonly texts: ReadonlySet<string>
  /** The distinct lengths of the prefixes, ascending. */
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
