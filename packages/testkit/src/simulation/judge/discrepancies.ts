/**
 * Where the vendors' ledgers and the API disagree, charge by charge: netted over charges, a refund that went to the wrong
 * one would be invisible. Pure.
 */
import { captured, held, kept, overpayment, shown } from "./balance.ts"
import type { LedgerCharge, PaymentView } from "./facts.ts"
import { sum } from "./Law.ts"
import type { Case } from "./Law.ts"

/**
 * - `hidden`: kept beyond what the API shows.
 * - `unasked`: shown, and kept, beyond what the merchant asked for.
 * - `missing`: the API shows more than the charge keeps.
 * - `held`: reserved for a payment that does not wait for it.
 * - `foreign`: kept in a currency that nobody asked for.
 */
export type DiscrepancyKind = "hidden" | "unasked" | "missing" | "held" | "foreign"

export interface Discrepancy {
  readonly kind: DiscrepancyKind
  /** `null`: the API shows money, and no vendor has taken any. */
  readonly charge: LedgerCharge | null
  /** Minor units, above zero. */
  readonly amount: number
}

export const discrepanciesOf = (one: Case): ReadonlyArray<Discrepancy> => {
  const own = one.charges.filter(({ currency }) => currency === one.order.currency)
  const foreign = one.charges.filter(({ currency }) => currency !== one.order.currency)
  return [
    ...ofCaptures(one, own),
    ...ofHolds(one),
    ...foreign.map((charge): Discrepancy => ({ kind: "foreign", charge, amount: kept(charge) }))
  ].filter(({ amount }) => amount > 0)
}

const ofCaptures = (one: Case, own: ReadonlyArray<LedgerCharge>): ReadonlyArray<Discrepancy> => {
  const left = new Set(own.filter((charge) => captured(charge) > 0))
  const counted = one.payments.flatMap((payment): ReadonlyArray<Discrepancy> => {
    if (payment.amount_captured === 0) return []
    const charge = countedBy(payment, [...left])
    if (charge === undefined) return [{ kind: "missing", charge: null, amount: shown(payment) }]
    left.delete(charge)
    const difference = kept(charge) - shown(payment)
    const both = Math.min(kept(charge), shown(payment))
    return [
      { kind: "hidden", charge, amount: difference },
      { kind: "missing", charge, amount: -difference - pendingRefunds(one, payment) },
      { kind: "unasked", charge, amount: both - askedOf(one, payment) }
    ]
  })
  return [...counted, ...[...left].map((charge): Discrepancy => ({ kind: "hidden", charge, amount: kept(charge) }))]
}

/** The charge that a payment counts as its own: at the provider that it names, the one that fits best. */
const countedBy = (
  { provider, ...payment }: PaymentView,
  charges: ReadonlyArray<LedgerCharge>
): LedgerCharge | undefined => {
  const there = charges.filter((charge) => charge.provider === provider)
  const distance = (charge: LedgerCharge) => Math.abs(kept(charge) - shown({ ...payment, provider }))
  return (there.length > 0 ? there : charges).toSorted((a, b) => distance(a) - distance(b))[0]
}

const pendingRefunds = ({ refunds }: Case, { id }: PaymentView): number =>
  sum(refunds, ({ amount, payment, status }) => (payment === id && status === "pending" ? amount : 0))

/** What may be taken: the whole amount once, or the captures that the merchant asked for and the API did not refuse. */
const askedOf = ({ order, requests }: Case, payment: PaymentView): number => {
  if (order.captureMethod === "automatic") return order.minorUnits + overpayment(payment)
  const captures = new Map(
    requests.flatMap(({ answer, capture }) =>
      capture === null || answer.kind === "refused" ? [] : [[capture.name, capture.minorUnits] as const]
    )
  )
  return Math.min(
    order.minorUnits,
    sum([...captures.values()], (each) => each)
  )
}

/**
 * A hold is wanted while its payment is authorized or undecided, and only one. What a partial capture leaves of a hold
 * lapses at the vendor, and harms nobody.
 */
const ofHolds = ({ charges, payments }: Case): ReadonlyArray<Discrepancy> => {
  const open = charges.filter((charge) => held(charge) > 0 && captured(charge) === 0)
  const waits = payments.find(({ status }) => status === "authorized" || status === "pending")
  const wanted = waits === undefined ? undefined : (open.find(({ provider }) => provider === waits.provider) ?? open[0])
  return open
    .filter((charge) => charge !== wanted)
    .map((charge): Discrepancy => ({ kind: "held", charge, amount: held(charge) }))
}
