/** The vendor's words in those of the contract: what the author of an adapter writes. Pure. */
import { Outcome } from "@paymux/core"
import type {
  Currency,
  DeclineCode,
  Evidence,
  EvidenceClaim,
  Inquiry,
  Money,
  OperationId,
  OperationKind
} from "@paymux/core"
import type { Statement } from "../vendor/Ledger.ts"
import type { VendorEvent } from "../vendor/Vendor.ts"

/** What a request or an inquiry of this kind of operation was answered. */
export const inquiryOf = (kind: OperationKind, statement: Statement): Inquiry => {
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
export const outcomeOf = (kind: OperationKind, statement: Statement): Outcome.Outcome =>
  Outcome.ofInquiry(inquiryOf(kind, statement))

const ofCharge = (charge: Extract<Statement, { readonly kind: "charge" }>): Inquiry => {
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

/** A webhook. Where the vendor names only its own reference, that is what it is about. */
export const evidenceOf = (provider: string, event: VendorEvent): Evidence => {
  const { id, merchantReference, reference } = event
  return {
    source: "webhook",
    about:
      merchantReference === null
        ? { provider, providerReference: reference }
        : // The vendor hands back the id that the adapter gave it.
          { operation: merchantReference as OperationId },
    claim: claimOf(event),
    reference,
    vendorCode: event.code === null ? null : `sim_${event.code}`,
    eventId: id,
    occurredAt: null
  }
}

const claimOf = (event: VendorEvent): EvidenceClaim => {
  const amount = money(event)
  switch (event.about) {
    case "capture":
      return { kind: "captured", amount }
    case "refund":
      return { kind: "refund_succeeded", amount }
    case "cancel":
      return { kind: "canceled" }
    case "charge":
      break
  }
  switch (event.status) {
    case "captured":
      return { kind: "succeeded", amount }
    case "held":
      return { kind: "authorized", amount }
    case "waiting":
      return {
        kind: "pending",
        nextAction: event.url === null ? null : redirect(event.url),
        awaitingFinality: false
      }
    case "declined":
      return { kind: "declined", code: declineCode(event.code), retry: event.retry }
    case "expired":
      return { kind: "expired" }
    case "canceled":
      return { kind: "canceled" }
    case "done":
    case "refused":
      return { kind: "unknown", reason: "unmapped" }
  }
}
