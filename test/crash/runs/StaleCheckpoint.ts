/**
 * An engine stalls with a card payment in its hands, before its provider's first request. Another one finds the orphan
 * and settles it. Then the first one goes on: it makes an order that is not needed, and must not write it down over the
 * one that was paid.
 */
import { paymentOf } from "../Traffic.ts"
import { requestOf } from "../Scenarios.ts"
import { withHarness } from "../TestHarness.ts"
import type { HarnessReport } from "../TestHarness.ts"

export interface StaleCheckpointReport extends HarnessReport {
  readonly stalled: boolean
  /** The status that the capture afterwards was answered with. */
  readonly captured: string
}

/** ms: 80 s of the engines' time; the orphan is found after 35 s. */
const STALL = 4_000

export const staleCheckpoint = async (options: { readonly database: string }): Promise<StaleCheckpointReport> => {
  let stalled = false
  let captured = ""
  const harness = { name: "stale", database: options.database, engines: 2, rate: 20, concurrency: 0 }
  const report = await withHarness(harness, async ({ engines: [engine], merchant }) => {
    if (engine === undefined) return
    // The first create is alpha's, which does not execute it; the second beta's.
    const stalling = engine.stallAt("create.before", 2, STALL, 10_000)
    const asked = { rail: "card", manual: true, alpha: "not_executed" } as const
    const { id } = paymentOf(await merchant.post("/v1/payments", "stale-1", requestOf(asked)))
    stalled = await stalling
    if ((await merchant.waitFor(id, "authorized", 5_000)) === null) return
    captured = paymentOf(await merchant.post(`/v1/payments/${id}/capture`, "stale-2", {})).status
  })
  return { ...report, stalled, captured }
}
