/**
 * A statement for the payments of the benchmarks: one booking for each, and every kind of difference once in each thousand
 * payments. Refunds are written for two of the kinds.
 */
import type { OperationId } from "@paymux/core"
import type { StatementMovement } from "@paymux/core/statement"
import type { DifferenceKind } from "@paymux/core/engine"
import * as records from "../suites/src/paymentStore/records.ts"
import { aStored, createdAt, idOf } from "./lists/payments.ts"

/** By the number of the payment in its thousand. */
const plants: ReadonlyArray<DifferenceKind> = [
  "missing_there",
  "missing_here",
  "other_amount",
  "other_currency",
  "duplicate_there",
  "unknown_refund",
  "wrong_fee",
  "duplicate_here",
  "refund_not_booked",
  "other_reference"
]

const plantedIn = (n: number): DifferenceKind | null => plants[n % 1000] ?? null

export const plantedDifferences = (payments: number): { readonly [kind: string]: number } =>
  Object.fromEntries(plants.map((kind, place) => [kind, Math.ceil((payments - place) / 1000)]))

/** Their operations at the provider, beside the payment's own. */
export const refundsOf = (n: number, provider: string) => {
  const planted = plantedIn(n)
  const letters = planted === "duplicate_here" ? ["r", "s"] : planted === "refund_not_booked" ? ["r"] : []
  return letters.map((letter, place) => ({
    ...records.anOperation(1 + place, 1, { provider, status: "succeeded", kind: "refund", reference: `refund_${n}` }),
    id: operationId(n, letter),
    paymentId: idOf(n),
    minorUnits: refunded,
    nextCheckAt: null,
    createdAt: createdAt(n)
  }))
}

const refunded = 50

// Boundary: another letter, in a place where the ids of these payments have a zero.
const operationId = (n: number, letter: string) =>
  `op_${idOf(n).slice(4, -10)}${letter}${idOf(n).slice(-9)}` as OperationId

/** What the provider has booked of one payment, of which there are `payments`. */
export const bookingsOf = (n: number, payments: number): ReadonlyArray<StatementMovement> => {
  const charge = chargeOf(n, payments)
  const { amount } = charge
  const refund = (id: string, changes: Partial<StatementMovement>): StatementMovement => ({
    ...charge,
    id: `txn_${n}_${id}`,
    type: "refund",
    original: charge.reference,
    amount: { ...amount, minorUnits: refunded },
    direction: "out",
    ...changes
  })
  switch (plantedIn(n)) {
    case "missing_there":
      return []
    case "missing_here":
      return [charge, { ...charge, id: `txn_${n}_lost`, operation: operationId(n, "z"), reference: `lost_${n}` }]
    case "other_amount":
      return [{ ...charge, amount: { ...amount, minorUnits: amount.minorUnits + 1 } }]
    case "other_currency":
      return [{ ...charge, amount: { ...amount, currency: amount.currency === "EUR" ? gbp : eur } }]
    case "duplicate_there":
      return [charge, { ...charge, id: `txn_${n}_again` }]
    case "unknown_refund":
      return [charge, refund("dashboard", { operation: null, reference: `dashboard_${n}` })]
    case "wrong_fee":
      return [{ ...charge, fee: { ...amount, minorUnits: 20 }, net: amount }]
    case "duplicate_here":
      return [charge, refund("refund", { operation: operationId(n, "r"), reference: `refund_${n}` })]
    case "other_reference":
      return [{ ...charge, reference: `order_${n + 1}` }]
    default:
      return [charge]
  }
}

// Boundary: currencies that exist.
const [eur, gbp] = ["EUR", "GBP"] as unknown as readonly [Currency, Currency]
type Currency = StatementMovement["amount"]["currency"]

const chargeOf = (n: number, payments: number): StatementMovement => {
  const { operations, payment } = aStored(n, payments)
  const [operation] = operations
  if (operation === undefined) throw new Error("A payment without an operation")
  return {
    id: `txn_${n}`,
    type: "payment",
    operation: operation.id,
    reference: `order_${n}`,
    original: null,
    amount: { ...payment.amount, minorUnits: operation.minorUnits },
    direction: "in",
    fee: null,
    net: null,
    payout: `po_${Math.floor(n / 10_000)}`,
    bookedAt: createdAt(n) + 1000
  }
}
