/** Carries a vendor's webhooks to whichever process is up; again, until one has taken them. */
import { Effect, Exit } from "effect"
import type { Process } from "../engine/Process.ts"
import type { TestEnvironment } from "../TestEnvironment.ts"
import type { Charge } from "../vendor/Ledger.ts"
import type { VendorEvent } from "../vendor/Vendor.ts"
import type { Emit } from "./SimulatedAdapter.ts"
import { evidenceOf } from "./translation.ts"

/** Each instance's `emit`, by process. */
export type Emitters = WeakMap<Process, Map<string, Emit>>

export const deliver = (
  environment: TestEnvironment,
  emitters: Emitters,
  charge: Charge,
  event: VendorEvent,
  by: "webhook" | "any",
  tries = 0
): void => {
  const { provider } = charge
  const { process, receive } = environment.serving
  const emit = process === null ? undefined : emitters.get(process)?.get(provider)
  let done = false
  const again = () => {
    if (!done && tries < MOST_TRIES) deliver(environment, emitters, charge, event, by, tries + 1)
  }
  if (process === null || emit === undefined || receive === null) return environment.later(RETRY, again)
  environment.noteReport()
  environment.history.note(charge.n, {
    kind: "reported",
    provider,
    reference: event.reference,
    text: `${event.about} ${event.status} ${event.minorUnits}${event.merchantReference === null ? " by its own reference" : ""}`
  })
  process.enter(() => {
    // As a webhook, or as what the adapter's own process saw in the vendor's books.
    const taken =
      charge.n % 3 === 0 && by === "any"
        ? emit(evidenceOf(provider, event))
        : receive(provider, encoder.encode(JSON.stringify(event)))
    Effect.runForkWith(process.context)(taken).addObserver((exit) => {
      done = Exit.isSuccess(exit)
    })
  })
  if (!done) environment.later(RETRY, again)
}

const encoder = new TextEncoder()

const RETRY = 60_000
const MOST_TRIES = 60
