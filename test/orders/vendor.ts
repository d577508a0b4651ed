/** The adapter of the vendor with pages. */
import { defineProvider, Outcome } from "@paymux/core"
import type {
  Currency,
  InquiryOutcome,
  OperationCapability,
  OperationId,
  Provider,
  ProviderOperation
} from "@paymux/core"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Effect, Schema } from "effect"
import { issuingOf } from "./Ledger.ts"
import type { Charge, Ledger } from "./Ledger.ts"

const operation: OperationCapability = {
  idempotency: { by: "header", lifetime: "24 hours" },
  inquiry: { by: "reference", notFoundIsFinalAfter: "15 minutes" }
}

const lost = Outcome.unknown({ reason: "timeout" })
const refused = Outcome.declined({ code: "not_permitted", retry: "never" })

/** `refunds: false`: what it has taken stays there, as on a chain. */
export const vendorOf = (
  id: string,
  ledger: Ledger,
  { currency, refunds, seed }: { readonly currency: string; readonly refunds: boolean; readonly seed: number }
): Provider => {
  const drawOf = (about: string) => SeededRandom.stream(seed, about)
  // A request that has left arrives, also if its server crashes: what is not found is final only after fifteen minutes.
  const later = <A>(act: () => A) => Effect.uninterruptible(Effect.andThen(Effect.sleep(2), Effect.sync(act)))
  const create = ({ amount, id: name, metadata }: ProviderOperation) =>
    later((): Outcome.SendOutcome => {
      const draw = drawOf(`create ${metadata["place"]}`)
      const issuing = issuingOf(draw)
      const request = { operation: name, order: metadata["order"] ?? "", minorUnits: amount.minorUnits }
      const charge = ledger.open(request, issuing)
      if (draw.chance(8)) return lost
      return issuing === "declined"
        ? Outcome.declined({ code: "do_not_honor", retry: "never", reference: charge.reference })
        : Outcome.ofInquiry(standingOf(charge, currency, issuing === "expires" ? Date.now() + 1_000 : null))
    })
  const cancel = ({ id: name, original }: ProviderOperation) =>
    later((): Outcome.SendOutcome => {
      const charge = ledger.byReference(original?.reference ?? null)
      if (charge === undefined || charge.isPaid) return refused
      const draw = drawOf(`cancel ${charge.reference}`)
      if (draw.chance(10)) return refused
      charge.isClosed = true
      return draw.chance(10) ? lost : Outcome.succeeded({ reference: `cancel_${name}` })
    })
  const refund = ({ amount, key, original }: ProviderOperation) =>
    later((): Outcome.SendOutcome => {
      const charge = ledger.byReference(original?.reference ?? null)
      if (charge === undefined || !charge.isPaid) return refused
      charge.refunds.set(key, amount.minorUnits)
      return drawOf(`refund ${charge.reference}`).chance(10)
        ? lost
        : Outcome.succeeded({ reference: `re_${key}`, amount })
    })
  const inquire = ({ amount, id: name, key, kind, original }: ProviderOperation) =>
    later((): InquiryOutcome => {
      const charge = kind === "create" ? ledger.find(name) : ledger.byReference(original?.reference ?? null)
      if (charge === undefined) return Outcome.notFound()
      if (kind === "create") return standingOf(charge, currency, null)
      if (kind === "refund") {
        return charge.refunds.has(key) ? Outcome.succeeded({ reference: `re_${key}`, amount }) : Outcome.notFound()
      }
      return charge.isClosed ? Outcome.succeeded({ reference: `cancel_${name}` }) : Outcome.notFound()
    })
  return defineProvider({
    id,
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { card: { currencies: [currency], flows: { hosted: {} }, captureMethods: ["automatic"] } },
      operations: {
        create: { ...operation, declineIsFinal: true },
        cancel: operation,
        ...(refunds && { refund: operation })
      }
    }),
    make: () =>
      Effect.succeed({
        create,
        cancel,
        inquire,
        ...(refunds && { refund }),
        // It signs nothing.
        webhook: (body: Uint8Array) =>
          Effect.sync(() => {
            const charge = ledger.byReference(new TextDecoder().decode(body))
            return charge === undefined ? [] : [reportOf(charge, currency)]
          })
      })
  })({})
}

const standingOf = (charge: Charge, currency: string, expiresAt: number | null): InquiryOutcome => {
  const { isClosed, isPaid, minorUnits, reference } = charge
  // Boundary: the tests use codes of ISO 4217.
  if (isPaid) return Outcome.succeeded({ reference, amount: { minorUnits, currency: currency as Currency.Currency } })
  return isClosed
    ? Outcome.canceled({ reference })
    : Outcome.pending({ reference, nextAction: { type: "redirect", url: "https://pay.example/", expiresAt } })
}

const reportOf = (charge: Charge, currency: string) => ({
  source: "webhook" as const,
  // Boundary: the vendor returns the id that it was given.
  about: { operation: charge.operation as OperationId },
  outcome: standingOf(charge, currency, null),
  eventId: `evt_${charge.reference}_${charge.isPaid}_${charge.isClosed}`,
  occurredAt: null
})
