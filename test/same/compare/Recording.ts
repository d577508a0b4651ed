/** What one checkout showed on one database, as text. Two of them are compared. */

export interface Recording {
  /** ms UTC. Times are compared by their distance from it. */
  readonly startedAt: number
  readonly observed: ReadonlyArray<Observed>
}

export interface Observed {
  readonly kind: Kind
  /** Of a request or a command: its name in the corpus, which is unique. Of other kinds: the route. */
  readonly name: string
  /** What a difference is reported under: `POST /v1/payments`, `paymux keys list`, `table payments`, `event payment.failed`, `log`. */
  readonly route: string
  /** By name: `status`, `header location`, `body`, `stdout`, a column. */
  readonly fields: { readonly [field: string]: string }
}

/** Requests and commands have an order, and are compared by name. The others are sets. */
type Kind = "request" | "command" | "row" | "event" | "log"

export const isOrdered = ({ kind }: Observed): boolean => kind === "request" || kind === "command"
