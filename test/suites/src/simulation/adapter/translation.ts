/** The vendor's words in those of the contract: what the author of an adapter writes. Pure. */
import { Outcome } from "@paymux/core"
import type { Currency, DeclineCode, Evidence, InquiryOutcome, Money, OperationId, OperationKind } from "@paymux/core"
import type { Statement } from "../vendor/Ledger.ts"
import type { VendorEvent } from "../vendor/Vendor.ts"

/** What a request or an inquiry of this kind of operation was answered. */
export const inquiryOf = (kind: OperationKind, statement: Statement): InquiryOutcome => {
  switch (statement.kind) {
    case "charge":
      return ofCharge(statement)
    case "done":
      return Outcome.succeeded({
        reference: statement.reference,
        ...(kind === "cancel" ? {} : { amount: money(statement) })
      })
    case "refused":
      return Outcome.declined({
        code: statement.code === "no_such_charge" ? "unsupported" : "not_permitted",
        retry: "never",
        vendorCode: `sim_${statement.code}`
      })
    case "duplicate":
      return Outcome.unknown({
        reason: "duplicate",
        ...(statement.reference !== null && kind === "create" && { reference: statement.reference })
      })
    case "not_found":
      return Outcome.notFound()
  }
}

/** What cannot be the answer to a request is unknown. */
export const outcomeOf = (kind: OperationKind, statement: Statement): Outcome.SendOutcome =>
  Outcome.ofInquiry(inquiryOf(kind, statement))

const ofCharge = (charge: Extract<Statement, { readonly kind: "charge" }>): InquiryOutcome => {
  const { code, reference, retry, status, url } = charge
  switch (status) {
    case "waiting":
      return Outcome.pending({ reference, ...(url !== null && { nextAction: redirect(url) }) })
    case "held":
      return Outcome.authorized({ reference, amount: money(charge) })
    case "captured":
      return Outcome.succeeded({ reference, amount: money(charge) })
    case "declined":
      return Outcome.declined({ reference, code: declineCode(code), retry, vendorCode: `sim_${String(code)}` })
    case "expired":
      return Outcome.expired({ reference })
    case "canceled":
      return Outcome.canceled({ reference })
  }
}

const redirect = (url: string) => ({ type: "redirect", url, expiresAt: null }) as const

const money = ({ currency, minorUnits }: { readonly currency: string; readonly minorUnits: number }): Money.Money => ({
  minorUnits,
  // Vendors charge in the currency that they were asked for, or in another one of ISO 4217.
  currency: currency as Currency.Currency
})

/** The vendor's codes are named like ours. */
const declineCode = (code: string | null): DeclineCode => (code ?? "generic_decline") as DeclineCode

/** A webhook. If the vendor gives only its own reference, the evidence is about that. */
export const evidenceOf = (provider: string, event: VendorEvent): Evidence => {
  const { id, merchantReference, reference } = event
  return {
    source: "webhook",
    about:
      merchantReference === null
        ? { provider, providerReference: reference }
        : // The vendor returns the id that the adapter gave it.
          { operation: merchantReference as OperationId },
    outcome: reportOf(event),
    eventId: id,
    occurredAt: null
  }
}

const reportOf = (event: VendorEvent): Outcome.Outcome => {
  const amount = money(event)
  const details = { reference: event.reference, ...(event.code !== null && { vendorCode: `sim_${event.code}` }) }
  switch (event.about) {
    case "capture":
      return Outcome.captured({ ...details, amount })
    case "refund":
      return Outcome.refundSucceeded({ ...details, amount })
    case "cancel":
      return Outcome.canceled(details)
    case "charge":
      break
  }
  switch (event.status) {
    case "captured":
      return Outcome.succeeded({ ...details, amount })
    case "held":
      return Outcome.authorized({ ...details, amount })
    case "waiting":
      return Outcome.pending({ ...details, ...(event.url !== null && { nextAction: redirect(event.url) }) })
    case "declined":
      return Outcome.declined({ ...details, code: declineCode(event.code), retry: event.retry })
    case "expired":
      return Outcome.expired(details)
    case "canceled":
      return Outcome.canceled(details)
    case "done":
    case "refused":
      return Outcome.unknown({ ...details, reason: "unmapped" })
  }
}
