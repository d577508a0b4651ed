/**
 * Positions that are not visible yet. On PostgreSQL a commit may become visible after one with a greater position: a cursor
 * that passes a missing position keeps that position as a gap, and comes back to it.
 *
 * A position is missing because its transaction is still running, or because it was rolled back. When the gap was found,
 * every transaction that could own it had an id below the next one to be assigned (`before`). Once all transactions below
 * that id have ended, the position is visible, or it never will be.
 */

export interface Gap {
  /** The first and last missing positions, both inclusive. */
  readonly from: number
  readonly to: number
  /** The next transaction id to be assigned when the gap was found, as text. */
  readonly before: string
  /** The time at which the gap was found, ms UTC, by the clock of the database. */
  readonly foundAt: number
}

/** The events that were visible to a statement, and its running transactions. */
export interface Snapshot {
  /** The id of the oldest running transaction: all transactions below it have ended. */
  readonly oldest: string
  /** The next transaction id to be assigned. */
  readonly next: string
  /** The time of the snapshot, ms UTC, by the clock of the database. */
  readonly now: number
}

/** The gaps after `cursor`, up to the last of the visible `positions`, which ascend. */
export const gapsAmong = (
  cursor: number,
  positions: ReadonlyArray<number>,
  { next, now }: Snapshot
): ReadonlyArray<Gap> => {
  const gaps: Array<Gap> = []
  let expected = cursor + 1
  for (const position of positions) {
    if (position > expected) gaps.push({ from: expected, to: position - 1, before: next, foundAt: now })
    expected = position + 1
  }
  return gaps
}

/** The gaps that remain after the positions `found` have become visible. */
export const without = (gaps: ReadonlyArray<Gap>, found: ReadonlyArray<number>): ReadonlyArray<Gap> =>
  gaps.flatMap((gap) => {
    const within = found.filter((position) => position >= gap.from && position <= gap.to).toSorted((a, b) => a - b)
    return [...within, gap.to + 1].flatMap((position, index) => {
      const from = index === 0 ? gap.from : (within[index - 1] ?? gap.from) + 1
      return from < position ? [{ ...gap, from, to: position - 1 }] : []
    })
  })

/** Whether a position of the gap may still become visible. */
export const isOpenGap = ({ before, foundAt }: Gap, { now, oldest }: Snapshot): boolean =>
  BigInt(oldest) < BigInt(before) || Math.abs(now - foundAt) < settling

/**
 * The minimum age of a gap before it can be closed, ms. It is longer than any statement may take. A transaction may get
 * a position just before it gets its id, if the position belongs to its first write.
 */
const settling = 15_000
