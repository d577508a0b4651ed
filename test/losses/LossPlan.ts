/**
 * One run of lost commits as data, drawn from a seed: what merchants request and payers do, when the database is copied, and when
 * it is replaced by that copy. Times are ms since the start of the run.
 */
import { SeededRandom } from "@paymux/test-suites/simulation"

/**
 * - `keys`: a repeat under the same key has the first result, for a day; it can be asked by our reference.
 * - `keys_only`: the same, and it cannot be asked.
 * - `reference`: a repeat of our reference is refused as a duplicate; it can be asked.
 * - `neither`: a repeat is another request, and it cannot be asked.
 */
type VendorKind = "keys" | "keys_only" | "reference" | "neither"

export interface VendorPlan {
  readonly id: string
  readonly kind: VendorKind
}

/**
 * What issuer and payer do with the first charge of an order at a vendor.
 *
 * - `silent`: taken, and the answer is lost.
 * - `waits`: the payer pays after a while.
 * - `soft`, `hard`: declined, so that another provider may be tried, or not.
 * - `late`: declined, and taken after all, although its declines are final: an excess where another provider has taken it.
 */
export type Issuing = "taken" | "silent" | "waits" | "soft" | "hard" | "late"

export interface FollowUpPlan {
  readonly kind: "capture" | "refund"
  /** ms after the answer that made it possible. */
  readonly after: number
  /** Within an order, no two have the same. */
  readonly minorUnits: number
}

/** What a client does with the requests that it has sent before the loss. `changes`: it asks for another amount. */
export type AfterLoss = "repeats" | "gone" | "changes"

export interface OrderPlan {
  readonly n: number
  readonly at: number
  readonly minorUnits: number
  readonly manual: boolean
  /** Its requests have idempotency keys. */
  readonly keyed: boolean
  readonly issuing: { readonly [vendor: string]: Issuing }
  readonly followUps: ReadonlyArray<FollowUpPlan>
  readonly afterLoss: AfterLoss
  /** ms after the restored server has started. */
  readonly repeatsAfter: number
  /** The vendors' webhooks about it arrive. */
  readonly webhooks: boolean
}

export interface LossPlan {
  readonly seed: number
  readonly vendors: ReadonlyArray<VendorPlan>
  readonly orders: ReadonlyArray<OrderPlan>
  readonly copiedAt: number
  readonly lostAt: number
  /** Other shares from the restore on. */
  readonly rulesChange: boolean
  /** The restored database is marked as such. */
  readonly isMarked: boolean
  /** The secret of the installation is replaced between the copy and the loss. */
  readonly rotates: boolean
  /** A vendor that cannot be reached, until the restore or for some time from then on. */
  readonly outage: { readonly vendor: string; readonly when: "before" | "after" } | null
  /** Clients come back when vendors have forgotten their keys. */
  readonly keysExpire: boolean
}

const kinds: ReadonlyArray<readonly [string, VendorKind]> = [
  ["v_keys", "keys"],
  ["v_keys_only", "keys_only"],
  ["v_reference", "reference"],
  ["v_neither", "neither"]
]

const ORDERS = 100

export const drawLossPlan = (seed: number): LossPlan => {
  const draw = SeededRandom.stream(seed, "losses")
  const copiedAt = draw.between(60, 120) * 1000
  const vendors = kinds.map(([id, kind]) => ({ id, kind }))
  return {
    seed,
    vendors,
    orders: Array.from({ length: ORDERS }, (_, n) => drawOrder(seed, n, vendors)),
    copiedAt,
    lostAt: copiedAt + draw.between(60, 150) * 1000,
    isMarked: SeededRandom.stream(seed, "mark").chance(50),
    rulesChange: draw.chance(12),
    rotates: draw.chance(50),
    outage: draw.chance(20)
      ? { vendor: draw.pick(["v_keys", "v_keys_only", "v_reference"]), when: draw.pick(["before", "after"]) }
      : null,
    keysExpire: draw.chance(5)
  }
}

const drawOrder = (seed: number, n: number, vendors: ReadonlyArray<VendorPlan>): OrderPlan => {
  const draw = SeededRandom.stream(seed, "order", n)
  const manual = draw.chance(30)
  const minorUnits = draw.between(20, 90) * 100
  const captured = manual && draw.chance(40) ? minorUnits - 700 : minorUnits
  const refunds = draw.chance(40) ? draw.several(2, (place) => 100 + place * 7 + draw.between(0, 6)) : []
  return {
    n,
    at: draw.between(0, 240) * 1000,
    minorUnits,
    manual,
    keyed: draw.chance(90),
    issuing: Object.fromEntries(vendors.map(({ id }) => [id, drawIssuing(draw)])),
    followUps: [
      ...(manual ? [{ kind: "capture" as const, after: draw.between(2, 20) * 1000, minorUnits: captured }] : []),
      ...refunds.map((minorUnits) => ({ kind: "refund" as const, after: draw.between(5, 60) * 1000, minorUnits }))
    ],
    afterLoss: draw.weighted<AfterLoss>([
      [84, "repeats"],
      [11, "gone"],
      [5, "changes"]
    ]),
    repeatsAfter: draw.between(0, 90) * 1000,
    webhooks: draw.chance(85)
  }
}

const drawIssuing = (draw: SeededRandom.SeededRandom): Issuing =>
  draw.weighted<Issuing>([
    [56, "taken"],
    [7, "silent"],
    [9, "waits"],
    [14, "soft"],
    [3, "hard"],
    [11, "late"]
  ])

/** The key of an order's request; two refunds of an order have different amounts. */
export const keyOf = ({ n }: OrderPlan, call: string, minorUnits: number): string => `order-${n}-${call}-${minorUnits}`
