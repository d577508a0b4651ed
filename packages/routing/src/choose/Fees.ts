/**
 * The fee of a provider for a payment, from the merchant's configuration. It is an estimate for choosing a provider,
 * not for accounting.
 */
import { Money } from "@paymux/core"
import { reader } from "../Facts.ts"
import type { Facts, FactValue } from "../Facts.ts"
import { feeConditions } from "../language/Fees.ts"
import type { OtherFee, ProviderFees, WrittenFee } from "../language/Fees.ts"

/** Computes the fee in minor units of the payment's currency, unrounded; `null` if it is unknown. */
export type Fee = (facts: Facts) => number | null

/**
 * Compiles the fees of a provider. A fee is unknown if the provider has fixed fees, but none in the payment's currency.
 */
export const feeOf = (fees: ProviderFees): Fee => {
  const byRail = { upi: railFee(fees.upi), card: railFee(fees.card), stablecoin: railFee(fees.stablecoin) }
  return (facts) => byRail[facts.payment_method](facts)
}

const railFee = (fee: WrittenFee | undefined): Fee => {
  if (fee === undefined) return () => null
  const others = (fee.except ?? []).map((other) => ({ other, holds: conditionOf(other) }))
  // If only fee exceptions are configured, the fee of other payments is unknown. A fee without any amount is zero.
  const ofOthers = others.length > 0 && fee.percent === undefined && fee.fixed === undefined ? null : fee
  return (facts) => {
    const found = others.find(({ holds }) => holds(facts))?.other ?? ofOthers
    return found === null ? null : amountOf(found, facts)
  }
}

const amountOf = ({ fixed, percent = 0 }: Pick<WrittenFee, "fixed" | "percent">, { amount, currency }: Facts) => {
  const added = fixed === undefined ? 0 : fixed[currency]
  return added === undefined ? null : (amount * percent) / 100 + added
}

/** Compiles the conditions of a fee exception. An absent fact meets no condition. */
const conditionOf = (other: OtherFee): ((facts: Facts) => boolean) => {
  const tests = feeConditions.flatMap((name) => {
    const asked = other[name]
    if (asked === undefined) return []
    const values = new Set<FactValue>(typeof asked === "string" ? [asked] : asked)
    const read = reader(name)
    return [(facts: Facts) => values.has(read(facts))]
  })
  return (facts) => tests.every((holds) => holds(facts))
}

/**
 * Formats a fee such as `3.20 USD`, rounded to minor units. It has no digit grouping, since `Intl` would take longer
 * than the rest of a decision.
 */
export const feeText = (fee: number, currency: string): string =>
  `${Money.decimal({ minorUnits: Math.round(fee), currency })} ${currency}`
