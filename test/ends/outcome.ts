/** What the tests assert about how an end came out, beside the judge's findings. */
import { judge, kept } from "../suites/src/simulation/judge/index.ts"
import type { Facts, PaymentView } from "../suites/src/simulation/judge/index.ts"
import type { Charge } from "./VendorLedger.ts"

/** The findings of every expectation of the judge, as text. */
export const findings = (facts: Facts): ReadonlyArray<string> =>
  judge(facts).findings.map(({ expectation, order, text }) => `${expectation}, order ${order}: ${text}`)

export { kept }

/** How much of this charge open reviews name, by the vendor's id of the charge or of one of its movements. */
export const namedIn = ({ payments }: Facts, charge: Charge): number => {
  const references = [charge.reference, ...charge.movements.map(({ reference }) => reference)]
  return payments
    .flatMap(({ reviews }) => reviews ?? [])
    .filter(({ provider, reference }) => provider === charge.provider && references.includes(reference ?? ""))
    .reduce((sum, { amount }) => sum + (amount ?? 0), 0)
}

/** The reasons of the open reviews of a payment. */
export const reasonsOf = ({ reviews }: PaymentView): ReadonlyArray<string> =>
  (reviews ?? []).map(({ reason }) => reason)
