import { Effect } from "effect"
import type { LedgerPayment } from "../../fake/Ledger.ts"
import type { ConformanceCheck, CheckFacts } from "../ConformanceCheck.ts"
import { type Sample, within } from "../samples.ts"
import type { Ending, Paid, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { describeEnding } from "../words.ts"
import { isAccepted, refunded, settled, taken, takes, reportedAmount } from "./money.ts"

export const neverExceed: ConformanceCheck = {
  id: "never-exceed",
  title: "a capture or refund moves exactly the requested amount, and never more than is available",
  why:
    "The engine records the amount that the adapter reports. A partial capture that takes the whole amount " +
    "overcharges the payer. A refund that the vendor refused, but the adapter reports as done, is never paid to the " +
    "customer.",
  howToFix:
    "Send `operation.amount` of the capture or refund, not `operation.original.amount`. If the vendor refuses an " +
    "amount as too large, return `Declined`. Report the amount in the vendor's response.",
  exempt: (facts) =>
    facts.capabilities.operations.capture === undefined && facts.capabilities.operations.refund === undefined
      ? "it declares neither capture nor refund"
      : null,
  check: (context) =>
    Effect.gen(function* () {
      const { capture, refund } = context.capabilities.operations
      for (const sample of context.samples) {
        if (capture !== undefined && takes(sample, "manual")) yield* captures(context, sample)
        if (refund === undefined) continue
        yield* Effect.scoped(wholeRefund(context, sample))
        if (!isPartial(context, "refund")) continue
        yield* Effect.scoped(refundsInParts(context, sample))
        yield* Effect.scoped(refundOfTooMuch(context, sample))
        if (isPartial(context, "capture") && takes(sample, "manual")) {
          yield* Effect.scoped(refundOfCapturedPart(context, sample))
        }
      }
    })
}

type Kind = "capture" | "refund"

const isPartial = ({ capabilities }: Pick<CheckFacts, "capabilities">, kind: Kind) =>
  capabilities.operations[kind]?.partial ?? false

const captures = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const attempt = (share: (whole: number) => number) =>
    Effect.scoped(
      Effect.gen(function* () {
        const harness = yield* context.begin()
        const made = yield* harness.paid(sample, { captureMethod: "manual", minorUnits: whole(sample) })
        const asked = share(made.payment.amount.minorUnits)
        return asked === 0 ? true : yield* moved(harness, made, "capture", asked, asked)
      })
    )
  const isAtOnce = yield* attempt((all) => all)
  // One that takes the whole and nothing else need not even send an amount.
  if (!isPartial(context, "capture")) return
  yield* attempt(smaller)
  yield* Effect.scoped(
    Effect.gen(function* () {
      const harness = yield* context.begin()
      const made = yield* harness.paid(sample, { captureMethod: "manual", minorUnits: whole(sample) })
      yield* refused(harness, made, "capture", made.payment.amount.minorUnits + 1, isAtOnce)
    })
  )
})

/** And once more: there is nothing left. */
const wholeRefund = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  const made = yield* taken(context, harness, sample, { minorUnits: whole(sample) })
  if (made === null) return
  const { captured } = made.payment
  const isAtOnce = yield* moved(harness, made, "refund", captured, captured)
  yield* refused(harness, made, "refund", captured, isAtOnce)
})

/** Two thirds, two thirds again, and what is left. */
const refundsInParts = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  const made = yield* taken(context, harness, sample, { minorUnits: whole(sample) })
  if (made === null || made.payment.captured < 3) return
  const { captured } = made.payment
  const part = smaller(captured)
  const isAtOnce = yield* moved(harness, made, "refund", part, part)
  yield* refused(harness, made, "refund", part, isAtOnce)
  yield* moved(harness, made, "refund", captured - part, captured)
})

const refundOfTooMuch = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  const made = yield* taken(context, harness, sample, { minorUnits: whole(sample) })
  if (made === null) return
  const { captured } = made.payment
  yield* refused(harness, made, "refund", captured + 1, yield* refundsAtOnce(context, sample))
})

