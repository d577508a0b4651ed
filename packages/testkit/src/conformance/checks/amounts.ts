import { Currency, type Money, type OperationKind, type ProviderError, type ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import type { LedgerPayment } from "../../fake/Ledger.ts"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import { currenciesOf, limitsOf, type Sample } from "../samples.ts"
import type { Ending, Paid, TestHarness, ConformanceContext } from "../ConformanceContext.ts"
import { describeEnding } from "../words.ts"
import { capturedOf, isAccepted, settled, takes, reportedAmount } from "./money.ts"

export const amounts: ConformanceCheck = {
  id: "amounts",
  title: "amounts are sent and read exactly, in the currency's smallest unit",
  why:
    "1.15 * 100 is 114.99999999999999, a yen has no decimals, and a Kuwaiti dinar has three. An adapter that converts " +
    "wrongly charges another amount than the payer saw, and the engine holds such payments for review.",
  howToFix:
    "If the vendor counts in minor units, send the integer. If it uses decimals, place the decimal point in the text " +
    "by the currency's decimals (`Amount` of the provider kit), read the text back the same way, and never use a " +
    "floating-point number.",
  check: (context) =>
    Effect.gen(function* () {
      for (const [index, sample] of context.samples.entries()) {
        const isCaptured = context.capabilities.operations.capture !== undefined && takes(sample, "manual")
        for (const currency of currenciesOf(sample.capability)) {
          for (const minorUnits of within(sample, currency, index === 0 ? informative : mostInformative)) {
            yield* Effect.scoped(paidAndRefunded(context, sample, { minorUnits, currency }))
          }
          for (const minorUnits of isCaptured ? within(sample, currency, mostInformative) : []) {
            yield* Effect.scoped(captured(context, sample, { minorUnits, currency }))
          }
        }
      }
    })
}

/** Hundreds and thousands of what floats get wrong: 1.15 * 100, 1.1 * 100, 4.35 * 100, 8.2 * 100, 1.005 * 1000. */
const informative = [1, 101, 110, 115, 435, 820, 1_005, 1_999, 123_456_789, Number.MAX_SAFE_INTEGER]
const mostInformative = [115, 1_005, 8_200]

/** These, the smallest and the largest: what is declared to be taken of the currency. */
const within = ({ capability }: Sample, currency: string, values: ReadonlyArray<number>): ReadonlyArray<number> => {
  const { max, min } = limitsOf(capability, currency)
  return [...new Set([min, ...values, max])].filter((value) => value >= min && value <= max)
}

const paidAndRefunded = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample, money: Money.Money) {
  const harness = yield* context.begin()
  const made = yield* paid(context, harness, sample, money)
  if (made === null || context.capabilities.operations.refund === undefined) return
  const whole = yield* capturedOf(context, harness, made)
  if (whole !== null) yield* refunds(context, harness, whole)
})

/** `null`: it was refused, where that may be. */
const paid = Effect.fnUntraced(function* (
  context: ConformanceContext,
  harness: TestHarness,
  sample: Sample,
  money: Money.Money
) {
  const before = (yield* harness.vendor.payments).length
  const operation = yield* harness.create(sample, money)
  const ending = yield* harness.send(operation)
  yield* harness.vendor.payersAct
  const payment = (yield* harness.vendor.payments).slice(before).at(-1)
  const tried = `a ${sample.name} create of ${say(operation.amount)}`
  if (payment !== undefined) {
    const atVendor =
      payment.status === "captured" ? { ...payment.amount, minorUnits: payment.captured } : payment.amount
    yield* harness.expect(isEqual(payment.amount, operation.amount) && isEqual(atVendor, operation.amount), {
      tried,
      expected: `${say(operation.amount)} at the vendor`,
      seen: `${say(atVendor)} at the vendor`
    })
  }
  if (payment === undefined || (payment.status !== "captured" && payment.status !== "authorized")) {
    if (mayRefuse(sample, operation.amount) && isRefusal(ending)) return null
    return yield* harness.broken({
      tried,
      expected: "a payment at the vendor, and its money taken or held",
      seen: ending
    })
  }
  const made: Paid = { operation: yield* harness.named(harness.again(operation, ending), payment), ending, payment }
  yield* reportedExactly(harness, tried, ending, operation.amount)
  if (isAsked(context, "create", harness)) {
    const found = yield* harness.inquire(made.operation)
    yield* reportedExactly(harness, `${tried}, and an inquiry`, found, operation.amount)
  }
  return made
})

