/**
 * What is expected of one payment whose providers are tried in an order: exactly, from the world's distributions. A model of
 * its own of the failover table, for what these worlds contain.
 */
import type { FailoverPolicy } from "@paymux/core/routing"
import { endings } from "./outcomes.ts"
import type { Ending } from "./outcomes.ts"
import type { Fee, PlantedPayment, Provider, Truth } from "./World.ts"

export interface Expected {
  /** The probability that the payment is paid. */
  readonly paid: number
  /** Minor units: the whole fee of the provider that is paid. */
  readonly costOfPaid: number
  /** Minor units: the fixed fee of every attempt, and the percentage of the provider that is paid. */
  readonly costOfAttempts: number
}

export interface Tried {
  readonly payment: PlantedPayment
  readonly truth: Truth
  readonly order: ReadonlyArray<Provider>
  readonly policy: Pick<FailoverPolicy, "maxAttempts" | "notOn" | "on">
  readonly fees: { readonly [provider in Provider]?: Fee }
}

const nothing: Expected = { paid: 0, costOfPaid: 0, costOfAttempts: 0 }

export const expected = (tried: Tried): Expected => {
  const { at, common = {} } = tried.truth
  const parts = endings(common).map(([probability, everywhere]): readonly [number, Expected] => {
    const endingsAt = (provider: Provider) =>
      everywhere === "paid" ? endings(at[provider] ?? {}) : ([[1, everywhere]] as const)
    return [probability, after(tried, endingsAt, 0, false)]
  })
  return weighted(parts)
}

type EndingsAt = (provider: Provider) => ReadonlyArray<readonly [probability: number, ending: Ending]>

/** `isDeclined`: an earlier attempt was declined, which allows failover once. */
const after = (tried: Tried, endingsAt: EndingsAt, attempts: number, isDeclined: boolean): Expected => {
  const provider = tried.order[attempts]
  if (provider === undefined || attempts >= tried.policy.maxAttempts) return nothing
  const { amount } = tried.payment
  const { fixed, percent } = tried.fees[provider] ?? { fixed: 0, percent: 0 }
  const share = (amount * percent) / 100
  const parts = endingsAt(provider).map(([probability, ending]): readonly [number, Expected] => {
    if (ending === "paid") return [probability, { paid: 1, costOfPaid: share + fixed, costOfAttempts: share + fixed }]
    if (ending === "not_executed") {
      // Nothing was done, and nothing is charged for it.
      const goesOn = tried.policy.on.includes("not_executed")
      return [probability, goesOn ? after(tried, endingsAt, attempts + 1, isDeclined) : nothing]
    }
    const next = allowsDecline(tried, ending, isDeclined) ? after(tried, endingsAt, attempts + 1, true) : nothing
    return [probability, { ...next, costOfAttempts: next.costOfAttempts + fixed }]
  })
  return weighted(parts)
}

/** UPI never fails over after a decline. */
const allowsDecline = ({ payment, policy }: Tried, ending: Ending, isDeclined: boolean): boolean => {
  const isSoft = ending === "do_not_honor" || ending === "issuer_unavailable" || ending === "processing_error"
  if (!isSoft || isDeclined || payment.method === "upi") return false
  return policy.on.includes("soft_decline") && !policy.notOn.includes(ending)
}

const weighted = (parts: ReadonlyArray<readonly [number, Expected]>): Expected =>
  parts.reduce(
    (sum, [probability, part]) => ({
      paid: sum.paid + probability * part.paid,
      costOfPaid: sum.costOfPaid + probability * part.costOfPaid,
      costOfAttempts: sum.costOfAttempts + probability * part.costOfAttempts
    }),
    nothing
  )
