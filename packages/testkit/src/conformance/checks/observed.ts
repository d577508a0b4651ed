/** What an adapter emits is judged by the vendor's ledger, as it is when it was emitted. */
import type { Evidence } from "@paymux/core"
import { wordOf } from "@paymux/core/store"
import { Effect } from "effect"
import type { ScriptedOutcome, LedgerPayment } from "../../fake/Ledger.ts"
import type { Sample } from "../samples.ts"
import type { TestHarness, ConformanceContext } from "../ConformanceContext.ts"

export const observed = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const [decline] = context.declineCodes
  const scriptedOutcomes: ReadonlyArray<ScriptedOutcome> = [
    "wait",
    "approve",
    ...(decline === undefined ? [] : [{ decline }])
  ]
  for (const scripted of scriptedOutcomes) yield* Effect.scoped(withScripted(context, sample, scripted))
})

const withScripted = Effect.fnUntraced(function* (
  context: ConformanceContext,
  sample: Sample,
  scripted: ScriptedOutcome
) {
  const harness = yield* context.begin()
  const reported = yield* harness.send(yield* harness.create(sample, { scripted }))
  yield* isTrue(harness, `a ${sample.name} create, before its payer has acted`)
  if (scripted === "wait" || reported._tag !== "Answered") return
  yield* harness.vendor.payersAct
  yield* isTrue(harness, `a ${sample.name} create, after its payer has acted`)
})

const isTrue = Effect.fnUntraced(function* (harness: TestHarness, tried: string) {
  const payment = (yield* harness.vendor.payments).at(-1)
  const lie = harness.emitted.find(({ outcome }) => !holds(outcome, payment))
  yield* harness.expect(lie === undefined, {
    tried: `${tried}: what the adapter emitted`,
    expected: `what the vendor's ledger shows: ${payment?.status ?? "no payment"}`,
    seen: `emitted ${JSON.stringify(lie?.outcome)}`
  })
})

const holds = (outcome: Evidence["outcome"], payment: LedgerPayment | undefined): boolean => {
  const status = payment?.status
  switch (outcome._tag) {
    case "Succeeded":
    case "Captured":
      return status === "captured" && isOf(outcome.amount, payment)
    case "Authorized":
      return (status === "authorized" || status === "captured") && isOf(outcome.amount, payment)
    case "Declined":
    case "Canceled":
    case "Expired":
      return status === wordOf(outcome)
    case "NotExecuted":
      return status === undefined || status === "draft"
    case "CaptureFailed":
    case "RefundPending":
    case "RefundSucceeded":
    case "RefundFailed":
    case "Disputed":
    case "Unreadable":
    case "NotBooked":
      // Nothing of the kind was asked for.
      return false
    case "Pending":
    case "Unknown":
    case "NotFound":
    case "Detected":
    case "Retracted":
      return true
  }
}

const isOf = (reported: LedgerPayment["amount"] | undefined, payment: LedgerPayment | undefined): boolean =>
  reported === undefined ||
  (reported.minorUnits === payment?.amount.minorUnits && reported.currency === payment.amount.currency)
