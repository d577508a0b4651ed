/**
 * Finds the first field in which a request differs from the first request with the same idempotency key. Pure.
 *
 * Only a digest of the first request is stored, so the new request is compared with the payment. Differences in fields
 * that were erased, or filled in later, cannot be found: the result is then `null`.
 */
import type { Operation } from "./Operation.ts"
import type { NewPayment, Payment } from "./Payment.ts"
import { isErased } from "./erasure.ts"
import type { OperationRequest } from "./transition/requestOperation.ts"

/** Returns the differing field as a JSON pointer (RFC 6901) into the body of a request that creates a payment. */
export const paymentDifference = (requested: NewPayment, first: Payment): string | null => {
  const isComparable = isErased(first) ? isKeptForever : () => true
  const before = new Map(fieldsOf(first))
  const now = new Map(fieldsOf(requested))
  return (
    [...new Set([...now.keys(), ...before.keys()])].find(
      (pointer) =>
        isComparable(pointer) &&
        now.get(pointer) !== before.get(pointer) &&
        !(filledIn.has(pointer) && !now.has(pointer))
    ) ?? null
  )
}

/**
 * Returns the differing field as a JSON pointer into the body of a capture, cancel or refund; `id` if the payment is
 * another one.
 */
export const operationDifference = (
  requested: OperationRequest,
  paymentId: string,
  payment: Payment,
  first: Operation | undefined
): string | null => {
  if (paymentId !== payment.id) return "id"
  if (requested.kind === "cancel" || first === undefined) return null
  if (requested.minorUnits !== null && requested.minorUnits !== first.minorUnits) return "/amount"
  if (requested.kind === "capture") return "/amount"
  if (isErased(payment)) return null
  // If the reasons are equal, too, only the amount can differ: the first request had no amount, so only its digest
  // shows this difference.
  return requested.reason === first.reason ? "/amount" : "/reason"
}

/** Whether a field of the payment keeps its value when the customer's data are erased. */
const isKeptForever = (pointer: string): boolean =>
  ["/amount", "/currency", "/payment_method", "/capture_method", "/order"].includes(pointer)

/** Fields that the engine fills in, so that they may have been absent from the first request. */
const filledIn: ReadonlySet<string> = new Set([
  "/payment_method_details/stablecoin/asset",
  "/payment_method_details/stablecoin/network"
])

/** All values of a request by JSON pointer, in the order of the fields in the documentation. */
const fieldsOf = (payment: NewPayment): ReadonlyArray<Field> => {
  const { rail, ...details } = payment.method
  return [
    ...fieldsIn("/amount", payment.amount.minorUnits),
    ...fieldsIn("/currency", payment.amount.currency),
    ...fieldsIn("/payment_method", rail),
    ...fieldsIn(`/payment_method_details/${rail}`, details),
    ...fieldsIn("/description", payment.description),
    ...fieldsIn("/customer", payment.customer),
    ...fieldsIn("/metadata", payment.metadata),
    ...fieldsIn("/capture_method", payment.captureMethod),
    ...fieldsIn("/return_url", payment.returnUrl),
    ...fieldsIn("/client", payment.client),
    ...fieldsIn("/order", payment.order)
  ]
}

type Field = readonly [pointer: string, value: unknown]

/** The values in a member of the request. A field that was not sent is `null`, and is skipped. */
const fieldsIn = (pointer: string, value: unknown): ReadonlyArray<Field> => {
  if (value === null) return []
  if (typeof value !== "object") return [[pointer, value]]
  return Object.entries(value).flatMap(([name, inner]) => fieldsIn(`${pointer}/${segment(pointer, name)}`, inner))
}

/**
 * Formats a segment of a JSON pointer, in snake case. Clients choose the keys of metadata and of card tokens, so these
 * keys remain unchanged.
 */
const segment = (parent: string, name: string): string =>
  /^\/metadata$|^\/payment_method_details\/card\/tokens/.test(parent)
    ? name.replaceAll("~", "~0").replaceAll("/", "~1").slice(0, 64)
    : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