/** In two parts where it can be. */
const refunds = Effect.fnUntraced(function* (context: ConformanceContext, harness: TestHarness, made: Paid) {
  const { captured } = made.payment
  const part = context.capabilities.operations.refund?.partial ? partOf(captured) : null
  for (const minorUnits of part === null ? [captured] : [part, captured - part]) {
    const operation = yield* harness.later("refund", made, { minorUnits })
    const before = (yield* settled(harness, made)).refunds.length
    const ending = yield* harness.send(operation)
    const refund = (yield* settled(harness, made)).refunds.slice(before).at(-1)
    yield* movedRightly(context, harness, { operation, ending, moved: refund?.minorUnits ?? null })
  }
})

const captured = Effect.fnUntraced(function* (context: ConformanceContext, sample: Sample, money: Money.Money) {
  const harness = yield* context.begin()
  const held = yield* paid(context, harness, { ...sample, captureMethod: "manual" }, money)
  if (held === null) return
  const part = context.capabilities.operations.capture?.partial ? partOf(money.minorUnits) : null
  const operation = yield* harness.later("capture", held, { minorUnits: money.minorUnits - (part ?? 0) })
  const ending = yield* harness.send(operation)
  const payment = yield* settled(harness, held)
  yield* movedRightly(context, harness, { operation, ending, moved: payment.captured === 0 ? null : payment.captured })
})

/** 1.10 or 1.15; `null`: what is left would be less, which some vendors do not give back. */
const partOf = (all: number): number | null => {
  const part = all % 10 === 0 ? 110 : 115
  return all < 2 * part ? null : part
}

/** What the vendor moved is what was asked, and what the adapter says of it now and when it is asked. */
const movedRightly = Effect.fnUntraced(function* (
  context: ConformanceContext,
  harness: TestHarness,
  {
    ending,
    moved,
    operation
  }: { readonly operation: ProviderOperation; readonly ending: Ending; readonly moved: number | null }
) {
  const { amount, kind } = operation
  const tried = `a ${kind} of ${say(amount)} of a payment of ${say(operation.original?.amount ?? amount)}`
  yield* harness.expect(isAccepted(ending) && moved === amount.minorUnits, {
    tried,
    expected: `Succeeded or Pending, and ${say(amount)} at the vendor`,
    seen: `${describeEnding(ending)}, and ${moved === null ? "nothing" : moved} at the vendor`
  })
  yield* reportedExactly(harness, tried, ending, amount)
  if (!isAsked(context, kind, harness)) return
  yield* reportedExactly(
    harness,
    `${tried}, and an inquiry`,
    yield* harness.inquire(harness.again(operation, ending)),
    amount
  )
})

const reportedExactly = (harness: TestHarness, tried: string, ending: Ending, moved: Money.Money) => {
  const reported = reportedAmount(ending)
  return harness.expect(reported === null || isEqual(reported, moved), {
    tried,
    expected: `an answer with ${say(moved)}, which is what the vendor moved, or without an amount`,
    seen: ending
  })
}

const isAsked = ({ capabilities }: ConformanceContext, kind: OperationKind, { operations }: TestHarness) =>
  operations.inquire !== undefined && (capabilities.operations[kind]?.inquiry?.by ?? "none") !== "none"

/**
 * Some vendors publish no limits and have some: more digits than anybody pays, a minimum of each currency, and a last digit of
 * three decimals that is not 0 (card networks settle such currencies in tens).
 */
const mayRefuse = ({ capability }: Sample, { currency, minorUnits }: Money.Money): boolean => {
  const limit = capability.amounts?.find((each) => each.currency === currency)
  return (
    (limit?.max === undefined && minorUnits > 99_999_999) ||
    (limit?.min === undefined && capability.currencies.length > 1 && minorUnits < 1_000) ||
    (Currency.exponent(currency) === 3 && minorUnits % 10 !== 0)
  )
}

const isRefusal = (ending: Ending): boolean => {
  if (ending._tag === "Failed") return refusals.includes(ending.error.reason._tag)
  return ending._tag === "Answered" && (ending.answer._tag === "NotExecuted" || ending.answer._tag === "Declined")
}

const refusals: ReadonlyArray<ProviderError["reason"]["_tag"]> = ["InvalidRequest", "AccountNotEnabled"]

const isEqual = (one: LedgerPayment["amount"], other: LedgerPayment["amount"]) =>
  one.minorUnits === other.minorUnits && one.currency === other.currency

const say = ({ currency, minorUnits }: LedgerPayment["amount"]) => `${currency} ${minorUnits} (minor units)`
