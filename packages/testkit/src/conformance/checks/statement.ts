import { Effect } from "effect"
import type { ConformanceCheck } from "../ConformanceCheck.ts"
import { movementsOf, wholeWindow, windowText, withoutStatement, type Window } from "./statementPages.ts"
import { statementFault } from "./statementTruth.ts"
import { statementVendor, type StatementVendor } from "./statementVendor.ts"

export const statement: ConformanceCheck = {
  id: "statement",
  title: "the statement has each booking of its time once, as it was booked, and nothing else",
  why:
    "The books are compared with the statement. A booking that is missing in it is reported as a payment that the vendor lost. " +
    "A wrong amount, sign, time or name raises a review for each payment, and hides the one that is really wrong.",
  howToFix:
    "Take the gross amount as the payer was charged, in minor units, and fee and net amount beside it. `direction` is that of the " +
    "account: a refund is `out`. `bookedAt` is the vendor's time of the booking in ms UTC, and `since` and `until` are about the " +
    "same time. The id is the vendor's own, and is the same in every statement. Return our `op_…` if the vendor repeats it, and references as the answers of the adapter gave them.",
  exempt: withoutStatement,
  check: (context) =>
    Effect.scoped(
      Effect.gen(function* () {
        const vendor = yield* statementVendor(context)
        yield* isAsBooked(vendor, yield* wholeWindow)
        yield* isStable(vendor)
        const bookings = yield* vendor.statement.bookings
        const ours = bookings.filter(({ payment }) => payment !== null)
        for (const booking of [ours.at(0), ours.at(Math.floor(ours.length / 2)), ours.at(-1)]) {
          if (booking !== undefined) yield* isBounded(vendor, booking.bookedAt)
        }
      })
    )
}

const isAsBooked = Effect.fnUntraced(function* ({ harness, ours, statement }: StatementVendor, window: Window) {
  const movements = yield* movementsOf(harness, window)
  const listed = (yield* statement.bookings).filter(({ type }) => statement.types.includes(type))
  const fault = statementFault(movements, { bookings: listed, ours, content: statement })
  if (fault !== null) yield* harness.broken({ tried: `the statement ${windowText(window)}`, ...fault })
})

/** What was booked before is the same after a refund, a dispute and new bookings. A payout may be named later. */
const isStable = Effect.fnUntraced(function* ({ before, harness }: StatementVendor) {
  const now = new Map((yield* movementsOf(harness, yield* wholeWindow)).map((each) => [each.id, each]))
  for (const movement of before) {
    const later = now.get(movement.id)
    const isSame =
      later !== undefined &&
      JSON.stringify({ ...later, payout: null }) === JSON.stringify({ ...movement, payout: null })
    yield* harness.expect(isSame, {
      tried: "the statement, before and after its payments were refunded and more was booked",
      expected: `the same movement under the same id: ${JSON.stringify(movement)}`,
      seen: later === undefined ? `no movement ${movement.id}` : JSON.stringify(later)
    })
  }
})

/** What is booked at the start of the window is in it, and what is booked at its end is not. */
const isBounded = Effect.fnUntraced(function* ({ harness }: StatementVendor, booked: number) {
  const whole = yield* movementsOf(harness, yield* wholeWindow)
  const at = whole.map(({ bookedAt }) => bookedAt).find((time) => Math.abs(time - booked) < 1_000) ?? booked
  for (const window of [
    { since: at, until: at + 60_000 },
    { since: at - 60_000, until: at },
    { since: at - 60_000, until: at + 1 }
  ]) {
    const expected = whole.filter(({ bookedAt }) => bookedAt >= window.since && bookedAt < window.until)
    const seen = yield* movementsOf(harness, window)
    yield* harness.expect(idsOf(seen) === idsOf(expected), {
      tried: `the statement ${windowText(window)}`,
      expected: `what is booked from its start until before its end: ${idsOf(expected)}`,
      seen: idsOf(seen)
    })
  }
})

const idsOf = (movements: ReadonlyArray<{ readonly id: string }>): string =>
  movements.length === 0
    ? "no movement"
    : movements
        .map(({ id }) => id)
        .toSorted()
        .join(", ")
