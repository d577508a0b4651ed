/** A vendor that has booked something of each kind, at different hours, with names that are known. */
import type { StatementMovement } from "@paymux/core/statement"
import { Clock, Effect } from "effect"
import type { LedgerPayment } from "../../fake/Ledger.ts"
import type { LedgerBookingType, NewLedgerBooking } from "../../fake/bookings.ts"
import type { VendorStatement } from "../../fake/Vendor.ts"
import type { CheckFailed } from "../ConformanceCheck.ts"
import type { ConformanceContext, CreateOptions, Paid, TestHarness } from "../ConformanceContext.ts"
import { laterBy } from "../otherTime.ts"
import { currenciesOf, type Sample, within } from "../samples.ts"
import { isAccepted } from "./money.ts"
import { nowAt } from "./ledgerTruth.ts"
import { movementsOf, wholeWindow } from "./statementPages.ts"

/** What the engine knows of a payment at the vendor. */
export interface OurPayment {
  /** Ids of the create and of its capture. */
  readonly operations: ReadonlySet<string>
  readonly references: ReadonlySet<string>
  /** By the vendor's id of the refund. */
  readonly refunds: ReadonlyMap<string, { readonly operation: string; readonly references: ReadonlySet<string> }>
}

export interface StatementVendor {
  readonly harness: TestHarness
  readonly statement: VendorStatement
  /** By the vendor's id of the payment. */
  readonly ours: ReadonlyMap<string, OurPayment>
  /** What the statement had before the last refund, and before what was not requested here. */
  readonly before: ReadonlyArray<StatementMovement>
}

export const statementVendor = Effect.fnUntraced(function* (context: ConformanceContext) {
  const harness = yield* context.begin()
  const { statement } = harness.vendor
  if (statement === undefined) {
    return yield* harness.broken({
      tried: "the statement of the fake",
      expected: "`statement` in the definition of the fake, because the adapter declares a statement",
      seen: "the fake shows no statement"
    })
  }
  const ours = new Map<string, OurPayment>()
  let before: ReadonlyArray<StatementMovement> = []
  for (const [index, { options, sample }] of chargesOf(context).entries()) {
    const minorUnits = within(sample, 2_000 + 400 * index)
    const taken = yield* paymentOf(context, harness, sample, { ...options, minorUnits })
    before = yield* movementsOf(harness, yield* wholeWindow)
    ours.set(taken.payment.id, { ...taken, refunds: yield* refundsOf(context, harness, taken) })
  }
  const [first] = yield* harness.vendor.payments
  if (first !== undefined) yield* bookOthers(statement, first)
  return { harness, statement, ours, before } satisfies StatementVendor
})

/** Each flow; the first one in each kind of currency, and captured by an operation if it can be. */
const chargesOf = ({
  samples
}: ConformanceContext): ReadonlyArray<{ readonly sample: Sample; readonly options: CreateOptions }> => [
  ...samples.map((sample) => ({ sample, options: {} })),
  ...samples
    .slice(0, 1)
    .flatMap((sample) => currenciesOf(sample.capability).map((currency) => ({ sample, options: { currency } }))),
  ...samples
    .filter(({ captureMethods }) => captureMethods.includes("manual"))
    .slice(0, 1)
    .map((sample) => ({ sample, options: { captureMethod: "manual" as const } }))
]

interface Taken extends Omit<OurPayment, "refunds"> {
  readonly made: Paid
  readonly payment: LedgerPayment
}

/** Created six hours ago, paid an hour later, and captured another hour later. */
const paymentOf = Effect.fnUntraced(function* (
  context: ConformanceContext,
  harness: TestHarness,
  sample: Sample,
  options: CreateOptions
): Effect.fn.Return<Taken, CheckFailed> {
  const made = yield* paidOf(harness, sample, options)
  const { capture } = context.capabilities.operations
  const operations = new Set<string>([made.operation.id])
  const references = new Set(referencesOf(harness, made.operation))
  if (made.payment.status === "authorized" && capture !== undefined) {
    const part = capture.partial === true ? { minorUnits: partOf(made.payment.amount.minorUnits) } : {}
    const operation = yield* laterBy(-4 * hour, harness.later("capture", made, part))
    const ending = yield* laterBy(-4 * hour, harness.send(operation))
    yield* harness.expect(isAccepted(ending), { tried: "a capture", expected: "Succeeded or Pending", seen: ending })
    yield* laterBy(-4 * hour, harness.vendor.payersAct)
    operations.add(operation.id)
    for (const reference of referencesOf(harness, harness.again(operation, ending))) references.add(reference)
  }
  const payment = (yield* nowAt(harness, made.payment)) ?? made.payment
  return { made, payment, operations, references }
})

