/** What Razorpay settles, as movements of a statement. */
import { type Currency, Ids, invalidRequest, type Money, type ProviderError } from "@paymux/core"
import type { MovementType, StatementMovement } from "@paymux/core/statement"
import { Effect } from "effect"
import { noteOf } from "./notes.ts"
import { said, shortCode } from "./codes.ts"
import { isOfLink } from "./webhook.ts"
import type * as Wire from "./wire.ts"

type Direction = StatementMovement["direction"]

/** `null`: it is not settled yet, or has no amount. `original`: the reference of the payment that it belongs to. */
export const movementOf = (
  item: Wire.ReconItem,
  original: string | null
): Effect.Effect<StatementMovement | null, ProviderError> => {
  if (item.settled === false) return Effect.succeed(null)
  const { credit, debit, entity_id: id } = item
  if (credit > 0 && debit > 0) return unreadable(`${id} is both a credit and a debit`)
  if (typeof item.settled_at !== "number" || item.settled_at === 0) return unreadable(`${id} has no settled_at`)
  const type = typeOf(item)
  if (type === null) return unreadable(`${id} has the unknown type ${shortCode(item.type)}`)
  // Such as an adjustment that was waived.
  if (item.amount === 0 && type === "adjustment") return Effect.succeed(null)
  const side = isBelowZero(item, type) ? "in" : sideOf(item)
  const direction = directions[type] ?? side
  if (direction === null) return unreadable(`${id} is neither a credit nor a debit`)
  if (side !== null && side !== direction) return unreadable(`${id} is a ${type} on the side of the other direction`)
  return Effect.succeed({
    id,
    type,
    ...namesOf(item, type),
    original,
    amount: moneyOf(item.amount, item.currency),
    direction,
    ...costsOf(item, direction),
    payout: said(item.settlement_id) ?? null,
    bookedAt: item.settled_at * 1000
  })
}

const unreadable = (what: string) => Effect.fail(invalidRequest(what))

/** `null`: a type that Razorpay has added since. */
const typeOf = ({ credit, dispute_id, type }: Wire.ReconItem): MovementType | null => {
  switch (type) {
    case "payment":
    case "refund":
      return type
    // To a linked account, or back from it.
    case "transfer":
    case "reversal":
      return "adjustment"
    case "adjustment":
      if ((dispute_id ?? "") === "") return "adjustment"
      return credit > 0 ? "dispute_reversed" : "dispute"
    default:
      return null
  }
}

const directions: { readonly [type in MovementType]?: Direction } = { payment: "in", refund: "out" }

/** A payment with a fee above its amount: what is left of it is written as a debit. */
const isBelowZero = ({ amount, credit, debit, fee }: Wire.ReconItem, type: MovementType): boolean =>
  type === "payment" && credit === 0 && debit > 0 && typeof fee === "number" && debit === fee - amount

/** `null`: a payment of which the fee is all, a refund from refund credits, or an adjustment of nothing. */
const sideOf = ({ credit, debit }: Wire.ReconItem): Direction | null => (credit > 0 ? "in" : debit > 0 ? "out" : null)

/**
 * An order or a Payment Link has the operation's id as its receipt. A page with the public key id can write the notes of a
 * payment: they count only where no order exists, which is so for QR objects. The notes of a refund are ours.
 */
const namesOf = (item: Wire.ReconItem, type: MovementType) => {
  const order = said(item.order_id) ?? null
  const note = ofOurs(noteOf(item.notes, "paymux_operation"))
  switch (type) {
    case "payment":
      return {
        operation: order === null ? note : ofOurs(item.order_receipt),
        // We know the link, and not its order.
        reference: isOfLink(item) ? null : order
      }
    case "refund":
      return { operation: note, reference: item.entity_id }
    default:
      return { operation: null, reference: said(item.dispute_id) ?? item.entity_id }
  }
}

/** Other systems at the account have receipts of their own. */
export const ofOurs = (name: string | null | undefined): string | null =>
  typeof name === "string" && Ids.isOperation(name) ? name : null

/**
 * In rupees, which is not said of payments in other currencies. The fee, with the tax on it, is what the net amount is without:
 * `fee` is also written where fee credits have paid it, or refund credits the refund.
 */
const costsOf = (
  { amount, credit, currency, debit }: Wire.ReconItem,
  direction: Direction
): Pick<StatementMovement, "fee" | "net"> => {
  if (currency !== "INR") return { fee: null, net: null }
  const fee = direction === "in" ? amount - (credit - debit) : debit - amount
  return { fee: fee < 0 ? null : moneyOf(fee, currency), net: moneyOf(credit + debit, currency) }
}

const moneyOf = (minorUnits: number, currency: Currency.Currency): Money.Money => ({ minorUnits, currency })
