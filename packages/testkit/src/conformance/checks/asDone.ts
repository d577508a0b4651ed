import { flow } from "@paymux/core"
import { Effect } from "effect"
import type { LedgerPayment } from "../../fake/Ledger.ts"
import type { FaultOverride } from "../../fake/Vendor.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import type { Sample } from "../samples.ts"
import type { Ending, Stand, ConformanceContext } from "../ConformanceContext.ts"
import { describeEnding } from "../words.ts"
import { askedAfter, inquiredBy } from "./inquiries.ts"
import { laterKind } from "./laterKinds.ts"
import { answeredTag, nowAt, truthOf } from "./ledgerTruth.ts"
import { capturedOf, isAccepted, refunded, settled, takes, toldAmount } from "./money.ts"
import { observed } from "./observed.ts"

export const asDone: ConformanceCheck = {
  id: "as-done",
  title: "what is told as done is what the vendor did, to this payment, and no more",
  why:
    "A refund that failed and is told as done is never made: the customer waits, and the books are wrong. Vendors answer " +
    "200 to what they only took on, to what they refuse, and with words that they have added since.",
  howToFix:
    "Decide by the status in the answer, never by the HTTP status alone, with one case for each status that is documented " +
    "and `Outcome.unknown` by `unmapped` for all others. Tell the amount that the vendor tells, not `operation.amount`. " +
    "Emit what was seen at the vendor, and nothing else. Act on `operation.original`, and remember nothing.",
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
const overridden = ({ vendor: { faultOverrides } }: Stand, override: FaultOverride): Effect.Effect<boolean> =>
  Effect.as(faultOverrides?.[override] ?? Effect.void, faultOverrides?.[override] !== undefined)

const otherAmount = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const stand = yield* context.begin()
  if (!(yield* overridden(stand, "other_amount"))) return
  const operation = yield* stand.create(sample)
  const told = yield* stand.send(operation)
  yield* stand.vendor.payersAct
  const payment = (yield* stand.vendor.payments).at(-1)
  const tried = `a ${sample.name} create of which the vendor takes another amount than was asked`
  yield* hasItsAmount(stand, tried, payment, told)
  if (inquiredBy(context, "create") === null) return
  yield* hasItsAmount(stand, `${tried}, and an inquiry`, payment, yield* askedAfter(stand, operation, told))
})

const hasItsAmount = (stand: Stand, tried: string, payment: LedgerPayment | undefined, seen: Ending) => {
  const told = toldAmount(seen)
  const holds = told === null || told.minorUnits === payment?.amount.minorUnits
  return stand.expect(holds, { tried, expected: `the vendor's amount: ${payment?.amount.minorUnits ?? "none"}`, seen })
}

const newStatus = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const stand = yield* context.begin()
  if (!(yield* overridden(stand, "new_status"))) return
  const operation = yield* stand.create(sample)
  const told = yield* stand.send(operation)
  const tried = `a ${sample.name} create of a status that nobody published`
  const expected = "Unknown or Pending: nobody knows what the status says"
  yield* stand.expect(isOpen(told), { tried, expected, seen: told })
  if (inquiredBy(context, "create") === null) return
  const seen = yield* askedAfter(stand, operation, told)
  yield* stand.expect(isOpen(seen), { tried: `an inquiry about ${tried}`, expected, seen })
})

const isOpen = (seen: Ending): boolean => {
  const said = answeredTag(seen)
  return said === "Unknown" || said === "Pending"
}

const failedRefund = Effect.fnUntraced(function* (context: ConformanceContext) {
  const found = yield* laterKind(context, "refund")
  if (found === null || !(yield* overridden(found.stand, "refund_failed"))) return
  const { made, stand } = found
  const operation = yield* stand.later("refund", made)
  const told = yield* stand.send(operation)
  yield* stand.expect(answeredTag(told) !== "Succeeded", {
    tried: "a refund that fails",
    expected: "Declined: nothing was given back",
    seen: told
  })
  yield* stand.vendor.payersAct
  yield* isToldAsFailed(context, stand, "a refund that failed", operation, told)
})

