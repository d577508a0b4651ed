import { assert, describe, it } from "@effect/vitest"
import { decide } from "../../../src/execution/conclude/Failover.ts"
import type { Decision, FailoverFacts } from "../../../src/execution/conclude/Failover.ts"
import type { OutcomeOrRefusal } from "../../../src/resilience/Ended.ts"

/** The three columns of the table. */
const columns = {
  idempotent: { resendIsSafe: true, resendAnswersFirst: true, canInquire: true },
  "only inquiry": { resendIsSafe: false, resendAnswersFirst: false, canInquire: true },
  neither: { resendIsSafe: false, resendAnswersFirst: false, canInquire: false }
} as const
type Column = keyof typeof columns

const facts = (column: Column, over: Partial<FailoverFacts> = {}): FailoverFacts => ({
  kind: "create",
  rail: "card",
  answerTo: "send",
  unsettled: false,
  mayResend: true,
  rateLimitIsNotExecuted: false,
  declineIsFinal: true,
  actionShown: false,
  softDeclineLeft: true,
  notOn: [],
  notFoundIsFinal: false,
  ...columns[column],
  ...over
})

const summary = (decision: Decision): string => {
  switch (decision._tag) {
    case "Fail":
      return `Fail ${decision.failure.code}${decision.failure.retryable ? " retryable" : ""}`
    case "FailOver":
      return `FailOver or ${decision.otherwise.code}`
    case "Resend":
      return `Resend after ${decision.afterMs}`
    default:
      return decision._tag
  }
}

interface Row {
  readonly row: string
  readonly situation: OutcomeOrRefusal
  readonly over?: Partial<FailoverFacts>
  readonly expected: { readonly [column in Column]: string }
}

const everywhere = (word: string) => ({ idempotent: word, "only inquiry": word, neither: word })

