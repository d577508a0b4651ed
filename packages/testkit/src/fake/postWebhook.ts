/**
 * Posts a webhook as a vendor does, byte for byte, and answers the status: `post` twice, late or in another order what
 * `deliver` gave, or change it first.
 *
 * @example
 * ```ts
 * import { postWebhook, type Vendor } from "@paymux/testkit"
 * import { Effect } from "effect"
 *
 * const tellTwice = Effect.fnUntraced(function* (vendor: Vendor, url: string) {
 *   if (vendor.webhooks === null) return []
 *   const events = yield* vendor.webhooks.events
 *   const delivery = yield* vendor.webhooks.deliver(events.slice(-1))
 *   return [yield* postWebhook(url, delivery), yield* postWebhook(url, delivery)]
 * })
 * ```
 */
import { Effect } from "effect"
import type { Delivery } from "./Vendor.ts"

export const postWebhook = (url: string, { body, headers }: Delivery): Effect.Effect<number> =>
  Effect.promise(async (signal) => {
    const response = await fetch(url, { method: "POST", body: new Uint8Array(body), headers: { ...headers }, signal })
    await response.arrayBuffer()
    return response.status
  })
