/** Converts Northbank's statuses and errors to outcomes. A status or code that is not known is unknown, never a decline. */
import {
  accountNotEnabled,
  type InquiryOutcome,
  invalidRequest,
  misconfigured,
  type NextAction,
  Outcome,
  type ProviderOperation,
  rateLimited
} from "@paymux/core"
import { Codes } from "@paymux/provider-kit"
import { Option, Schema } from "effect"
import { codes } from "./codes.ts"
import { type Answer, Ended } from "./http.ts"
import * as Wire from "./wire.ts"

export const declined = (vendorCode: string, reference: string): Outcome.Declined | Outcome.Unknown =>
  Codes.declinedBy(codes, vendorCode, { reference }) ?? Outcome.unknown({ reason: "unmapped", reference, vendorCode })

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
export const read = <A>(answer: Answer, schema: Schema.Decoder<A>, table = codes): A => {
  if (answer.status !== 200) return refused(answer, table)
  const body = Schema.decodeUnknownOption(schema)(answer.json)
  if (Option.isNone(body)) throw new Ended({ outcome: Outcome.unknown({ reason: "unreadable" }) })
  return body.value
}

const refused = ({ json, status }: Answer, table: Codes.Table): never => {
  const error = Option.getOrUndefined(Schema.decodeUnknownOption(Wire.ErrorBody)(json))?.error
  const vendorCode = error?.code ?? `http_${status}`
  // A 429 limits the rate, whatever code it has. After a 5xx, the outcome is unknown.
  if (status >= 400 && status < 500 && status !== 429) byCode(vendorCode, table)
  switch (status) {
    case 400:
      throw invalidRequest(vendorCode)
    case 401:
    case 403:
      throw misconfigured(vendorCode)
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

/** A code of the table decides, whatever 4xx has it. An account error is proof that nothing was done. */
const byCode = (vendorCode: string, table: Codes.Table): void => {
  const decline = Codes.declinedBy(table, vendorCode)
  if (decline !== null) throw new Ended({ outcome: decline })
  const meaning = Codes.meaningOf(table, vendorCode)
  if (meaning?.class === "account_not_enabled") throw accountNotEnabled(vendorCode, meaning.about)
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
