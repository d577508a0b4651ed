/** Draws one payment: what its client and its merchant do, and what becomes of each request. */
import type { InquiryScript, MerchantAction, PaymentPlan, Rail } from "../Plan.ts"
import { stream } from "../SeededRandom.ts"
import type { SeededRandom } from "../SeededRandom.ts"
import { drawBreaches, withCreateBreach, withFollowUpBreach } from "./drawBreaches.ts"
import { drawCreate, drawFollowUp } from "./drawScripts.ts"
import type { FaultProfile } from "./FaultProfile.ts"
import { MINUTE, SECOND } from "./times.ts"

/** @param lasts ms for which clients begin payments */
export const drawPayment = (seed: number, n: number, lasts: number, profile: FaultProfile): PaymentPlan => {
  const random = stream(seed, "payment", n)
  const rail = random.weighted<Rail>([
    [4, "upi"],
    [5, "card"],
    [1, "stablecoin"]
  ])
  const captureMethod = rail === "card" && random.chance(profile === "everything" ? 35 : 15) ? "manual" : "automatic"
  const keyed = random.chance(50)
  const breaches = drawBreaches(stream(seed, "breaches", n), profile)
  return {
    n,
    at: random.between(0, lasts),
    first: stream(seed, "first", n).weighted([
      [4, "p0"],
      [3, "p1"],
      [2, "p2"],
      [1, "p3"]
    ]),
    rail,
    minorUnits: random.between(100, 1_000_000),
    captureMethod,
    key: keyed ? `key-${n}` : null,
    repeats: keyed && random.chance(40) ? random.several(3, () => random.between(0, 30 * SECOND)) : [],
    abortAfter: random.chance(15) ? random.between(0, 12 * SECOND) : null,
    creates: Array.from({ length: 6 }, (_, index) =>
      withCreateBreach(drawCreate(random, rail, profile, index), breaches, index)
    ),
    followUps: Array.from({ length: 4 }, (_, index) =>
      withFollowUpBreach(drawFollowUp(random, profile), breaches, index)
    ),
    inquiries: random.chance(30) ? random.several(4, () => drawInquiry(random)) : [],
    actions: drawActions(random, n, captureMethod)
  }
}

const drawInquiry = (random: SeededRandom): InquiryScript =>
  random.pick(["truth", "none", "unknown", "not_sent", "rate_limited", "unauthorized", "defect"])

const drawActions = (
  random: SeededRandom,
  n: number,
  captureMethod: "automatic" | "manual"
): ReadonlyArray<MerchantAction> => {
  const after = () => random.between(0, 20 * SECOND)
  const key = (name: string) => (random.chance(50) ? `${name}-${n}` : null)
  const refunds = random.chance(30)
    ? random.several(3, (index): MerchantAction => ({
        kind: "refund",
        name: `refund-${index}`,
        after: after() + 5 * SECOND,
        part: random.pick([0.3, 0.5, 1]),
        key: key(`refund-${index}`)
      }))
    : []
  const cancel = (): MerchantAction => ({ kind: "cancel", after: after(), key: key("cancel") })
  if (captureMethod === "automatic") return random.chance(5) ? [cancel(), ...refunds] : refunds
  const capture = (index: number): MerchantAction => ({
    kind: "capture",
    name: `capture-${index}`,
    after: after(),
    part: random.pick([0.3, 0.5, 1]),
    key: key(`capture-${index}`),
    againAfter: random.chance(60) ? random.between(20 * MINUTE, 100 * MINUTE) : null
  })
  const first = random.chance(75) ? random.several(random.chance(50) ? 1 : 3, capture) : [cancel()]
  const both = random.chance(10) ? [cancel()] : []
  return [...first, ...both, ...refunds]
}
