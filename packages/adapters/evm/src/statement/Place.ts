/** Where a statement is read next, and its cursor. A cursor belongs to the time that is asked for. Pure. */

export interface StatementTime {
  /** ms UTC, inclusive. */
  readonly since: number
  /** ms UTC, exclusive. */
  readonly until: number
}

export interface Place {
  readonly chainId: number
  /** The next block that is read. */
  readonly block: number
  /** The log of that block up to which it was read; -1: none. */
  readonly log: number
  /** The last block of the time on this chain. */
  readonly last: number
}

export const cursorOf = ({ block, chainId, last, log }: Place, { since, until }: StatementTime): string =>
  [chainId, block, log, last, since, until].join(":")

/** `null`: it is none of ours, or of another time. */
export const readCursor = (cursor: string, { since, until }: StatementTime): Place | null => {
  const match = /^(\d{1,15}):(\d{1,15}):(-1|\d{1,15}):(\d{1,15}):(\d{1,16}):(\d{1,16})$/.exec(cursor)
  if (match === null) return null
  const [chainId = 0, block = 0, log = -1, last = 0, from, to] = match.slice(1).map(Number)
  return from === since && to === until && block <= last ? { chainId, block, log, last } : null
}
