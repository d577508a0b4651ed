/** Cashfree's events as movements of a statement. Pure. */
import { Currency, invalidRequest, type Money, type ProviderError } from "@paymux/core"
import type { MovementType, StatementMovement } from "@paymux/core/statement"
import { Amount } from "@paymux/provider-kit"
import { Effect, Result } from "effect"
import { shortCode } from "./errors.ts"
import { operationOfOrder, operationOfRefund, operationOfTags } from "./request.ts"
import { readTime } from "./status.ts"
import type * as Wire from "./wire.ts"

/** `null`: nothing was booked. */
export const movementOf = (event: Wire.ReconEvent): Effect.Effect<StatementMovement | null, ProviderError> => {
  const { id, kind } = event
  const unreadable = (what: string) => Effect.fail(invalidRequest(`${shortCode(kind)} ${shortCode(id)} has ${what}`))
  const type = Object.hasOwn(types, kind) ? types[kind] : undefined
  if (type === undefined) return unreadable("an unknown type")
  const isDone = isBooked(event, type)
  if (isDone === null) return unreadable(`the unknown status ${shortCode(event.status ?? "none")}`)
  if (!isDone) return Effect.succeed(null)
  const { currency } = event
  if (!Currency.isCurrency(currency)) return unreadable("no known currency")
  const amount = amountOf(event, type, currency)
  if (amount === null) return unreadable("no exact amount")
  // Such as a settlement for which nothing was due.
  if (amount.minorUnits === 0 && (type === "payout" || type === "adjustment")) return Effect.succeed(null)
  const direction = directionOf(event, type)
  if (direction === null) return unreadable("a sale_type that does not fit")
  const settled =
    type === "payout" ? { fee: { minorUnits: 0, currency }, net: amount } : settledOf(event, amount, direction)
  if (settled === null) return unreadable("no exact settlement amount")
  const bookedAt = readTime(event.time)
  if (bookedAt === null) return unreadable("no time with an offset")
  return Effect.succeed({
    id: idOf(event, type, amount),
    type,
    ...namesOf(event, type),
    amount,
    direction,
    ...settled,
    payout: event.settlement,
    bookedAt
  })
}

const types: { readonly [kind: string]: MovementType | undefined } = {
  PAYMENT: "payment",
  REFUND: "refund",
  REFUND_REVERSAL: "refund_failed",
  REFUND_REVERSE: "refund_failed",
  DISPUTE: "dispute",
  DISPUTE_REVERSAL: "dispute_reversed",
  DISPUTE_REVERSE: "dispute_reversed",
  CHARGEBACK: "dispute",
  CHARGEBACK_REVERSAL: "dispute_reversed",
  CHARGEBACK_REVERSE: "dispute_reversed",
  SETTLEMENT: "payout",
  OTHER_ADJUSTMENT: "adjustment",
  RISK: "adjustment",
  RISK_REVERSAL: "adjustment",
  RISK_REVERSE: "adjustment"
}

/** Failed and open payments are listed, too. `null`: a status that Cashfree has added since. */
const isBooked = ({ status }: Wire.ReconEvent, type: MovementType): boolean | null => {
  if (type !== "payment" && type !== "refund" && type !== "payout") return true
  if (status === null) return null
  if (done.has(status)) return true
  return notDone.has(status) ? false : null
}

const done: ReadonlySet<string> = new Set(["SUCCESS", "PAID"])
const notDone: ReadonlySet<string> = new Set([
  "CANCELLED",
  "FAILED",
  "FLAGGED",
  "INITIATED",
  "NOT_ATTEMPTED",
  "ONHOLD",
  "PENDING",
  "USER_DROPPED",
  "VOID"
])

type Direction = StatementMovement["direction"]

const directions: { readonly [type in MovementType]?: Direction } = {
  payment: "in",
  refund: "out",
  refund_failed: "in",
  dispute: "out",
  dispute_reversed: "in"
}

/** A transfer to the bank is written as a credit: of the bank account. */
const directionOf = ({ saleType }: Wire.ReconEvent, type: MovementType): Direction | null => {
  if (type === "payout") return "out"
  const side = saleType === "CREDIT" ? "in" : saleType === "DEBIT" ? "out" : null
  return side === (directions[type] ?? side) ? side : null
}

/** A debit is written with a sign, or without one. */
const amountOf = (
  { amount, paidOut, saleType }: Wire.ReconEvent,
  type: MovementType,
  currency: Currency.Currency
): Money.Money | null => {
  if (type === "payout") return moneyOf(paidOut ?? amount, currency)
  return moneyOf(saleType === "DEBIT" ? unsigned(amount) : amount, currency)
}

const unsigned = (text: string): string => text.replace(/^-/, "")

/**
 * Fee and net amount in rupees, once the event is in a settlement: before, the amount may be empty or change. `null`: it is not
 * exact. The fee is the difference: charges are written in several places, which are not described as parts of one sum. A payment
 * with a fee above its amount has a net amount below zero.
 */
const settledOf = (
  { settled, settlement }: Wire.ReconEvent,
  amount: Money.Money,
  direction: Direction
): Pick<StatementMovement, "fee" | "net"> | null => {
  const { currency, minorUnits } = amount
  if (settled === null || settlement === null || currency !== "INR") return { fee: null, net: null }
  const net = moneyOf(unsigned(settled), currency)
  if (net === null) return null
  const gained = settled.startsWith("-") ? -net.minorUnits : net.minorUnits
  const fee = direction === "in" ? minorUnits - gained : net.minorUnits - minorUnits
  return { fee: fee < 0 ? null : { minorUnits: fee, currency }, net }
}

const moneyOf = (text: string, currency: Currency.Currency): Money.Money | null =>
  Result.match(Result.flatMap(Amount.minorFromMajor(text, Currency.exponent(currency)), Amount.safeMinor), {
    onFailure: () => null,
    onSuccess: (minorUnits) => ({ minorUnits, currency })
  })

/** The charge, the tax and the transfer of an instant settlement are adjustments under one id. */
const idOf = (
  { id, kind, remarks, saleType }: Wire.ReconEvent,
  type: MovementType,
  { minorUnits }: Money.Money
): string =>
  printable(
    (type === "adjustment" ? [kind, id, saleType, minorUnits, remarks ?? ""] : [kind, id]).join(" ").slice(0, 200)
  ).trim()

/** Without control characters, and without half of a surrogate pair. */
const printable = (text: string): string => text.replace(/\p{C}+/gu, " ")

const namesOf = ({ id, order, refund, settlement, tags }: Wire.ReconEvent, type: MovementType) => {
  switch (type) {
    case "payment": {
      const operation = (order === null ? null : operationOfOrder(order)) ?? operationOfTags(tags)
      return { operation, reference: order, original: null }
    }
    case "refund":
    case "refund_failed":
      return { operation: refund === null ? null : operationOfRefund(refund), reference: refund ?? id, original: order }
    case "payout":
      return { operation: null, reference: settlement ?? id, original: null }
    default:
      return { operation: null, reference: id, original: order }
  }
}
