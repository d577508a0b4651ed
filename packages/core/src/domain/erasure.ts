/**
 * Erases the personal data of a payment. Pure.
 *
 * The accounting data remain: ids, amounts, currency, status, provider, references, attempts, times, and the facts from
 * which routing learns. Fields that identify the payer, the purchase or the place are removed. Required fields get
 * placeholder values, so that code that reads payments handles an erased payment like any other payment.
 */
import type { Operation } from "./Operation.ts"
import { isOpen } from "./Operation.ts"
import type { Customer, Payment, PaymentRecord } from "./Payment.ts"
import type { PaymentEvent } from "./PaymentEvent.ts"
import type { CardToken, PaymentMethod } from "./PaymentMethod.ts"
import type { Evidence, EvidenceSource } from "./Evidence.ts"

/**
 * The placeholder for an erased customer. RFC 2606 reserves `.invalid` permanently; no E.164 number has a 0 directly
 * after +1.
 */
export const erasedCustomer = {
  email: "erased@example.invalid",
  phone: "+10000000000",
  name: null,
  address: null
} as const satisfies Customer

/** The placeholder for an erased UPI id. No payment service provider has this handle. */
const erasedVpa = "erased@invalid"
/**
 * The placeholder for erased card tokens. The payment still shows that it had tokens, since this influenced routing.
 */
const erasedToken = "erased"

/**
 * The reason why a payment cannot be erased yet. `pending`: the payment is not decided. `authorized`: money is held.
 * `in_review`: a review is open. `operation_open`: a capture, cancel, refund or reversal is in progress.
 */
export type ErasureHindrance = "pending" | "authorized" | "in_review" | "operation_open"

/** Determines the reason why a payment cannot be erased now; `null` if it can be erased. */
export const erasureHindrance = ({ operations, payment }: PaymentRecord): ErasureHindrance | null => {
  const { status } = payment.state
  if (status === "pending" || status === "authorized") return status
  if (payment.reviews.length > 0) return "in_review"
  return operations.some(isUnderWay) ? "operation_open" : null
}

const isUnderWay = (operation: Operation): boolean => isOpen(operation) || operation.nextCheckAt !== null

/** Whether the payment has the placeholder of an erased customer. */
export const isErased = ({ customer }: Payment): boolean =>
  customer.email === erasedCustomer.email && customer.phone === erasedCustomer.phone

/** The placeholder for the text of an operator's evidence, and for a refund address. */
export const erasedWords = "erased"

/**
 * Whether the payment, its events and its evidence contain no personal data. A request or report after the erasure may
 * have added new personal data.
 */
export const isFullyErased = (
  { operations, payment }: PaymentRecord,
  events: ReadonlyArray<PaymentEvent>,
  evidence: ReadonlyArray<{ readonly source: EvidenceSource; readonly document: string | null }>
): boolean =>
  isErased(payment) &&
  operations.every(({ reason }) => reason === null) &&
  evidence.every(({ document, source }) => source !== "operator" || document === erasedWords) &&
  events.every((event) => {
    const after = erasedEvent(event)
    return after.payment === event.payment && after.refund === event.refund
  })

/** Creates the next version of a payment, without personal data. `now` is in ms UTC. */
export const erased = ({ operations, payment, ...books }: PaymentRecord, now: number): PaymentRecord => ({
  ...books,
  payment: {
    ...payment,
    method: erasedMethod(payment.method),
    customer: erasedCustomer,
    description: null,
    metadata: erasedMetadata(payment.metadata),
    client: null,
    returnUrl: null,
    version: payment.version + 1,
    updatedAt: now
  },
  operations: operations.map((operation) => (operation.reason === null ? operation : { ...operation, reason: null }))
})

/**
 * Erases metadata, but keeps a placeholder for the payer's refund address. Without any address, a later refund would go
 * to the sender of the transfer, such as an exchange that cannot assign the money to the payer. With the placeholder
 * the refund is refused, and an operator asks the payer.
 */
const erasedMetadata = (metadata: object): Payment["metadata"] =>
  Object.hasOwn(metadata, "refund_address") ? { refund_address: erasedWords } : {}

const erasedMethod = (method: PaymentMethod): PaymentMethod => {
  switch (method.rail) {
    case "upi":
      return method.vpa === null ? method : { ...method, vpa: erasedVpa }
    case "card":
      return {
        ...method,
        token: method.token === null ? null : erasedToken,
        tokens: Object.fromEntries(
          Object.keys(method.tokens).map((provider): readonly [string, CardToken] => [provider, erasedToken])
        ),
        fingerprint: null
      }
    case "stablecoin":
      return method
  }
}

/** Removes personal data from an event of an erased payment. */
export const erasedEvent = (event: PaymentEvent): PaymentEvent => ({
  ...event,
  payment: erasedJson(event.payment, {
    description: null,
    customer: erasedCustomer,
    return_url: null,
    next_action: null
  }),
  refund: event.refund === null ? null : erasedJson(event.refund, { reason: null })
})

interface JsonObject {
  readonly [name: string]: unknown
}

/** Replaces only members that exist, so that an event keeps the format of the software version that wrote it. */
const erasedJson = (text: string, blanks: JsonObject): string => {
  const json: unknown = JSON.parse(text)
  if (!isObject(json)) throw new TypeError("The JSON of an event must be an object")
  const members = Object.entries(json).map(([name, value]) => {
    if (Object.hasOwn(blanks, name)) return [name, blanks[name]]
    if (name === "metadata") return [name, isObject(value) ? erasedMetadata(value) : {}]
    return [name, name === "payment_method_details" ? withoutPayer(value) : value]
  })
  return JSON.stringify(Object.fromEntries(members))
}

const withoutPayer = (details: unknown): unknown =>
  isObject(details) && isObject(details["upi"]) && details["upi"]["vpa"] !== undefined
    ? { ...details, upi: { ...details["upi"], vpa: erasedVpa } }
    : details

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Removes the payer's next action from stored evidence. It is not needed there: an open payment has its own copy of the
 * action.
 */
export const withoutNextAction = (evidence: Evidence): Evidence => {
  if (evidence.outcome._tag !== "Pending") return evidence
  const { nextAction: _nextAction, ...outcome } = evidence.outcome
  return { ...evidence, outcome }
}