/** A part of it is refunded two hours ago. */
const refundsOf = Effect.fnUntraced(function* (
  context: ConformanceContext,
  harness: TestHarness,
  { made, payment }: Taken
): Effect.fn.Return<OurPayment["refunds"], CheckFailed> {
  const { refund } = context.capabilities.operations
  if (refund === undefined || payment.captured === 0) return new Map()
  const minorUnits = refund.partial === true ? partOf(payment.captured) : payment.captured
  const operation = yield* laterBy(-2 * hour, harness.later("refund", { ...made, payment }, { minorUnits }))
  const ending = yield* laterBy(-2 * hour, harness.send(operation))
  yield* harness.expect(isAccepted(ending), { tried: "a refund", expected: "Succeeded or Pending", seen: ending })
  const last = (yield* nowAt(harness, payment))?.refunds.at(-1)
  yield* laterBy(-2 * hour, harness.vendor.payersAct)
  const references = new Set(referencesOf(harness, harness.again(operation, ending)))
  return new Map(last === undefined ? [] : [[last.id, { operation: operation.id, references }]])
})

const paidOf = Effect.fnUntraced(function* (
  harness: TestHarness,
  sample: Sample,
  options: CreateOptions
): Effect.fn.Return<Paid, CheckFailed> {
  const operation = yield* laterBy(-6 * hour, harness.create(sample, options))
  const ending = yield* laterBy(-6 * hour, harness.send(operation))
  const isOpen = ending._tag === "Answered" && ending.answer._tag === "Pending"
  if (isOpen) yield* laterBy(-5 * hour, harness.vendor.payersAct)
  const payment = (yield* harness.vendor.payments).at(-1)
  if (payment === undefined || (payment.status !== "captured" && payment.status !== "authorized")) {
    const tried = `a ${sample.name} create whose payer approves`
    return yield* harness.broken({ tried, expected: "it is paid when the payer has acted", seen: ending })
  }
  const reported = harness.again(operation, ending)
  const known = isOpen ? yield* laterBy(-5 * hour, harness.named(reported, payment)) : reported
  return { operation: known, ending, payment }
})

const referencesOf = (
  { checkpoints }: TestHarness,
  { id, reference }: { readonly id: string; readonly reference: string | null }
): ReadonlyArray<string> => [
  ...checkpoints.filter(({ operation }) => operation === id).map((checkpoint) => checkpoint.reference),
  ...(reference === null ? [] : [reference])
]

/** A fourth, as a whole number of tens, which is taken in every currency. */
const partOf = (minorUnits: number): number => Math.max(1, Math.floor(minorUnits / 40) * 10)

/** A dispute and a refund of our first payment from the vendor's dashboard, and more than two pages of another system. */
const bookOthers = Effect.fnUntraced(function* (statement: VendorStatement, { amount, id }: LedgerPayment) {
  const { book, pageSize, types } = statement
  if (book === null) return
  const now = yield* Clock.currentTimeMillis
  const of = (type: LedgerBookingType, minorUnits: number, minutesAgo: number, payment?: string): NewLedgerBooking => ({
    type,
    amount: { minorUnits, currency: amount.currency },
    bookedAt: now - minutesAgo * 60_000,
    ...(payment !== undefined && { payment })
  })
  const others = Array.from({ length: 2 * pageSize + 1 }, (_, index) => ({
    ...of("charge", 1_000_000 + 10 * index, 0),
    // Many in one second, so that pages end within one.
    bookedAt: now - 3 * hour + Math.floor(index / 40) * 1_000
  }))
  const bookings = [
    ...others,
    of("refund", 110, 66, id),
    of("dispute", 120, 60, id),
    of("dispute_reversed", 130, 50, id),
    of("refund", 2_000_000, 45),
    of("refund_failed", 2_000_000, 40),
    of("fee", 140, 35),
    of("payout", 3_000_000, 30)
  ]
  for (const booking of bookings.filter(({ type }) => types.includes(type))) yield* book(booking)
})

/** ms */
const hour = 3_600_000
