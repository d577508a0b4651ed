import { flow } from "@paymux/core"
import { Effect } from "effect"
import type { LedgerPayment } from "../../fake/Ledger.ts"
import type { FaultOverride } from "../../fake/Vendor.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import type { Sample } from "../samples.ts"
import type { Ending, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { describeEnding } from "../words.ts"
import { askedAfter, inquiredBy } from "./inquiries.ts"
import { laterKind } from "./laterKinds.ts"
import { answeredTag, nowAt, truthOf } from "./ledgerTruth.ts"
import { capturedOf, isAccepted, refunded, settled, takes, reportedAmount } from "./money.ts"
import { observed } from "./observed.ts"

export const asDone: ConformanceCheck = {
  id: "as-done",
  title: "an operation that is reported as done was done by the vendor, for this payment and in this amount",
  why:
    "If a failed refund is reported as done, it is never made: the customer waits, and the books are wrong. Vendors " +
    "answer 200 for requests that they only accepted, for requests that they refuse, and with statuses that they " +
    "added later.",
  howToFix:
    "Decide by the status in the body, never by the HTTP status alone: one case for each documented status, and " +
    "`Outcome.unknown` with `unmapped` for all others. Report the vendor's amount, not `operation.amount`. Emit only " +
    "what was seen at the vendor. Act on `operation.original`, and store nothing.",
  check: (context) =>
    Effect.gen(function* () {
      for (const sample of context.samples) {
        yield* observed(context, sample)
        yield* Effect.scoped(otherAmount(context, sample))
        yield* Effect.scoped(newStatus(context, sample))
      }
      yield* Effect.scoped(failedRefund(context))
      yield* Effect.scoped(pendingRefund(context))
      yield* Effect.scoped(canceledTooLate(context))
      for (const kind of ["capture", "cancel", "refund"] as const) {
        if (yield* Effect.scoped(isTaken(context, kind))) yield* Effect.scoped(ofThisPayment(context, kind))
      }
    })
}

/** Whether the vendor does so from now on. */
const overridden = ({ vendor: { faultOverrides } }: TestHarness, override: FaultOverride): Effect.Effect<boolean> =>
  Effect.as(faultOverrides?.[override] ?? Effect.void, faultOverrides?.[override] !== undefined)

const otherAmount = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  if (!(yield* overridden(harness, "other_amount"))) return
  const operation = yield* harness.create(sample)
  const reported = yield* harness.send(operation)
  yield* harness.vendor.payersAct
  const payment = (yield* harness.vendor.payments).at(-1)
  const tried = `a ${sample.name} create of which the vendor takes another amount than was asked`
  yield* hasItsAmount(harness, tried, payment, reported)
  if (inquiredBy(context, "create") === null) return
  yield* hasItsAmount(harness, `${tried}, and an inquiry`, payment, yield* askedAfter(harness, operation, reported))
})

const hasItsAmount = (harness: TestHarness, tried: string, payment: LedgerPayment | undefined, seen: Ending) => {
  const reported = reportedAmount(seen)
  const holds = reported === null || reported.minorUnits === payment?.amount.minorUnits
  return harness.expect(holds, {
    tried,
    expected: `the vendor's amount: ${payment?.amount.minorUnits ?? "none"}`,
    seen
  })
}

const newStatus = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  if (!(yield* overridden(harness, "new_status"))) return
  const operation = yield* harness.create(sample)
  const reported = yield* harness.send(operation)
  const tried = `a ${sample.name} create with an undocumented status`
  const expected = "Unknown or Pending: the meaning of the status is not known"
  yield* harness.expect(isOpen(reported), { tried, expected, seen: reported })
  if (inquiredBy(context, "create") === null) return
  const seen = yield* askedAfter(harness, operation, reported)
  yield* harness.expect(isOpen(seen), { tried: `an inquiry about ${tried}`, expected, seen })
})

const isOpen = (seen: Ending): boolean => {
  const said = answeredTag(seen)
  return said === "Unknown" || said === "Pending"
}

const failedRefund = Effect.fnUntraced(function* (context: ConformanceContext) {
  const found = yield* laterKind(context, "refund")
  if (found === null || !(yield* overridden(found.harness, "refund_failed"))) return
  const { made, harness } = found
  const operation = yield* harness.later("refund", made)
  const reported = yield* harness.send(operation)
  yield* harness.expect(answeredTag(reported) !== "Succeeded", {
    tried: "a refund that fails",
    expected: "Declined: nothing was given back",
    seen: reported
  })
  yield* harness.vendor.payersAct
  yield* isReportedAsFailed(context, harness, "a refund that failed", operation, reported)
})

