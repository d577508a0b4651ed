/** A world of payments: how many come, of which kinds, and how each provider ends them at each moment. */

/** Payments that are alike for the providers. */
export interface Kind {
  /** Of all payments, 0 to 1; together 1. */
  readonly share: number
  readonly method: CardKind | UpiKind
}

interface CardKind {
  readonly rail: "card"
  /** `token`: ended at once. `hosted`: the payer is on a page of the provider. */
  readonly flow: "token" | "hosted"
  readonly country: string
  readonly funding: "credit" | "debit"
  readonly bin: string
}

interface UpiKind {
  readonly rail: "upi"
  readonly flow: "intent" | "collect"
  /** The payer's bank: `okaxis`. `null`: not known, as of an intent. */
  readonly handle: string | null
}

/** How a provider ends a payment of a kind that begins now. */
export interface Outcomes {
  /** The share that succeeds, 0 to 1. */
  readonly rate: number
  /** ms from the start to a success, and to a failure; 0: in the answer to the request. */
  readonly successAfter: number
  readonly failureAfter: number
  /** `unknown`: the request times out, and the payment fails by an inquiry after `failureAfter`. */
  readonly failure: "declined" | "expired" | "unknown"
}

export interface World {
  readonly name: string
  readonly minutes: number
  readonly kinds: ReadonlyArray<Kind>
  /** By provider, in the order of the rules. `minute`: from the start, below 0 in the history; `kind`: its index. */
  readonly outcomes: (minute: number, kind: number) => ReadonlyArray<Outcomes>
  /** Payments of a minute, and the most that may be lost there, in percent; `null`: no bound was set. */
  readonly bounds: ReadonlyArray<readonly [perMinute: number, lost: number | null]>
  /** Payments that were made before the start by other rules: by kind, the index of its provider. They lose nothing. */
  readonly history?: { readonly minutes: number; readonly providers: ReadonlyArray<number> }
  /** The volume at a minute, as a part of the usual one, 0 to 1. Absent: 1. */
  readonly volume?: (minute: number) => number
}

export const SECOND = 1_000
export const MINUTE = 60_000
