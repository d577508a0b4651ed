/**
 * Where the vendors' ledgers and the API disagree, charge by charge: netted over charges, a refund that went to the wrong
 * one would be invisible. Pure.
 */
import { captured, held, kept, overpayment, shown } from "./balance.ts"
import type { Discrepancy, DiscrepancyKind } from "./Discrepancy.ts"
import type { LedgerCharge, PaymentView } from "./facts.ts"
import { sum } from "./Expectation.ts"
import type { Case } from "./Expectation.ts"
import { unnamed } from "./reviews.ts"

/**
 * The discrepancies that no review names. Which of two equal charges is the payment's own, and which of two holds, only
 * the engine can say: every choice is tried, and the one that leaves the fewest questions counts.
 */
export const openDiscrepancies = (one: Case): ReadonlyArray<Discrepancy> => {
  const own = one.charges.filter(({ currency }) => currency === one.order.currency)
  const foreign = one.charges
    .filter(({ currency }) => currency !== one.order.currency)
    .map((charge) => of("foreign", charge, kept(charge)))
  const paying = one.payments.filter(({ amount_captured }) => amount_captured > 0)
  const taken = own.filter((charge) => captured(charge) > 0)
  return captureReadings(one, paying, taken)
    .flatMap((captures) => holdReadings(one).map((holds) => [...captures, ...holds, ...foreign]))
    .map((reading) =>
      unnamed(
        one,
        reading.filter(({ amount }) => amount > 0)
      )
    )
    .reduce((best, each) => (each.length < best.length ? each : best))
}

const of = (kind: DiscrepancyKind, charge: LedgerCharge, amount: number): Discrepancy => ({
  kind,
  provider: charge.provider,
  charge,
  amount
})

/** Every way to give each payment one of the charges at the provider that it names. */
const captureReadings = (
  one: Case,
  payments: ReadonlyArray<PaymentView>,
  charges: ReadonlyArray<LedgerCharge>
): ReadonlyArray<ReadonlyArray<Discrepancy>> => {
  const [payment, ...others] = payments
  if (payment === undefined) return [charges.map((charge) => of("hidden", charge, kept(charge)))]
  const there = charges.filter(({ provider }) => provider === payment.provider)
  if (there.length === 0) {
    const missing: Discrepancy = { kind: "missing", provider: payment.provider, charge: null, amount: shown(payment) }
    return captureReadings(one, others, charges).map((rest) => [missing, ...rest])
  }
  return there.flatMap((charge) =>
    captureReadings(
      one,
      others,
      charges.filter((each) => each !== charge)
    ).map((rest) => [...between(one, payment, charge), ...rest])
  )
}

const between = (one: Case, payment: PaymentView, charge: LedgerCharge): ReadonlyArray<Discrepancy> => {
  const difference = kept(charge) - shown(payment)
  return [
    of("hidden", charge, difference),
    of("missing", charge, -difference - pendingRefunds(one, payment)),
    of("unasked", charge, Math.min(kept(charge), shown(payment)) - askedOf(one, payment))
  ]
}

const pendingRefunds = ({ refunds }: Case, { id }: PaymentView): number =>
  sum(refunds, ({ amount, payment, status }) => (payment === id && status === "pending" ? amount : 0))

/** What may be taken: the whole amount once, or the captures that the merchant asked for and the API did not refuse. */
const askedOf = ({ order, requests }: Case, payment: PaymentView): number => {
  if (order.captureMethod === "automatic") return order.minorUnits + overpayment(payment)
  const captures = new Map(
    requests.flatMap(({ answer, wants }) =>
      wants?.kind !== "capture" || answer.kind === "refused" ? [] : [[wants.name, wants.minorUnits] as const]
    )
  )
  return Math.min(
    order.minorUnits,
    sum([...captures.values()], (each) => each)
  )
}

/**
 * A hold is wanted while its payment is authorized or undecided, and only one. What a partial capture leaves of a hold
 * lapses at the vendor.
 */
const holdReadings = ({ charges, payments }: Case): ReadonlyArray<ReadonlyArray<Discrepancy>> => {
  const open = charges.filter((charge) => held(charge) > 0 && captured(charge) === 0)
  const waits = payments.find(({ status }) => status === "authorized" || status === "pending")
  const unwanted = (wanted: LedgerCharge | null) =>
    open.filter((charge) => charge !== wanted).map((charge) => of("held", charge, held(charge)))
  const there = open.filter(({ provider }) => provider === waits?.provider)
  return there.length === 0 ? [unwanted(null)] : there.map(unwanted)
}
