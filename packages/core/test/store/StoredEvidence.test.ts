import { assert, describe, it } from "@effect/vitest"
import { isCurrency } from "../../src/domain/Money.ts"
import type { OperationId } from "../../src/domain/Ids.ts"
import type { Evidence } from "../../src/domain/Evidence.ts"
import type { Outcome } from "../../src/domain/Outcome.ts"
import { decodeEvidence, encodeEvidence, wordOf } from "../../src/store/StoredEvidence.ts"

const currency = "EUR"
const amount = { minorUnits: 1200, currency: isCurrency(currency) ? currency : assert.fail() }
const nextAction = { type: "redirect", url: "https://pay.example.com/1", expiresAt: null } as const

/** Each outcome without and with its optional facts, and the claim that it is stored as. */
const cases: ReadonlyArray<readonly [Outcome, { readonly kind: string; readonly [fact: string]: unknown }]> = [
  [{ _tag: "Succeeded" }, { kind: "succeeded", amount: null }],
  [
    { _tag: "Succeeded", amount },
    { kind: "succeeded", amount }
  ],
  [
    { _tag: "Authorized", amount },
    { kind: "authorized", amount }
  ],
  [{ _tag: "Pending" }, { kind: "pending", nextAction: null, awaitingFinality: false }],
  [
    { _tag: "Pending", nextAction, awaitingFinality: true },
    { kind: "pending", nextAction, awaitingFinality: true }
  ],
  [
    { _tag: "Declined", code: "do_not_honor", retry: "never" },
    { kind: "declined", code: "do_not_honor", retry: "never" }
  ],
  [
    { _tag: "NotExecuted", reason: "not_sent" },
    { kind: "not_executed", reason: "not_sent" }
  ],
  [
    { _tag: "NotExecuted", reason: "refused" },
    { kind: "not_executed", reason: "refused" }
  ],
  [
    { _tag: "Unknown", reason: "timeout" },
    { kind: "unknown", reason: "timeout" }
  ],
  [{ _tag: "NotFound" }, { kind: "not_found" }],
  [{ _tag: "Expired" }, { kind: "expired" }],
  [{ _tag: "Canceled" }, { kind: "canceled" }],
  [{ _tag: "Detected" }, { kind: "detected", amount: null, asset: null }],
  [
    { _tag: "Detected", amount, asset: "USDC" },
    { kind: "detected", amount, asset: "USDC" }
  ],
  [{ _tag: "Retracted" }, { kind: "retracted" }],
  [
    { _tag: "Captured", amount },
    { kind: "captured", amount }
  ],
  [{ _tag: "CaptureFailed" }, { kind: "capture_failed" }],
  [{ _tag: "RefundPending" }, { kind: "refund_pending" }],
  [
    { _tag: "RefundSucceeded", amount },
    { kind: "refund_succeeded", amount }
  ],
  [{ _tag: "RefundFailed" }, { kind: "refund_failed" }],
  [{ _tag: "Unreadable" }, { kind: "unreadable" }],
  [{ _tag: "Disputed" }, { kind: "disputed" }]
]

const about = { operation: "op_01jd8w6x2vh6k9v0q3f7m5t1ac" as OperationId }
const details = { reference: "ch_1", vendorCode: "51" }
const evidence = (outcome: Outcome): Evidence => ({
  source: "webhook",
  about,
  outcome,
  eventId: "evt_1",
  occurredAt: 1_000
})

describe("stored evidence", () => {
  it.each(cases)("%o is stored as %o, and read as it was", (outcome, claim) => {
    const beside = { source: "webhook", about, claim, eventId: "evt_1", occurredAt: 1_000 }
    const stored = { ...beside, reference: null, vendorCode: null }
    assert.deepStrictEqual(encodeEvidence(evidence(outcome)), stored)
    assert.deepStrictEqual(decodeEvidence(stored), evidence(outcome))
    const named = evidence({ ...outcome, ...details })
    assert.deepStrictEqual(encodeEvidence(named), { ...beside, ...details })
    assert.deepStrictEqual(decodeEvidence(JSON.parse(JSON.stringify(encodeEvidence(named)))), named)
    assert.strictEqual(wordOf(outcome), claim.kind)
  })

  it("cannot be read without a known word", () => {
    for (const claim of [undefined, null, "succeeded", {}, { kind: "paid" }, { kind: "Succeeded" }]) {
      assert.isNull(decodeEvidence({ source: "webhook", about, claim }))
    }
  })
})
