import { Effect } from "effect"
import { describeFault, type Fault } from "../../fake/Fault.ts"
import type { LedgerPayment } from "../../fake/Ledger.ts"
import { anyOf, without } from "../exemptions.ts"
import type { ConformanceCheck, CheckFacts } from "../ConformanceCheck.ts"
import { type Sample, within } from "../samples.ts"
import type { Ending, Paid, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { describeEnding } from "../words.ts"
import { someNoAnswers } from "./faults.ts"
import { isAccepted, settled, taken } from "./money.ts"

export const equalRefunds: ConformanceCheck = {
  id: "equal-refunds",
  title: "two equal refunds are two refunds, and a refund that is sent twice is one",
  why:
    "A shop refunds 5.00 for one item and 5.00 for another: both are due. A refund whose response was lost is sent " +
    "again under its key: if that creates another refund, the money is returned twice.",
  howToFix:
    "Send the refund's own `operation.key` (or `operation.id` as its reference). Never derive a key from the payment " +
    "and the amount, never use the payment's key, and never create a new key for each send. Do not search for an " +
    "equal refund before you send.",
  exempt: anyOf(without("refund"), (facts) =>
    isPartial(facts) || isRepeatable(facts)
      ? null
      : "it refunds a payment as a whole, and declares no idempotency of refunds: there are no two"
  ),
  check: (context) =>
    Effect.gen(function* () {
      for (const sample of context.samples) {
        if (isPartial(context)) yield* Effect.scoped(twoEqual(context, sample))
        if (!isRepeatable(context)) continue
        const requests = yield* Effect.scoped(sentTwice(context, sample))
        for (let request = 0; request < requests; request++) {
          for (const fault of someNoAnswers) yield* Effect.scoped(sentAgain(context, sample, fault, request))
        }
      }
    })
}

type Facts = Pick<CheckFacts, "capabilities">

const isPartial = ({ capabilities }: Facts) => capabilities.operations.refund?.partial ?? false

const by = ({ capabilities }: Facts) => capabilities.operations.refund?.idempotency?.by ?? "none"

/** The vendor itself makes one of two. */
const isRepeatable = (facts: Facts) => by(facts) === "reference" || answersAgain(facts)

const answersAgain = (facts: Facts) => by(facts) === "header" || by(facts) === "body"

const twoEqual = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  const made = yield* refundable(context, harness, sample)
  if (made === null || made.payment.captured < 2) return
  const minorUnits = part(context, made)
  const tried = `two refunds of ${minorUnits} of the same ${sample.name} payment, of other ids and keys`
  for (const count of [1, 2]) {
    const ending = yield* harness.send(yield* harness.later("refund", made, { minorUnits }))
    yield* isSo(harness, tried, made, { count, minorUnits, ending, isRight: isAccepted(ending) })
  }
})

/** How many requests one refund takes. */
const sentTwice = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  const made = yield* refundable(context, harness, sample)
  if (made === null) return 0
  const minorUnits = part(context, made)
  const operation = yield* harness.later("refund", made, { minorUnits })
  const before = yield* requestsOf(harness)
  const first = yield* harness.send(operation)
  const requests = (yield* requestsOf(harness)) - before
  const tried = `a refund of ${minorUnits} of a ${sample.name} payment`
  yield* isSo(harness, tried, made, { count: 1, minorUnits, ending: first, isRight: isAccepted(first) })
  const ending = yield* harness.send(harness.again(operation, first))
  const isRight = !answersAgain(context) || isAccepted(ending)
  yield* isSo(harness, `${tried}, and the same operation again`, made, { count: 1, minorUnits, ending, isRight })
  return requests
})

/** In between another one like it: neither is taken for the other. */
const sentAgain = Effect.fnUntraced(function* (
  context: ConformanceContext,
  sample: Sample,
  fault: Fault,
  request: number
) {
  const harness = yield* context.begin()
  const made = yield* refundable(context, harness, sample)
  if (made === null) return
  const minorUnits = part(context, made)
  const operation = yield* harness.later("refund", made, { minorUnits })
  yield* harness.vendor.network?.failNext(fault, request) ?? Effect.void
  const first = yield* harness.send(operation)
  let tried = `a refund of ${minorUnits} of a ${sample.name} payment, its request ${request + 1}: ${describeFault(fault)}`
  const hasOther = isPartial(context) && made.payment.captured > 1
  if (hasOther) {
    yield* harness.send(yield* harness.later("refund", made, { minorUnits }))
    tried += "; another one like it"
  }
  const ending = yield* (yield* harness.restart).send(harness.again(operation, first))
  const isRight = !answersAgain(context) || isAccepted(ending)
  tried += "; then the first operation again"
  yield* isSo(harness, tried, made, { count: hasOther ? 2 : 1, minorUnits, ending, isRight })
})

const isSo = Effect.fnUntraced(function* (
  harness: TestHarness,
  tried: string,
  made: Paid,
  {
    count,
    ending,
    isRight,
    minorUnits
  }: { readonly count: number; readonly minorUnits: number; readonly ending: Ending; readonly isRight: boolean }
) {
  const payment = yield* settled(harness, made)
  const isDone = payment.refunds.length === count && payment.refunds.every((each) => each.minorUnits === minorUnits)
  yield* harness.expect(isRight && isDone, {
    tried,
    expected: `${counted(count)} of ${minorUnits} at the vendor, the last answered with Succeeded or Pending`,
    seen: `${described(payment)} at the vendor, the last answered with ${describeEnding(ending)}`
  })
})

const described = ({ refunds }: LedgerPayment) =>
  refunds.length === 0
    ? "no refund"
    : `${counted(refunds.length)} (${refunds.map(({ minorUnits }) => minorUnits).join(" + ")})`

const counted = (count: number) => (count === 1 ? "1 refund" : `${count} refunds`)

const refundable = (context: ConformanceContext, harness: TestHarness, sample: Sample) =>
  taken(context, harness, sample, { minorUnits: within(sample, 10_000) })

/** So that two fit, where there can be two. */
const part = (facts: Facts, { payment }: Paid): number =>
  isPartial(facts) ? Math.max(1, Math.floor(payment.captured / 2)) : payment.captured

const requestsOf = ({ vendor }: TestHarness) =>
  vendor.network === null ? Effect.succeed(0) : Effect.map(vendor.network.requests, ({ length }) => length)
