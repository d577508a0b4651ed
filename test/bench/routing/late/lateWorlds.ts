/** An hour of outage at one of two providers of UPI intents, with the expiries of the adapters that have them. */
import type { Capabilities } from "@paymux/core"
import { capabilities as cashfreeOf } from "../../../../packages/adapters/cashfree/src/method.ts"
import { capabilitiesOf as razorpayOf } from "../../../../packages/adapters/razorpay/src/method.ts"
import { Redacted } from "effect"
import { MINUTE, SECOND } from "../worlds/World.ts"
import type { Outcomes, World } from "../worlds/World.ts"

/** One of the two adapters that have UPI intents. */
export interface LateProvider {
  readonly id: "razorpay" | "cashfree"
  readonly capabilities: Capabilities
  /** How long a payer has. */
  readonly expiryMinutes: number
  /** How it reports that the payer's time is over. */
  readonly over: "declined" | "expired"
}

const razorpay: LateProvider = {
  id: "razorpay",
  capabilities: razorpayOf({ qr: "link", allowCollect: false, settlements: false }),
  // `minutesToPay` of `adapters/razorpay/src/orders.ts`.
  expiryMinutes: 10,
  // `payment_timed_out` of `adapters/razorpay/src/codes.ts`.
  over: "declined"
}

const cashfreeOptions = {
  environment: "sandbox",
  clientId: "TEST1",
  clientSecret: Redacted.make("secret"),
  s2s: true
} as const

const cashfree: LateProvider = {
  id: "cashfree",
  capabilities: cashfreeOf(cashfreeOptions),
  // `payWithin` of `adapters/cashfree/src/options.ts`, by default.
  expiryMinutes: 20,
  // The order's status `EXPIRED`, in `adapters/cashfree/src/status.ts`.
  over: "expired"
}

export interface LateWorld extends World {
  /** As the rules list them. The first is down for an hour. */
  readonly providers: readonly [LateProvider, LateProvider]
}

/** Minutes from the start. */
export const outage = { from: 60, until: 120 } as const

const rateAt = (minute: number): number => (minute >= outage.from && minute < outage.until ? 0.2 : 0.92)

const intentAt = ({ expiryMinutes }: LateProvider, rate: number): Outcomes => ({
  rate,
  successAfter: 20 * SECOND,
  failureAfter: expiryMinutes * MINUTE,
  failure: "expired"
})

const outageAt = (down: LateProvider, other: LateProvider): LateWorld => ({
  name: `outage at ${down.id}, expiry ${down.expiryMinutes} min`,
  minutes: 180,
  kinds: [{ share: 1, method: { rail: "upi", flow: "intent", handle: null } }],
  outcomes: (minute) => [intentAt(down, rateAt(minute)), intentAt(other, 0.88)],
  bounds: [],
  providers: [down, other]
})

export const lateWorlds: readonly [LateWorld, LateWorld] = [outageAt(razorpay, cashfree), outageAt(cashfree, razorpay)]
