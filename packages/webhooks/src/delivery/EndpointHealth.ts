/** Updates the health of an endpoint from the results of attempts: failing, recovered or disabled. */
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import { WebhookEndpoints } from "../endpoint/Endpoints.ts"
import type { DisabledReason, WebhookEndpoint } from "../endpoint/WebhookEndpoint.ts"
import { failingDays, hasFailedFor } from "./DeliveryResult.ts"

export type Services = WebhookEndpoints

export interface EndpointResult {
  /** The endpoint as it was when the attempt started. */
  readonly endpoint: WebhookEndpoint
  /** The result of the attempt. `gone`: the endpoint answered 410. */
  readonly how: "succeeded" | "failed" | "gone"
  /** The time when the attempt ended, ms UTC. */
  readonly at: number
  /** The time before which the endpoint asked for no requests, ms UTC. */
  readonly pausedUntil: number | null
}

interface EndpointChange {
  readonly isGone: boolean
  /** Whether an attempt succeeded at an endpoint that was failing. */
  readonly recovered: boolean
  /** The last failed attempt; `null` if the last attempt succeeded. */
  readonly failed: { readonly at: number; readonly pausedUntil: number | null } | null
}

/**
 * Combines the results of attempts to one endpoint, in order, into one change of its health. A failure before a success
 * counts only if the endpoint requested a pause.
 *
 * @internal Exported for its own test.
 */
export const endpointChange = (results: ReadonlyArray<EndpointResult>): EndpointChange => {
  const lastSuccess = results.findLastIndex(({ how }) => how === "succeeded")
  const counted = results.filter(
    ({ how, pausedUntil }, index) => how === "failed" && (index > lastSuccess || pausedUntil !== null)
  )
  const [first] = counted
  const pauses = counted.flatMap(({ pausedUntil }) => (pausedUntil === null ? [] : [pausedUntil]))
  return {
    isGone: results.some(({ how }) => how === "gone"),
    recovered: results.some(({ endpoint, how }) => how === "succeeded" && endpoint.failingSince !== null),
    failed: first === undefined ? null : { at: first.at, pausedUntil: pauses.length === 0 ? null : Math.max(...pauses) }
  }
}

/**
 * Stores the health of one endpoint. Disables the endpoint after a response with status 410, or after failures for too
 * long.
 */
export const update: (
  results: ReadonlyArray<EndpointResult>,
  disableAfter: number
) => Effect.Effect<void, StoreUnavailable, Services> = Effect.fnUntraced(function* (results, disableAfter) {
  const endpoints = yield* WebhookEndpoints
  const last = results.at(-1)
  if (last === undefined) return
  const { endpoint } = last
  const { failed, isGone, recovered } = endpointChange(results)
  if (isGone) return yield* disable(endpoint, "gone", endpoints.disableGone(endpoint, endpoint.id))
  if (recovered) yield* endpoints.succeeded(endpoint.id)
  if (failed === null) return
  yield* endpoints.failed(endpoint.id, failed.at, failed.pausedUntil)
  if (recovered || endpoint.failingSince === null || !hasFailedFor(endpoint.failingSince, disableAfter, last.at)) return
  // `disableFailing` compares `failingSince` again in the database, since another attempt may have succeeded meanwhile.
  return yield* disable(
    endpoint,
    "failing",
    endpoints.disableFailing(endpoint, endpoint.id, endpoint.failingSince, failingDays(disableAfter))
  )
})

const disable = Effect.fnUntraced(function* (
  endpoint: WebhookEndpoint,
  reason: DisabledReason,
  disabling: Effect.Effect<boolean, StoreUnavailable>
) {
  if (!(yield* disabling)) return
  yield* Effect.logError(
    `Webhooks: endpoint ${endpoint.id} of account ${endpoint.account} (${endpoint.livemode ? "live" : "test"} mode) is ` +
      `disabled: ${words[reason]}. After fixing the receiver, run: paymux webhooks enable ${endpoint.id}, then resend --since.`
  )
})

const words: { readonly [reason in DisabledReason]: string } = {
  gone: "it answered 410",
  failing: "every attempt has failed for days",
  operator: "an operator disabled it"
}
