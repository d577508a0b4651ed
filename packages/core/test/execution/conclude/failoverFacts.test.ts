import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "../../../src/domain/Payment.ts"
import { failoverFacts } from "../../../src/execution/conclude/Failover.ts"
import { attempt, begun, find, operation } from "../../domain/records.ts"

const declared = {
  idempotency: { by: "none", lifetimeMs: 0 },
  canInquire: true,
  inquiresByName: true,
  chargesByReference: false,
  costlyInquiry: false,
  notFoundIsFinalAfterMs: null,
  declineIsFinal: true,
  rateLimitIsNotExecuted: false,
  abandonedAfterMs: null,
  cancelIsFinal: false,
  partial: false,
  lookBackMs: [],
  reports: "movement"
} as const
const policy = { on: ["soft_decline"], notOn: [], maxAttempts: 3, deadlineMs: 45_000 } as const
const sends = { answerTo: "send", now: 1000, unsettled: false, mayResend: true } as const

describe("the facts of an attempt", () => {
  it("are its own: what another attempt showed to the payer does not count", () => {
    const record: PaymentRecord = {
      ...begun,
      attempts: [attempt(1, { actionShown: true }), attempt(2), attempt(3, { actionShown: true })],
      operations: [operation(1), operation(2), operation(3)]
    }
    const shown = [1, 2, 3].map((seq) => failoverFacts(record, find(record, seq), declared, policy, sends).actionShown)
    assert.deepStrictEqual(shown, [true, false, true])
  })
})