const refundOfCapturedPart = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  const held = yield* harness.paid(sample, { captureMethod: "manual", minorUnits: whole(sample) })
  const part = smaller(held.payment.amount.minorUnits)
  if (part === 0) return
  yield* moved(harness, held, "capture", part, part)
  const made = { ...held, payment: yield* settled(harness, held) }
  yield* refused(harness, made, "refund", part + 1, yield* refundsAtOnce(context, sample))
  yield* moved(harness, made, "refund", part, part)
})

/** Whether this vendor says at once what becomes of a refund: where it does not, `Pending` promises nothing. */
const refundsAtOnce = (context: ConformanceContext, sample: Sample) =>
  Effect.scoped(
    Effect.gen(function* () {
      const harness = yield* context.begin()
      const made = yield* taken(context, harness, sample, { minorUnits: whole(sample) })
      return made === null || !isPending(yield* harness.send(yield* harness.later("refund", made)))
    })
  )

/** `asked` is moved, after which `total` is. Whether it was done at once. */
const moved = Effect.fnUntraced(function* (harness: TestHarness, made: Paid, kind: Kind, asked: number, total: number) {
  const ending = yield* harness.send(yield* harness.later(kind, made, { minorUnits: asked }))
  const payment = yield* settled(harness, made)
  const reported = reportedAmount(ending)
  yield* harness.expect(
    isAccepted(ending) && movedBy(kind, payment) === total && (reported?.minorUnits ?? asked) === asked,
    {
      tried: `a ${kind} of ${asked} of a payment ${stateOf(made.payment)}`,
      expected: `Succeeded (or Pending) with ${asked}, after which ${total} in all is ${done[kind]} at the vendor`,
      seen: `${describeEnding(ending)}; ${movedBy(kind, payment)} in all is ${done[kind]} at the vendor`
    }
  )
  return !isPending(ending)
})

/** More than is available: no more than that moves, and no success is reported. */
const refused = Effect.fnUntraced(function* (
  harness: TestHarness,
  made: Paid,
  kind: Kind,
  asked: number,
  isAtOnce: boolean
) {
  const payment = yield* settled(harness, made)
  const ending = yield* harness.send(yield* harness.later(kind, made, { minorUnits: asked }))
  const after = yield* settled(harness, made)
  const isWithin = after.captured <= after.amount.minorUnits && refunded(after) <= after.captured
  const isDone = saidDone(ending, asked, isAtOnce) <= movedBy(kind, after) - movedBy(kind, payment)
  yield* harness.expect(isWithin && isDone, {
    tried: `a ${kind} of ${asked} of a payment ${stateOf(payment)}`,
    expected: "Declined: there is not so much, and nothing more is said to be done than what the vendor did",
    seen: `${describeEnding(ending)}; ${movedBy(kind, after)} in all is ${done[kind]} at the vendor`
  })
})

/** How much the adapter says is moved. */
const saidDone = (ending: Ending, asked: number, isAtOnce: boolean): number => {
  if (ending._tag !== "Answered") return 0
  switch (ending.answer._tag) {
    case "Succeeded":
    case "Authorized":
      return ending.answer.amount?.minorUnits ?? asked
    case "Pending":
      return isAtOnce ? asked : 0
    default:
      return 0
  }
}

const isPending = (ending: Ending) => ending._tag === "Answered" && ending.answer._tag === "Pending"

const movedBy = (kind: Kind, payment: LedgerPayment) => (kind === "capture" ? payment.captured : refunded(payment))

const done = { capture: "captured", refund: "refunded" }

const stateOf = (payment: LedgerPayment) =>
  payment.captured === 0
    ? `that holds ${payment.amount.minorUnits}`
    : `of which ${payment.captured} is captured and ${refunded(payment)} refunded`

const whole = (sample: Sample) => within(sample, 10_000)

/** Two thirds of it, in tens where it can be (a card network settles three decimals in tens); 0: it has no parts. */
const smaller = (all: number): number => {
  if (all < 2) return 0
  const part = all - Math.max(1, Math.floor(all / 3))
  return part < 100 ? part : part - (part % 10)
}
