/** The vendors, with their ledgers: requests come in, answers go out. Nothing of the engine is known here. */
import { Outcome } from "@paymux/core"
import type { Currency } from "@paymux/core"
import type { StatementMovement } from "@paymux/core/statement"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Effect } from "effect"
import type { StatementSource } from "../../packages/paymux/src/reconcile/readStatement.ts"
import { issuingOf, makeLedger } from "./Ledger.ts"
import type { Charge, Ledger } from "./Ledger.ts"
import { vendors } from "./processes/Protocol.ts"
import type { VendorAnswer, VendorId, VendorRequest } from "./processes/Protocol.ts"
import { vendorProvider } from "./vendorProvider.ts"
import type { VendorReport } from "./vendorProvider.ts"

export interface Vendor {
  readonly ledger: Ledger
  readonly answer: (request: VendorRequest) => VendorAnswer
  readonly reportOf: (charge: Charge) => VendorReport
  /** Its statement, to be read as `paymux reconcile` does. */
  readonly statement: StatementSource
}

export const makeVendor = (id: VendorId, seed: number): Vendor => {
  const ledger = makeLedger(id)
  const { currency } = vendors[id]
  const drawOf = (about: string) => SeededRandom.stream(seed, about)
  const create = ({ minorUnits, operation, order, place }: VendorRequest): VendorAnswer => {
    const draw = drawOf(`create ${place}`)
    const issuing = issuingOf(draw)
    const charge = ledger.open({ operation, order, minorUnits }, issuing)
    if (draw.chance(8)) return lost
    return issuing === "declined"
      ? Outcome.declined({ code: "do_not_honor", retry: "never", reference: charge.reference })
      : Outcome.ofInquiry(standingOf(charge, currency, issuing === "expires" ? Date.now() + 1_000 : null))
  }
  const cancel = ({ operation, original }: VendorRequest): VendorAnswer => {
    const charge = ledger.byReference(original)
    if (charge === undefined || charge.paidAt !== null) return refused
    const draw = drawOf(`cancel ${charge.reference}`)
    if (draw.chance(10)) return refused
    charge.isClosed = true
    return draw.chance(10) ? lost : Outcome.succeeded({ reference: `cancel_${operation}` })
  }
  const refund = ({ key, minorUnits, operation, original }: VendorRequest): VendorAnswer => {
    const charge = ledger.byReference(original)
    if (charge === undefined || charge.paidAt === null) return refused
    if (!charge.refunds.has(key)) charge.refunds.set(key, { operation, minorUnits, at: Date.now() })
    return drawOf(`refund ${charge.reference}`).chance(10)
      ? lost
      : Outcome.succeeded({ reference: `re_${key}`, amount: { minorUnits, currency: currencyOf(currency) } })
  }
  const inquire = ({ key, kind, minorUnits, operation, original }: VendorRequest): VendorAnswer => {
    const charge = kind === "create" ? ledger.find(operation) : ledger.byReference(original)
    if (charge === undefined) return Outcome.notFound()
    if (kind === "create") return standingOf(charge, currency, null)
    if (kind === "refund") {
      return charge.refunds.has(key)
        ? Outcome.succeeded({ reference: `re_${key}`, amount: { minorUnits, currency: currencyOf(currency) } })
        : Outcome.notFound()
    }
    return charge.isClosed ? Outcome.succeeded({ reference: `cancel_${operation}` }) : Outcome.notFound()
  }
  const calls = { create, cancel, refund, inquire }
  return {
    ledger,
    answer: (request) => calls[request.call](request),
    statement: statementOf(id, ledger),
    reportOf: (charge) => ({
      operation: charge.operation,
      eventId: `evt_${charge.reference}_${charge.paidAt !== null}_${charge.isClosed}`,
      outcome: standingOf(charge, currency, null)
    })
  }
}

const lost = Outcome.unknown({ reason: "timeout" })
const refused = Outcome.declined({ code: "not_permitted", retry: "never" })

const standingOf = (charge: Charge, currency: string, expiresAt: number | null): Outcome.InquiryOutcome => {
  const { isClosed, minorUnits, paidAt, reference } = charge
  if (paidAt !== null) return Outcome.succeeded({ reference, amount: { minorUnits, currency: currencyOf(currency) } })
  return isClosed
    ? Outcome.canceled({ reference })
    : Outcome.pending({ reference, nextAction: { type: "redirect", url: "https://pay.example/", expiresAt } })
}

const statementOf = (id: VendorId, ledger: Ledger): StatementSource => {
  const provider = vendorProvider(id, () => Effect.succeed(lost))
  return {
    provider: { ...provider, capabilities: { ...provider.capabilities, statement: { bookedWithin: "1 second" } } },
    operations: {
      statement: ({ since, until }) =>
        Effect.sync(() => ({
          movements: ledger.charges.flatMap(bookingsOf).filter(({ bookedAt }) => bookedAt >= since && bookedAt < until),
          next: null
        }))
    }
  }
}

const bookingsOf = ({
  minorUnits,
  operation,
  paidAt,
  reference,
  refunds,
  vendor
}: Charge): ReadonlyArray<StatementMovement> => {
  const booking = (
    id: string,
    at: number,
    units: number
  ): Omit<StatementMovement, "direction" | "operation" | "type"> => ({
    id,
    reference: id,
    original: reference,
    amount: { minorUnits: units, currency: currencyOf(vendors[vendor].currency) },
    fee: null,
    net: null,
    payout: null,
    bookedAt: at
  })
  if (paidAt === null) return []
  return [
    { ...booking(reference, paidAt, minorUnits), operation, type: "payment", direction: "in" },
    ...[...refunds].map(([key, refund]) => ({
      ...booking(`re_${key}`, refund.at, refund.minorUnits),
      operation: refund.operation,
      type: "refund" as const,
      direction: "out" as const
    }))
  ]
}

// Boundary: the tests use codes of ISO 4217.
const currencyOf = (code: string) => code as Currency.Currency