const pendingRefund = Effect.fnUntraced(function* (context: ConformanceContext) {
  const found = yield* laterKind(context, "refund")
  if (found === null || !(yield* overridden(found.harness, "refund_pending"))) return
  const { made, harness } = found
  const operation = yield* harness.later("refund", made)
  const reported = yield* harness.send(operation)
  const expected = "Pending: it is neither done nor failed yet"
  yield* harness.expect(isOpen(reported), {
    tried: "a refund that is taken on, to be done later",
    expected,
    seen: reported
  })
  if (inquiredBy(context, "refund") !== null) {
    const seen = yield* askedAfter(harness, operation, reported)
    yield* harness.expect(isOpen(seen), { tried: "an inquiry about a refund that is not done yet", expected, seen })
  }
  if (!(yield* overridden(harness, "refund_failed"))) return
  yield* harness.vendor.payersAct
  yield* isReportedAsFailed(context, harness, "a refund that was taken on and failed later", operation, reported)
})

const isReportedAsFailed = Effect.fnUntraced(function* (
  context: ConformanceContext,
  harness: TestHarness,
  what: string,
  operation: Parameters<TestHarness["send"]>[0],
  reported: Ending
) {
  if (inquiredBy(context, "refund") === null) return
  const seen = yield* askedAfter(harness, operation, reported)
  const said = answeredTag(seen)
  yield* harness.expect(said === "Declined" || said === "Unknown" || said === "NotFound", {
    tried: `an inquiry about ${what}`,
    expected: "Declined: nothing was given back",
    seen
  })
})

/** A vendor may refund instead what it cannot cancel any more. */
const canceledTooLate = Effect.fnUntraced(function* (context: ConformanceContext) {
  if (context.capabilities.operations.cancel === undefined) return
  const captures = context.capabilities.operations.capture !== undefined
  const samples = context.samples.filter(({ cancelable }) => cancelable)
  const manual = captures ? samples.find((sample) => takes(sample, "manual")) : undefined
  const sample = manual ?? samples.find((each) => takes(each, "automatic"))
  if (sample === undefined) return
  const harness = yield* context.begin()
  const captureMethod = manual === undefined ? "automatic" : "manual"
  const made = yield* capturedOf(context, harness, yield* harness.paid(sample, { captureMethod }))
  if (made === null) return
  const operation = yield* harness.later("cancel", made)
  const reported = yield* harness.send(operation)
  const now = yield* settled(harness, made)
  if (now.status === "canceled" || refunded(now) === now.captured) return
  const expected = "no Succeeded and no Canceled: the money is taken, and the vendor keeps it"
  const tried = `a cancel of a ${sample.name} payment that is captured`
  yield* harness.expect(answeredTag(reported) !== "Succeeded", { tried, expected, seen: reported })
  if (inquiredBy(context, "cancel") === null) return
  const seen = yield* askedAfter(harness, operation, reported)
  const said = answeredTag(seen)
  yield* harness.expect(said !== "Succeeded" && said !== "Canceled", {
    tried: `an inquiry about ${tried}`,
    expected,
    seen
  })
})

/** Whether it is done at all to what can be made here. */
const isTaken = Effect.fnUntraced(function* (context: ConformanceContext, kind: Kind) {
  const found = yield* laterKind(context, kind)
  return found !== null && isAccepted(yield* found.harness.send(yield* found.harness.later(kind, found.made)))
})

/** The same instance has made another payment since. */
const ofThisPayment = Effect.fnUntraced(function* (context: ConformanceContext, kind: Kind) {
  const found = yield* laterKind(context, kind)
  if (found === null) return
  const { made, harness } = found
  const { amount, captureMethod, method } = made.operation
  const sample = context.samples.find((each) => flow(each.method) === flow(method))
  if (sample === undefined) return
  yield* harness.send(yield* harness.create({ ...sample, amount }, { captureMethod }))
  const ending = yield* harness.send(yield* harness.later(kind, made))
  // Who pays now what was to be canceled is not asked.
  const now = kind === "cancel" ? yield* nowAt(harness, made.payment) : yield* settled(harness, made)
  const isUnderWay = kind === "cancel" && answeredTag(ending) === "Pending"
  const isDone = truthOf(kind, now) === "Succeeded" || isUnderWay
  yield* harness.expect(isAccepted(ending) && isDone, {
    tried: `a ${kind}, after the same instance has made another payment`,
    expected: `Succeeded or Pending, and its own payment ${pastOf[kind]}`,
    seen: `${describeEnding(ending)}, and its own payment ${now?.status ?? "gone"}, captured ${now?.captured ?? 0}`
  })
})

type Kind = "capture" | "cancel" | "refund"

const pastOf: { readonly [kind in Kind]: string } = {
  capture: "captured",
  cancel: "canceled",
  refund: "refunded"
}
