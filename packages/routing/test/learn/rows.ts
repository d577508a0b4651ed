/** Attempts for tests of learning, as a store counts them. */
import type { Facts } from "../../src/Facts.ts"
import type { Learned } from "../../src/CompiledRouting.ts"
import { lensKey } from "../../src/learn/Lens.ts"
import type { Lens } from "../../src/learn/Lens.ts"
import type { AttemptCount } from "@paymux/core/store"

export const SECOND = 1_000
export const MINUTE = 60_000
export const HOUR = 3_600_000

/** 2023-11-15T00:00Z: slots and stretches begin there. */
export const start = Date.UTC(2023, 10, 15)

type Row = Partial<Omit<AttemptCount, "slot" | "durationMs">> & {
  /** ms after `start` */
  readonly at: number
  /** ms until its outcome; `null`: open. */
  readonly took?: number | null
}

/** A visa card from Germany that `a` took at once, unless the change says otherwise. */
export const row = ({ at, took = 0, ...more }: Row): AttemptCount => ({
  slot: start + at,
  durationMs: took,
  provider: "a",
  rail: "card",
  flow: "hosted",
  currency: "EUR",
  network: "visa",
  country: "DE",
  funding: "debit",
  issuer: "411111",
  account: null,
  rule: null,
  amountDigits: null,
  metadata: {},
  status: took === null ? "pending" : "succeeded",
  code: null,
  count: 1,
  ...more
})

export const declined = { status: "declined", code: "do_not_honor" } as const
export const upi = {
  rail: "upi",
  flow: "intent",
  currency: "INR",
  network: null,
  country: null,
  funding: null,
  issuer: null
} as const

export const everything: Lens = { windowMs: null, learnFrom: "all", segments: [] }

export const learnedBy = (more: Partial<Learned> = {}, lens: Lens = everything): Learned => ({
  lens,
  lensKey: lensKey(lens),
  rule: "x",
  providers: ["a", "b"],
  expected: new Map(),
  weights: { expired: 1, authenticationFailed: 1 },
  strength: 40,
  ...more
})

/** A payment like the attempts of `row`. */
export const asked = (more: Partial<Facts> = {}): Facts => ({
  payment_method: "card",
  flow: "hosted",
  currency: "EUR",
  amount: 10_000,
  capture_method: "automatic",
  "customer.email": "asha@example.com",
  "customer.phone_country": null,
  "card.bin": "411111",
  "card.network": "visa",
  "card.country": "DE",
  "card.funding": "debit",
  "stablecoin.asset": null,
  "stablecoin.network": null,
  livemode: false,
  account: "default",
  time: start,
  metadata: {},
  draw: "0".repeat(16),
  issuer: "411111",
  ...more
})

/** A payment like the attempts of `upi`. */
export const askedByUpi = (more: Partial<Facts> = {}): Facts =>
  asked({
    payment_method: "upi",
    flow: "intent",
    currency: "INR",
    "card.bin": null,
    "card.network": null,
    "card.country": null,
    "card.funding": null,
    issuer: null,
    ...more
  })
