/** What the checks about money share: payments with the money taken, and what is said and kept of it. */
import type { Money } from "@paymux/core"
import { Effect } from "effect"
import type { LedgerPayment } from "../../fake/Ledger.ts"
import type { CheckFailed } from "../ConformanceCheck.ts"
import type { Sample } from "../samples.ts"
import type { CreateOptions, Ending, Paid, TestHarness, ConformanceContext } from "../ConformanceContext.ts"

/** The vendor's side of a payment as it is now, when what had to be waited for has happened. */
export const settled = Effect.fnUntraced(function* ({ vendor }: TestHarness, { payment }: Paid) {
  yield* vendor.payersAct
  return (yield* vendor.payments).find(({ id }) => id === payment.id) ?? payment
})

/** A payment of which the money is taken: captured by a second operation where the method only holds. */
export const taken = Effect.fnUntraced(function* (
  context: ConformanceContext,
  harness: TestHarness,
  sample: Sample,
  options?: CreateOptions
): Effect.fn.Return<Paid | null, CheckFailed> {
  return yield* capturedOf(context, harness, yield* harness.paid(sample, options))
})

/** `null`: its money is held, and captures are not declared. */
export const capturedOf = Effect.fnUntraced(function* (
  context: ConformanceContext,
  harness: TestHarness,
  made: Paid
): Effect.fn.Return<Paid | null, CheckFailed> {
  if (made.payment.status === "captured") return made
  if (context.capabilities.operations.capture === undefined) return null
  const ending = yield* harness.send(yield* harness.later("capture", made))
  const payment = yield* settled(harness, made)
  yield* harness.expect(isAccepted(ending) && payment.status === "captured", {
    tried: `a capture of a ${made.operation.method.rail} payment`,
    expected: "Succeeded, or Pending until it is captured",
    seen: ending
  })
  return { ...made, payment }
})

/** Done, or taken on to be done. */
export const isAccepted = (ending: Ending): boolean =>
  ending._tag === "Answered" && (ending.answer._tag === "Succeeded" || ending.answer._tag === "Pending")

/** What the adapter says that was moved or is held; `null`: it says nothing of it. */
export const reportedAmount = (ending: Ending): Money.Money | null => {
  if (ending._tag !== "Answered") return null
  const { answer } = ending
  return answer._tag === "Succeeded" || answer._tag === "Authorized" ? (answer.amount ?? null) : null
}

export const refunded = ({ refunds }: LedgerPayment): number =>
  refunds.filter(({ status }) => status !== "failed").reduce((sum, { minorUnits }) => sum + minorUnits, 0)

export const takes = ({ captureMethods }: Sample, captureMethod: "automatic" | "manual"): boolean =>
  captureMethods.includes(captureMethod)