const rows: ReadonlyArray<Row> = [
  {
    row: "row 1: breaker open, bulkhead full, adapter fault before sending → fail over",
    situation: { _tag: "NotExecuted", reason: "adapter_fault" },
    expected: everywhere("FailOver or provider_unavailable")
  },
  {
    row: "row 2: no request byte was written → fail over",
    situation: { _tag: "NotExecuted", reason: "not_sent" },
    expected: everywhere("FailOver or provider_unavailable")
  },
  {
    row: "row 3: reset on a reused socket → same key again, inquire, or hold",
    situation: { _tag: "Unknown", reason: "reset_reused" },
    expected: { idempotent: "Resend after 0", "only inquiry": "Inquire", neither: "Hold" }
  },
  {
    row: "row 4: no usable answer after sending → same key again, inquire, or hold",
    situation: { _tag: "Unknown", reason: "timeout" },
    expected: { idempotent: "Resend after 0", "only inquiry": "Inquire", neither: "Hold" }
  },
  {
    row: "row 4: after the last resend → inquire, or hold",
    situation: { _tag: "Unknown", reason: "timeout" },
    over: { mayResend: false },
    expected: { idempotent: "Inquire", "only inquiry": "Inquire", neither: "Hold" }
  },
  {
    row: "row 5: server error without a proof code → as row 4",
    situation: { _tag: "Unknown", reason: "server_error" },
    expected: { idempotent: "Resend after 0", "only inquiry": "Inquire", neither: "Hold" }
  },
  {
    row: "row 6: a declared proof code → fail over",
    situation: { _tag: "NotExecuted", reason: "proof_code" },
    expected: everywhere("FailOver or provider_unavailable")
  },
  {
    row: "row 7: 429 declared not executed → again after Retry-After, else fail over",
    situation: { _tag: "RateLimited", retryAfterMs: 700 },
    over: { rateLimitIsNotExecuted: true },
    expected: {
      idempotent: "Resend after 700",
      "only inquiry": "FailOver or provider_unavailable",
      neither: "FailOver or provider_unavailable"
    }
  },
  {
    row: "row 7: 429 declared not executed, no budget left → fail over",
    situation: { _tag: "RateLimited", retryAfterMs: 700 },
    over: { rateLimitIsNotExecuted: true, mayResend: false },
    expected: everywhere("FailOver or provider_unavailable")
  },
  {
    row: "row 7: 429 undeclared → as row 4",
    situation: { _tag: "RateLimited", retryAfterMs: 700 },
    expected: { idempotent: "Resend after 700", "only inquiry": "Inquire", neither: "Hold" }
  },
  {
    row: "row 8: our payload is invalid → the payment fails, no other provider is tried",
    situation: { _tag: "InvalidRequest" },
    expected: everywhere("Fail request_rejected")
  },
  {
    row: "row 9: our credentials are refused → fail over",
    situation: { _tag: "Misconfigured" },
    expected: everywhere("FailOver or provider_misconfigured")
  },
  ...(["kind", "payment"] as const).map((about) => ({
    row: `row 9a: the account is not enabled for the ${about} → fail over`,
    situation: { _tag: "AccountNotEnabled", about } as const,
    expected: everywhere("FailOver or account_not_enabled")
  })),
  {
    row: "row 9a: the account requires a fact that the payment lacks → fail over",
    situation: { _tag: "AccountNotEnabled", about: "customer.address" },
    expected: everywhere("FailOver or details_required")
  },
  ...(["capture", "cancel", "refund"] as const).map((kind) => ({
    row: `row 9a: a ${kind} that the account is not enabled for → terminal, at once`,
    situation: { _tag: "AccountNotEnabled", about: "kind" } as const,
    over: { kind },
    expected: everywhere("Fail account_not_enabled")
  })),
  {
    row: "row 10: duplicate or in progress → inquire the same provider, or hold",
    situation: { _tag: "Unknown", reason: "duplicate" },
    expected: { idempotent: "Inquire", "only inquiry": "Inquire", neither: "Hold" }
  },
  {
    row: "row 11: hard decline → terminal",
    situation: { _tag: "Declined", code: "lost_or_stolen", retry: "never" },
    expected: everywhere("Fail lost_or_stolen")
  },
  {
    row: "row 12: soft decline, final, nothing shown → fail over once",
    situation: { _tag: "Declined", code: "issuer_unavailable", retry: "other_provider" },
    expected: everywhere("FailOver or issuer_unavailable")
  },
  {
    row: "row 12: a second soft decline → terminal",
    situation: { _tag: "Declined", code: "issuer_unavailable", retry: "other_provider" },
    over: { softDeclineLeft: false },
    expected: everywhere("Fail issuer_unavailable retryable")
  },
  {
    row: "row 12: a soft decline that the rules take for a hard one → terminal",
    situation: { _tag: "Declined", code: "do_not_honor", retry: "other_provider" },
    over: { notOn: ["do_not_honor"] },
    expected: everywhere("Fail do_not_honor retryable")
  },
  {
    row: "row 13: insufficient funds → no failover, retryable",
    situation: { _tag: "Declined", code: "insufficient_funds", retry: "other_provider" },
    expected: everywhere("Fail insufficient_funds retryable")
  },
  {
    row: "row 13: authentication required → no failover",
    situation: { _tag: "Declined", code: "authentication_required", retry: "other_provider" },
    expected: everywhere("Fail authentication_required retryable")
  },
  {
    row: "row 13: any decline after a next_action was shown → no failover",
    situation: { _tag: "Declined", code: "issuer_unavailable", retry: "other_provider" },
    over: { actionShown: true },
    expected: everywhere("Fail issuer_unavailable retryable")
  },
  {
    row: "row 13: a decline that is not final → no failover",
    situation: { _tag: "Declined", code: "issuer_unavailable", retry: "other_provider" },
    over: { declineIsFinal: false },
    expected: everywhere("Fail issuer_unavailable retryable")
  },
  {
    row: "row 14: accepted or pending → wait, never another provider",
    situation: { _tag: "Pending" },
    expected: everywhere("Await")
  },
  {
    row: "row 15: not found too early → still unknown",
    situation: { _tag: "NotFound" },
    over: { answerTo: "attempt" },
    expected: { idempotent: "Inquire", "only inquiry": "Inquire", neither: "Hold" }
  },
  {
    row: "row 15: not found after notFoundIsFinalAfter → not executed",
    situation: { _tag: "NotFound" },
    over: { answerTo: "attempt", notFoundIsFinal: true, unsettled: true },
    expected: everywhere("FailOver or provider_unavailable")
  },
  {
    row: "row 18: capture, cancel and refund stay with their provider",
    situation: { _tag: "NotExecuted", reason: "not_sent" },
    over: { kind: "refund" },
    expected: everywhere("Resend after 0")
  },
  {
    row: "row 18: and fail there when no send is left",
    situation: { _tag: "NotExecuted", reason: "not_sent" },
    over: { kind: "capture", mayResend: false },
    expected: everywhere("Fail provider_unavailable retryable")
  },
  {
    row: "UPI fails over on not_executed only",
    situation: { _tag: "Declined", code: "issuer_unavailable", retry: "other_provider" },
    over: { rail: "upi" },
    expected: everywhere("Fail issuer_unavailable retryable")
  }
]

