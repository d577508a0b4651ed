/** Draws a plan from a seed. */
import type { ClockPlan, OperatorPlan, Plan, Rail, VendorPlan } from "../Plan.ts"
import { stream } from "../SeededRandom.ts"
import type { SeededRandom } from "../SeededRandom.ts"
import { drawIncidents } from "./drawIncidents.ts"
import { drawPayment } from "./drawPayment.ts"
import type { FaultProfile } from "./FaultProfile.ts"
import { DAY, HOUR, MINUTE, SECOND } from "./times.ts"

export interface PlanOptions {
  readonly payments: number
  readonly profile?: FaultProfile
}

export const drawPlan = (seed: number, { payments, profile = "everything" }: PlanOptions): Plan => {
  const random = stream(seed, "plan")
  // About two a second: enough for breakers to judge by.
  const lasts = Math.max(30 * SECOND, payments * random.between(300, 700))
  const vendors = ["p0", "p1", "p2", "p3"].map((id, index) =>
    drawVendor(stream(seed, "vendor", id), id, index, profile)
  )
  const engines = random.pick(["one", "many"] as const)
  const hasIncidents = profile === "everything" || profile === "honest"
  return {
    seed,
    engines,
    lateSuccess: random.chance(profile === "everything" ? 55 : 75) ? "succeed" : "reverse",
    vendors,
    payments: Array.from({ length: payments }, (_, n) => drawPayment(seed, n, lasts, profile)),
    incidents: hasIncidents ? drawIncidents(stream(seed, "incidents"), vendors, payments, lasts, profile) : [],
    clocks: profile === "everything" && engines === "many" ? drawClocks(stream(seed, "clocks")) : [],
    operator: profile === "everything" ? drawOperator(stream(seed, "operator")) : null,
    calmAt: lasts + 2 * MINUTE,
    // Time to look once more at what seemed over.
    quietFor: profile === "everything" ? 4 * DAY : 2 * HOUR
  }
}

const drawVendor = (random: SeededRandom, id: string, index: number, profile: FaultProfile): VendorPlan => ({
  id,
  // Two support everything, so that a failover has a target.
  rails:
    index < 2 ? ["upi", "card", "stablecoin"] : random.pick<ReadonlyArray<Rail>>([["card"], ["upi", "card"], ["upi"]]),
  idempotency: random.weighted([
    [5, "header"],
    [2, "body"],
    [2, "reference"],
    [1, "lookup"],
    [2, "none"]
  ]),
  keyLifetime: random.weighted([
    [6, DAY],
    [2, 10 * SECOND],
    [1, 30 * SECOND],
    [1, 5 * MINUTE]
  ]),
  canInquire: random.chance(75),
  costlyInquiry: random.chance(15),
  notFoundIsFinalAfter: random.weighted([
    [6, 15 * MINUTE],
    [2, HOUR],
    [2, null]
  ]),
  declineIsFinal: random.chance(60),
  abandonedAfter: random.chance(60) ? 30 * MINUTE : null,
  rateLimitIsNotExecuted: random.chance(50),
  manualCapture: index < 2 || random.chance(50),
  severalCaptures: random.chance(profile === "everything" ? 70 : 50),
  namesCaptures: random.chance(50),
  handsBackOurReference: random.chance(50),
  ordersFirst: random.chance(30),
  canCancel: random.chance(80),
  canRefund: random.chance(profile === "everything" ? 55 : 90),
  breaks: { keyLifetime: profile === "everything" && random.chance(15) ? random.pick([0, SECOND, 10 * SECOND]) : null }
})

/** Most machines are right to the second; some are far off, and all of them drift. */
const drawClocks = (random: SeededRandom): ReadonlyArray<ClockPlan> =>
  random.chance(50)
    ? []
    : Array.from({ length: 6 }, () => ({
        aheadBy: random.weighted([
          [4, random.between(-SECOND, SECOND)],
          [2, random.pick([-40 * SECOND, 40 * SECOND])],
          [1, random.pick([-20 * MINUTE, 20 * MINUTE])]
        ]),
        driftPerSecond: random.between(-2, 2)
      }))

const drawOperator = (random: SeededRandom): OperatorPlan | null =>
  random.chance(75) ? { every: random.pick([HOUR, 4 * HOUR]), diligence: random.pick([50, 100]) } : null
