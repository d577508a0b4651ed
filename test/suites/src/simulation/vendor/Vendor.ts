/** A simulated vendor as it stands over all processes: what it declares, and how its webhooks leave. */
import type { Charge, FollowUp, Ledger } from "./Ledger.ts"
import type { VendorPlan } from "../Plan.ts"

/** What a vendor needs from its environment: time, and delivery of its webhooks. */
export interface Surroundings {
  readonly ledger: Ledger
  /** ms since the start of the run. */
  readonly now: () => number
  readonly later: (ms: number, task: () => void) => void
  /** `webhook`: only the webhook is wrong; the vendor's books are right. */
  readonly deliver: (charge: Charge, event: VendorEvent, by: "webhook" | "any") => void
  /** Whether the engine's database has no row of this operation at this moment, because a rollback has lost it. */
  readonly isLost: (merchantReference: string) => boolean
  /** Writes a charge as it stands into the history of the run. */
  readonly note: (charge: Charge) => void
}

export interface Vendor {
  readonly plan: VendorPlan
  readonly surroundings: Surroundings
}

/** A webhook in the vendor's own words. `merchantReference` is `null` where only the vendor's reference is named. */
export interface VendorEvent {
  readonly id: string
  readonly about: "charge" | FollowUp["kind"]
  /** Of what it is about: the charge, or a follow-up with an id of its own. */
  readonly reference: string
  readonly merchantReference: string | null
  readonly status: Charge["status"] | "done" | "refused"
  readonly minorUnits: number
  readonly currency: string
  readonly code: string | null
  readonly retry: "never" | "other_provider" | "same_later"
  readonly url: string | null
}
