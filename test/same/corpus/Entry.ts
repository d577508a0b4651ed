/** What is replayed: requests, commands, waits, and what payers of a vendor do. One after the other, in the order of a file. */

/**
 * In texts, `{name}` stands for what an earlier entry saved under that name. Each group has `key` (the API key), `server`, `link`
 * (of the dashboard, as `paymux serve` prints it) and `shop` (the address of the receiver of events).
 */
export interface Group {
  readonly name: string
  /** Options of `createPaymux`, beside those of every group. */
  readonly options?: { readonly [option: string]: unknown }
  /** Configured at fakes of these vendors. */
  readonly vendors?: ReadonlyArray<VendorName>
  /** By name, beside the configuration. */
  readonly files?: { readonly [name: string]: string }
  readonly entries: ReadonlyArray<Entry>
}

export type VendorName = "razorpay" | "stripe"

export type Entry = RequestEntry | CommandEntry | WaitEntry | VendorEntry

export interface RequestEntry {
  /** Unique in its group. */
  readonly name: string
  readonly send: `${"DELETE" | "GET" | "HEAD" | "OPTIONS" | "PATCH" | "POST" | "PUT"} ${string}`
  /** Default: the API key. `person`: the session of the dashboard, and its origin. */
  readonly as?: "key" | "person" | "anyone"
  /** Empty: not sent. */
  readonly headers?: { readonly [name: string]: string }
  /** `key`: the `Idempotency-Key`. */
  readonly key?: string
  readonly json?: unknown
  /** Sent as it is; `content-type` is that of JSON unless `headers` say otherwise. */
  readonly text?: string
  /** By name, where it stands in the answer: a path in JSON (`data.0.id`), or the first group of an expression. */
  readonly save?: { readonly [name: string]: string | RegExp }
  /** The next entries do not wait for its answer; it is awaited at the end of the group. */
  readonly inBackground?: true
}

export interface CommandEntry {
  readonly name: string
  /** Arguments of `paymux`. */
  readonly run: ReadonlyArray<string>
  readonly save?: { readonly [name: string]: string | RegExp }
}

/** Until the receiver has an event of this type about this payment. */
export interface WaitEntry {
  readonly wait: string
  readonly of: string
  /** At which path of the receiver. Default: `shop`. */
  readonly at?: string
  /** How often. Default: once. */
  readonly times?: number
}

/** What payers of a vendor do, and the webhooks that the vendor then posts. */
export interface VendorEntry {
  readonly name: string
  readonly vendor: VendorName
  /** Default: they approve. */
  readonly payers?: "approve" | "wait" | { readonly decline: string }
  /**
   * `now`: events that were not posted yet, one after the other. `again`: all that were posted. `tampered`: the same with another
   * body than the signed one. `none`: nothing is posted.
   */
  readonly post: "now" | "again" | "tampered" | "none"
}