describe("the failover table", () => {
  const without = [
    "Retracted",
    "CaptureFailed",
    "RefundPending",
    "RefundSucceeded",
    "RefundFailed",
    "Unreadable"
  ] as const
  for (const _tag of [...without, "Disputed"] as const) {
    it(`${_tag} neither opens nor closes an attempt`, () => {
      for (const unsettled of [true, false]) {
        assert.deepStrictEqual(decide({ _tag }, facts("idempotent", { unsettled })), { _tag: "Await" })
      }
    })
  }

  for (const { expected, over, row, situation } of rows) {
    for (const column of ["idempotent", "only inquiry", "neither"] as const) {
      it(`${row} (${column})`, () => {
        assert.strictEqual(summary(decide(situation, facts(column, over))), expected[column])
      })
    }
  }
})

const nameOf = (situation: OutcomeOrRefusal): string =>
  "reason" in situation
    ? `${situation._tag} (${situation.reason})`
    : "about" in situation
      ? `${situation._tag} (${situation.about})`
      : situation._tag

describe("the rule over the table: once a send ended unknown, only a definite answer about the attempt settles it", () => {
  const afterUnknown: ReadonlyArray<OutcomeOrRefusal> = [
    { _tag: "NotExecuted", reason: "adapter_fault" },
    { _tag: "NotExecuted", reason: "not_sent" },
    { _tag: "NotExecuted", reason: "proof_code" },
    { _tag: "RateLimited", retryAfterMs: null },
    { _tag: "InvalidRequest" },
    { _tag: "Misconfigured" },
    { _tag: "AccountNotEnabled", about: "kind" },
    { _tag: "AccountNotEnabled", about: "customer.address" },
    { _tag: "Unknown", reason: "duplicate" }
  ]
  for (const situation of afterUnknown) {
    for (const column of ["idempotent", "only inquiry", "neither"] as const) {
      it(`${nameOf(situation)} after an unknown send leaves it unknown (${column})`, () => {
        const decision = decide(
          situation,
          facts(column, { unsettled: true, mayResend: false, rateLimitIsNotExecuted: true })
        )
        assert.strictEqual(decision._tag, column === "neither" ? "Hold" : "Inquire")
      })
    }
  }

  it("a decline answered to a resend under a live key is the first send's result", () => {
    const decline: OutcomeOrRefusal = { _tag: "Declined", code: "do_not_honor", retry: "same_later" }
    assert.strictEqual(
      summary(decide(decline, facts("idempotent", { unsettled: true }))),
      "Fail do_not_honor retryable"
    )
  })

  it("a decline by a provider whose key answers nothing leaves it unknown", () => {
    const decline: OutcomeOrRefusal = { _tag: "Declined", code: "do_not_honor", retry: "same_later" }
    const byReference = facts("idempotent", { unsettled: true, resendAnswersFirst: false })
    assert.strictEqual(decide(decline, byReference)._tag, "Inquire")
    assert.strictEqual(decide(decline, facts("neither", { unsettled: true }))._tag, "Hold")
  })

  it("money taken is accepted whatever came before", () => {
    for (const column of ["idempotent", "only inquiry", "neither"] as const) {
      assert.strictEqual(decide({ _tag: "Succeeded" }, facts(column, { unsettled: true }))._tag, "Accept")
    }
  })

  it("never fails over and never fails a payment while a send is unsettled, over every combination of facts", () => {
    const booleans = [true, false]
    const situations: ReadonlyArray<OutcomeOrRefusal> = [
      ...afterUnknown,
      { _tag: "NotFound" },
      { _tag: "Unknown", reason: "timeout" },
      { _tag: "Unknown", reason: "server_error" },
      { _tag: "Unknown", reason: "reset_reused" },
      { _tag: "Unknown", reason: "in_progress" }
    ]
    let checked = 0
    for (const situation of situations) {
      for (const column of ["idempotent", "only inquiry", "neither"] as const) {
        for (const mayResend of booleans) {
          for (const rateLimitIsNotExecuted of booleans) {
            for (const declineIsFinal of booleans) {
              for (const kind of ["create", "capture", "cancel", "refund"] as const) {
                const over = {
                  unsettled: true,
                  mayResend,
                  rateLimitIsNotExecuted,
                  declineIsFinal,
                  kind,
                  notFoundIsFinal: true
                }
                const { _tag } = decide(situation, facts(column, over))
                assert.include(["Resend", "Inquire", "Hold"], _tag)
                checked++
              }
            }
          }
        }
      }
    }
    assert.strictEqual(checked, situations.length * 3 * 8 * 4)
  })
})
