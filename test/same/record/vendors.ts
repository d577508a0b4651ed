/** Fakes of vendors, which this program runs for each side, so that both sides talk to the same vendor. */
import {
  optionsOf as razorpayOptions,
  fake as razorpay
} from "../../../packages/adapters/razorpay/src/testing/index.ts"
import { optionsOf as stripeOptions, fake as stripe } from "../../../packages/adapters/stripe/src/testing/index.ts"
import type { Vendor } from "@paymux/testkit"
import { Effect, Exit, Scope } from "effect"
import type { VendorEntry, VendorName } from "../corpus/Entry.ts"

export interface RunningVendor {
  /** As they stand in the configuration of the adapter. */
  readonly options: { readonly [option: string]: unknown }
  /** What is to be posted, as it was signed. */
  readonly act: (entry: VendorEntry) => Promise<ReadonlyArray<Posted>>
  readonly close: () => Promise<void>
}

interface Posted {
  readonly headers: { readonly [name: string]: string }
  readonly body: Uint8Array
}

export const startVendor = async (name: VendorName): Promise<RunningVendor> => {
  const scope = Scope.makeUnsafe()
  const started = <A>(starting: Effect.Effect<A, never, Scope.Scope>) =>
    Effect.runPromise(Scope.provide(starting, scope))
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  switch (name) {
    case "razorpay": {
      const vendor = await started(razorpay.start({ mode: "test" }))
      return { options: razorpayOptions(vendor), act: acting(vendor), close }
    }
    case "stripe": {
      const vendor = await started(stripe.start({ mode: "test" }))
      return { options: stripeOptions(vendor), act: acting(vendor), close }
    }
  }
}

const acting = ({ decide, payersAct, webhooks }: Vendor): RunningVendor["act"] => {
  let posted = 0
  return async ({ payers = "approve", post }) => {
    await Effect.runPromise(Effect.andThen(decide(payers), payersAct))
    if (webhooks === null || post === "none") return []
    const events = await Effect.runPromise(webhooks.events)
    const chosen = post === "again" || post === "tampered" ? events.slice(0, posted) : events.slice(posted)
    if (post === "now") posted = events.length
    const deliveries = await Promise.all(chosen.map((event) => Effect.runPromise(webhooks.deliver([event]))))
    return deliveries.map(({ body, headers }) => ({
      headers,
      body: post === "tampered" ? new TextEncoder().encode(`${new TextDecoder().decode(body)} `) : body
    }))
  }
}
