/** Suggests corrections of misspelt words. */

/** Formats `; did you mean …?` with the most similar of `words`; empty if none is similar. */
export const suggestion = (word: string, words: Iterable<string>): string => {
  let nearest: string | null = null
  let least = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of words) {
    const distance = edits(word.toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      least = distance
      nearest = candidate
    }
  }
  return nearest === null ? "" : `; did you mean "${nearest}"?`
}

/** The edit distance of two words: insertions, deletions, replacements and swaps of neighbors. */
const edits = (a: string, b: string): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          at(last, j) + 1,
          at(row, j - 1) + 1,
          at(last, j - 1) + (same ? 0 : 1),
          swapped ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY
        )
      )
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

const at = (row: ReadonlyArray<number>, index: number): number => row[index] ?? Number.POSITIVE_INFINITY

/**
 * Formats a word of a configuration for an error. Words that do not look like a name are withheld, since they may be
 * secrets.
 */
export const shown = (word: string): string => (looksLikeName(word) ? `"${word}"` : "this text")

/**
 * Whether text looks like a name, such as `card`, `evm_base`, `adyen-2`, `card.country`, `EURO` or `orderChannel`,
 * rather than a key or an id.
 */
export const looksLikeName = (word: string): boolean => {
  if (word.length > 40 || !/^[A-Za-z]/.test(word)) return false
  const parts = word.split(/[_.-]/)
  return parts.length <= 4 && parts.every(isWord) && word.replaceAll(/\D/g, "").length <= 4 && !isKey(parts)
}

/** Whether a part is a word: letters with at most one short number. Identifiers with random digits are not. */
const isWord = (part: string): boolean =>
  /^(?:[a-z]{1,15}|[a-z]{1,12}\d{1,2}[a-z]{0,12}|\d{1,3}|[A-Z]{1,12}|[A-Za-z][a-z]{1,14}(?:[A-Z][a-z]{1,14}){0,2})$/.test(
    part
  )

/** Whether text looks like a secret key such as `sk_live_…`: a short prefix and a long tail. */
const isKey = ([first = "", ...tail]: ReadonlyArray<string>): boolean =>
  /^(?:\w{1,3}|whsec|key|apikey|secret|token|bearer)$/i.test(first) && tail.some((part) => part.length > 10)
