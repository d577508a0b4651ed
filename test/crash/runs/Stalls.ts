/**
 * An engine stops in the middle of its work for longer than any claim or deadline holds, and goes on as if nothing had
 * been: on PostgreSQL another one has done its work by then.
 */
import type { CrashPoint } from "../CrashPoints.ts"
import { withHarness } from "../TestHarness.ts"
import type { HarnessReport } from "../TestHarness.ts"

export interface StallsReport extends HarnessReport {
  /** Where it stalled. */
  readonly stalls: ReadonlyArray<CrashPoint>
}

/** Where a second worker could take the same job: with the claim in its hands, before a send, before a commit. */
export const stallPoints: ReadonlyArray<CrashPoint> = [
  "begin.after",
  "create.before",
  "create.replied",
  "advance.first_outcome.before",
  "advance.evidence.before",
  "advance.resumed.before",
  "advance.resumed.after",
  "capture.replied",
  "refund.before",
  "claim_due.after",
  "inquire.replied",
  "inbox.claim.after"
]

/** ms: a minute of the engines' time. A claim holds 15 s, a send 35 s. */
const STALL = 3_000
const PATIENCE = 8_000

export const stalls = async (options: {
  readonly database?: string
  readonly engines: number
  readonly points: ReadonlyArray<CrashPoint>
}): Promise<StallsReport> => {
  const { database, engines, points } = options
  const stalled: Array<CrashPoint> = []
  const harness = { name: "stall", rate: 20, engines, ...(database !== undefined && { database }) }
  const report = await withHarness(harness, async (harness) => {
    for (const point of points) {
      if (await harness.engines[0]?.stallAt(point, 1, STALL, PATIENCE)) stalled.push(point)
    }
  })
  return { ...report, stalls: stalled }
}