const pendingRefund = Effect.fnUntraced(function* (context: ConformanceContext) {
  const found = yield* laterKind(context, "refund")
  if (found === null || !(yield* overridden(found.stand, "refund_pending"))) return
  const { made, stand } = found
  const operation = yield* stand.later("refund", made)
  const told = yield* stand.send(operation)
  const expected = "Pending: it is neither done nor failed yet"
  yield* stand.expect(isOpen(told), { tried: "a refund that is taken on, to be done later", expected, seen: told })
  if (inquiredBy(context, "refund") !== null) {
    const seen = yield* askedAfter(stand, operation, told)
    yield* stand.expect(isOpen(seen), { tried: "an inquiry about a refund that is not done yet", expected, seen })
  }
  if (!(yield* overridden(stand, "refund_failed"))) return
  yield* stand.vendor.payersAct
  yield* isToldAsFailed(context, stand, "a refund that was taken on and failed later", operation, told)
})

const isToldAsFailed = Effect.fnUntraced(function* (
  context: ConformanceContext,
  stand: Stand,
  what: string,
  operation: Parameters<Stand["send"]>[0],
  told: Ending
) {
  if (inquiredBy(context, "refund") === null) return
  const seen = yield* askedAfter(stand, operation, told)
  const said = answeredTag(seen)
  yield* stand.expect(said === "Declined" || said === "Unknown" || said === "NotFound", {
    tried: `an inquiry about ${what}`,
    expected: "Declined: nothing was given back",
    seen
  })
})

/** A vendor may give back instead what it cannot let go any more. */
const canceledTooLate = Effect.fnUntraced(function* (context: ConformanceContext) {
  if (context.capabilities.operations.cancel === undefined) return
  const captures = context.capabilities.operations.capture !== undefined
  const manual = captures ? context.samples.find((sample) => takes(sample, "manual")) : undefined
  const sample = manual ?? context.samples.find((each) => takes(each, "automatic"))
  if (sample === undefined) return
  const stand = yield* context.begin()
  const captureMethod = manual === undefined ? "automatic" : "manual"
  const made = yield* capturedOf(context, stand, yield* stand.paid(sample, { captureMethod }))
  if (made === null) return
  const operation = yield* stand.later("cancel", made)
  const told = yield* stand.send(operation)
  const now = yield* settled(stand, made)
  if (now.status === "canceled" || refunded(now) === now.captured) return
  const expected = "no Succeeded and no Canceled: the money is taken, and the vendor keeps it"
  const tried = `a cancel of a ${sample.name} payment that is captured`
  yield* stand.expect(answeredTag(told) !== "Succeeded", { tried, expected, seen: told })
  if (inquiredBy(context, "cancel") === null) return
  const seen = yield* askedAfter(stand, operation, told)
  const said = answeredTag(seen)
  yield* stand.expect(said !== "Succeeded" && said !== "Canceled", {
    tried: `an inquiry about ${tried}`,
    expected,
    seen
  })
})

/** Whether it is done at all to what can be made here. */
const isTaken = Effect.fnUntraced(function* (context: ConformanceContext, kind: Kind) {
  const found = yield* laterKind(context, kind)
  return found !== null && isAccepted(yield* found.stand.send(yield* found.stand.later(kind, found.made)))
})

/** The same instance has made another payment since. */
const ofThisPayment = Effect.fnUntraced(function* (context: ConformanceContext, kind: Kind) {
  const found = yield* laterKind(context, kind)
  if (found === null) return
  const { made, stand } = found
  const { amount, captureMethod, method } = made.operation
  const sample = context.samples.find((each) => flow(each.method) === flow(method))
  if (sample === undefined) return
  yield* stand.send(yield* stand.create({ ...sample, amount }, { captureMethod }))
  const ending = yield* stand.send(yield* stand.later(kind, made))
  // Who pays now what was to be canceled is not asked.
  const now = kind === "cancel" ? yield* nowAt(stand, made.payment) : yield* settled(stand, made)
  const isUnderWay = kind === "cancel" && answeredTag(ending) === "Pending"
  const isDone = truthOf(kind, now) === "Succeeded" || isUnderWay
  yield* stand.expect(isAccepted(ending) && isDone, {
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
