import type { ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import type { LedgerPayment } from "../../fake/Ledger.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import { type Sample, within } from "../samples.ts"
import type { Ending, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { describeEnding } from "../words.ts"
import { reportedAmount } from "./money.ts"

export const concurrent: ConformanceCheck = {
  id: "concurrent",
  title: "concurrent operations do not affect each other",
  why:
    "One instance handles many payments at the same time. If an adapter stores data of an operation outside of its " +
    "call, the response of another operation may be combined with it: a payer is charged for another payer's order.",
  howToFix:
    "Do not store data of an operation in a variable of the instance or the module: pass it from function to " +
    "function. An access token may be cached. A counter belongs in `context.state`.",
  check: (context) =>
    Effect.gen(function* () {
      for (const sample of context.samples) yield* Effect.scoped(atOnce(context, sample))
    })
}

const atOnce = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample) {
  const harness = yield* context.begin()
  const amounts = new Set([0, 1, 2, 3].map((step) => within(sample, sample.amount.minorUnits + step * 100)))
  const operations = yield* Effect.forEach([...amounts], (minorUnits) => harness.create(sample, { minorUnits }))
  const endings = yield* Effect.forEach(operations, harness.send, { concurrency: "unbounded" })
  const payments = yield* harness.vendor.payments
  const tried = `${operations.length} ${sample.name} creates at once on one instance, of ${listed([...amounts])}`
  const paid = payments.map(({ amount }) => amount.minorUnits)
  yield* harness.expect(listed(paid) === listed([...amounts]), {
    tried,
    expected: "one payment each at the vendor, over its own amount",
    seen: paid.length === 0 ? "no payment" : `payments of ${listed(paid)}`
  })
  for (const [index, operation] of operations.entries()) {
    const ending = endings[index]
    if (ending !== undefined) yield* isItsOwn(harness, tried, operation, ending, payments)
  }
  const references = endings.map(referenceOf).filter((reference) => reference !== undefined)
  yield* harness.expect(new Set(references).size === references.length, {
    tried,
    expected: "a reference each",
    seen: references.join(", ")
  })
})

const isItsOwn = Effect.fnUntraced(function* (
  harness: TestHarness,
  tried: string,
  { amount }: ProviderOperation,
  ending: Ending,
  payments: ReadonlyArray<LedgerPayment>
) {
  const reference = referenceOf(ending)
  const named = payments.find(({ id }) => id === reference)
  const said = [named?.amount.minorUnits, reportedAmount(ending)?.minorUnits].filter(
    (reported) => reported !== undefined
  )
  yield* harness.expect(
    ending._tag === "Answered" &&
      ending.answer._tag !== "Unknown" &&
      said.every((reported) => reported === amount.minorUnits),
    {
      tried,
      expected: `that of ${amount.minorUnits} is answered with its own payment`,
      seen: named === undefined ? ending : `${describeEnding(ending)}; ${named.id} is of ${named.amount.minorUnits}`
    }
  )
})

const referenceOf = (ending: Ending): string | undefined =>
  ending._tag === "Answered" ? ending.answer.reference : undefined

const listed = (amounts: ReadonlyArray<number>): string => [...amounts].sort((one, other) => one - other).join(", ")
