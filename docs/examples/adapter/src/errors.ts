/** Northbank's words to those of the contract, as data where they are codes. What is not listed is unknown, never a decline. */
import {
  type DeclineCode,
  type InquiryOutcome,
  invalidRequest,
  misconfigured,
  type NextAction,
  Outcome,
  type ProviderOperation,
  rateLimited,
  type RetryClass
} from "@paymux/core"
import { Option, Schema } from "effect"
import { type Answer, Ended } from "./http.ts"
import * as Wire from "./wire.ts"

interface Decline {
  readonly code: DeclineCode
  readonly retry: RetryClass
}

/** Every code of a 402 that Northbank publishes: its definite no. */
export const declines: { readonly [code: string]: Decline } = {
  authentication_abandoned: { code: "authentication_failed", retry: "same_later" },
  bank_offline: { code: "issuer_unavailable", retry: "other_provider" },
  card_expired: { code: "expired_card", retry: "never" },
  insufficient_balance: { code: "insufficient_funds", retry: "same_later" },
  payer_canceled: { code: "customer_canceled", retry: "same_later" },
  refused_by_bank: { code: "do_not_honor", retry: "other_provider" },
  risk_blocked: { code: "suspected_fraud", retry: "never" },
  // Of refunds and cancels.
  order_closed: { code: "not_permitted", retry: "never" },
  refund_exceeds_order: { code: "not_permitted", retry: "never" }
}

export const declineOf = (vendorCode: string): Decline | undefined =>
  Object.hasOwn(declines, vendorCode) ? declines[vendorCode] : undefined

export const declined = (vendorCode: string, reference?: string): Outcome.Declined | Outcome.Unknown => {
  const decline = declineOf(vendorCode)
  const reported = { vendorCode, ...(reference !== undefined && { reference }) }
  return decline === undefined
    ? Outcome.unknown({ reason: "unmapped", ...reported })
    : Outcome.declined({ ...decline, ...reported })
}

export const orderAnswer = (operation: ProviderOperation, order: Wire.Order): InquiryOutcome => {
  const { code, id: reference, session, status } = order
  switch (status) {
    case "open":
      return Outcome.pending({ reference, ...(session !== null && { nextAction: nextAction(operation, session) }) })
    case "paid":
      return Outcome.succeeded({ reference, amount: Wire.moneyOf(order) })
    case "failed":
      return declined(code ?? "none", reference)
    case "canceled":
      return Outcome.canceled({ reference })
    case "expired":
      return Outcome.expired({ reference })
    default:
      return Outcome.unknown({ reason: "unmapped", reference, vendorCode: status })
  }
}

/** The page takes a card's number, or what the bank wants of a payer whose card is charged by its token. */
const nextAction = ({ method }: ProviderOperation, { expires_at, page_url, upi_uri }: Wire.Session): NextAction => {
  const expiresAt = expires_at === null ? null : expires_at * 1000
  return method.rail === "upi"
    ? { type: "upi_intent", uri: upi_uri, expiresAt }
    : { type: "redirect", url: page_url, expiresAt }
}

export const refundAnswer = (refund: Wire.Refund): Outcome.SendOutcome => {
  const { id: reference, status } = refund
  switch (status) {
    case "pending":
      return Outcome.pending({ reference })
    case "settled":
      return Outcome.succeeded({ reference, amount: Wire.moneyOf(refund) })
    case "failed":
      return Outcome.declined({ code: "processing_error", retry: "same_later", reference, vendorCode: status })
    default:
      return Outcome.unknown({ reason: "unmapped", reference, vendorCode: status })
  }
}

/** The answer's body. An error ends the call, and so does what Northbank does not document. */
export const read = <A>(answer: Answer, schema: Schema.Decoder<A>): A => {
  if (answer.status !== 200) return refused(answer)
  const body = Schema.decodeUnknownOption(schema)(answer.json)
  if (Option.isNone(body)) throw new Ended({ outcome: Outcome.unknown({ reason: "unreadable" }) })
  return body.value
}

const refused = ({ json, status }: Answer): never => {
  const error = Option.getOrUndefined(Schema.decodeUnknownOption(Wire.ErrorBody)(json))?.error
  const vendorCode = error?.code ?? `http_${status}`
  switch (status) {
    case 400:
      throw invalidRequest(vendorCode)
    case 401:
    case 403:
      throw misconfigured(vendorCode)
    case 402:
      throw new Ended({ outcome: declined(vendorCode) })
    case 409:
      throw new Ended({ outcome: Outcome.unknown({ reason: "duplicate", vendorCode }) })
    case 429:
      throw rateLimited(error?.retry_after === undefined ? null : Math.max(error.retry_after, 0) * 1000)
    default:
      throw new Ended({
        outcome: Outcome.unknown({ reason: status >= 500 ? "server_error" : "unmapped", vendorCode })
      })
  }
}

/** What a call that may take or give back money comes to. */
export const settled = async (call: () => Promise<InquiryOutcome>): Promise<Outcome.SendOutcome> => {
  try {
    return Outcome.ofInquiry(await call())
  } catch (error) {
    if (error instanceof Ended) return error.outcome
    throw error
  }
}

/** What a question comes to: however it fails, what it asked about is not known. */
export const asked = async (question: () => Promise<InquiryOutcome>): Promise<InquiryOutcome> => {
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof Ended)) throw error
    return error.outcome._tag === "Unknown" ? error.outcome : Outcome.unknown({ reason: "reset" })
  }
}
