/** What the bench and the processes that it forks say to one another. */

/** A server, once it listens. */
export interface Listening {
  readonly port: number
  /** For the `Authorization` header. */
  readonly apiKey: string
}

/**
 * To a server: `cpu` asks for what it has used so far, in µs; `held` for how long its event loop was held at most since the last
 * such question, in ms: the first one begins to measure. `profile` begins a profile, and `parts` ends it. The channel's end ends the
 * process.
 */
export type ServerRequest = "cpu" | "held" | "profile" | "parts"

/** µs of CPU by part of the program. */
export interface Parts {
  readonly [part: string]: number
}

/**
 * To an engine: it answers how many payments it made, once they are made, or how much CPU it has used so far, in µs. Its first
 * message is 0: it is ready.
 */
export type EngineRequest =
  | "cpu"
  | {
      readonly payments: number
      /** Payments at a time. */
      readonly together: number
    }

/** To the load generator. */
export interface LoadRequest extends Listening {
  readonly path: string
  /** Of a POST; absent: a GET. */
  readonly body?: string
  /** Each request has an idempotency key of its own. Default: none has. */
  readonly keyed?: boolean
  /** The status that every answer must have. */
  readonly expected: number
  /** Another status that answers may have; they count as refused. */
  readonly refusal?: number
  readonly connections: number
  /** ms */
  readonly duration: number
}

export interface LoadResult {
  readonly answers: number
  readonly refused: number
  /** ms, from the first request to the last answer. */
  readonly wall: number
  /** Of one request, in ms. */
  readonly p50: number
  readonly p99: number
  /** µs of CPU that making the load took: near to the wall clock, it is the load that was measured. */
  readonly cpu: number
}

/** µs of CPU of this process since it started. */
export const cpu = (): number => {
  const { system, user } = process.cpuUsage()
  return user + system
}

export const tell = (message: Listening | LoadResult | Parts | number): void => {
  process.send?.(message)
}
