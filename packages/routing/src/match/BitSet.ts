/**
 * An immutable bit set of small integers, 32 per word. Empty words at both ends are not stored, since most sets are
 * sparse.
 */
export interface BitSet {
  /** The index of the first word that is stored. */
  readonly from: number
  readonly words: Int32Array
  /** The number of integers in the set. */
  readonly size: number
}

export const everyBit = (length: number): BitSet => {
  const words = new Int32Array((length + 31) >>> 5).fill(-1)
  if ((length & 31) !== 0) words[words.length - 1] = ~(-1 << (length & 31))
  return { from: 0, words, size: length }
}

/** Returns a copy of the set `base` with some integers below `length` added (`true`) or removed (`false`). */
export const changed = (
  base: BitSet,
  length: number,
  changes: ReadonlyArray<readonly [number: number, isIn: boolean]>
): BitSet => {
  const words = cleared((length + 31) >>> 5)
  words.set(base.words, base.from)
  let { size } = base
  for (const [number, isIn] of changes) {
    const bit = 1 << (number & 31)
    const word = words[number >>> 5] ?? 0
    if (((word & bit) !== 0) === isIn) continue
    words[number >>> 5] = word ^ bit
    size += isIn ? 1 : -1
  }
  const from = words.findIndex((word) => word !== 0)
  if (from < 0) return { from: 0, words: new Int32Array(0), size }
  const end = words.findLastIndex((word) => word !== 0) + 1
  return { from, words: end - from === 1 ? oneWord(words[from] ?? 0) : words.slice(from, end), size }
}

/**
 * A buffer that all calls reuse, since thousands of sets are built at a time. Each new set gets a copy of its words.
 */
let scratch = new Int32Array(0)

const cleared = (length: number): Int32Array => {
  if (scratch.length !== length) scratch = new Int32Array(length)
  else scratch.fill(0)
  return scratch
}

/**
 * Returns an array of one word. Sets with a single member share these 32 arrays, so that thousands of sets fit in the
 * CPU cache.
 */
const oneWord = (word: number): Int32Array => {
  const known = oneWords.get(word)
  if (known !== undefined) return known
  const made = Int32Array.of(word)
  if ((word & (word - 1)) === 0) oneWords.set(word, made)
  return made
}

const oneWords = new Map<number, Int32Array>()
