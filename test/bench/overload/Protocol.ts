/** The messages between the overload bench and its processes. */

/**
 * The server's answer to the message `figures`, measured since the former answer. Of the creates that were answered, from the
 * head of the request to the last byte of its answer, in ms.
 */
export interface ServerFigures {
  readonly admitted: Times
  readonly refused: Times
  /** µs of CPU of the whole process. */
  readonly cpu: number
}

export interface Times {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly most: number
}

/** To the reader: all of it. */
export interface Target {
  readonly port: number
  readonly apiKey: string
  /** ms */
  readonly duration: number
}

/** To the load: creates numbered from `from` on, each with a key of its own. */
export interface LoadQuestion extends Target {
  readonly from: number
  /** Creates a second, as they happen to come; `null`: each connection sends its next one at once. */
  readonly perSecond: number | null
  /** At most so many are under way. */
  readonly connections: number
}

/** ms: the length of an interval of `LoadAnswer.createdIn`. */
export const interval = 250

export interface LoadAnswer {
  /** How many came due; their numbers begin at `from`. */
  readonly offered: number
  /** Numbers that were answered 201. */
  readonly created: ReadonlyArray<number>
  /** How many of them were answered in each interval since the start. */
  readonly createdIn: ReadonlyArray<number>
  /** How many were refused, by status and code. */
  readonly refused: { readonly [answer: string]: number }
  /** For a second no connection was free: they were never sent. */
  readonly unsent: number
  /** ms, as the client waited, of the creates that were admitted. */
  readonly waited: Times
  /** Share of the time in which making the load took the CPU. */
  readonly busy: number
  /** ms */
  readonly wall: number
}

/** As clients wait, in ms. */
export interface ReaderAnswer {
  /** Lists, one after the other on a connection that is kept. */
  readonly reads: Times & { readonly failed: number }
  /** `GET /healthz`, each on a connection of its own. */
  readonly fresh: Times & { readonly failed: number }
}

export const timesOf = (values: ReadonlyArray<number>): Times => {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), most: at(1) }
}
