/** The amounts of a group of payments, and the costs of their attempts by the draft's fees, in minor units. */
import type { Attempt } from "@paymux/core/store"
import type { Fee } from "../choose/Fees.ts"
import type { Facts } from "../Facts.ts"
import { isPaid, NOT_EXECUTED } from "./periodCounts.ts"

export interface GroupMoney {
  amount: number
  /** The cost of the attempts that were actually made. */
  before: number
  feeUnknownBefore: number
  /** The cost of those actual attempts that the draft would have made in the same way. */
  kept: number
  /**
   * The sums of the fees for the attempts that the draft may make, by the provider's index in the draft's list. `whole`
   * sums the whole fees of paid attempts, and `fixed` their fixed parts, which every attempt costs.
   */
  readonly whole: Array<number>
  readonly fixed: Array<number>
  feeUnknownAfter: number
}

export const noMoney = (chain: ReadonlyArray<string>): GroupMoney => ({
  amount: 0,
  before: 0,
  feeUnknownBefore: 0,
  kept: 0,
  whole: chain.map(() => 0),
  fixed: chain.map(() => 0),
  feeUnknownAfter: 0
})

/**
 * Adds the amounts and fees of a payment to its group. `kept` is the number of actual attempts that the draft would
 * also make. `further` has the indices of the providers that the draft may try afterwards.
 */
export const addMoney = (
  money: GroupMoney,
  {
    attempts,
    chain,
    facts
  }: { readonly attempts: ReadonlyArray<Attempt>; readonly chain: ReadonlyArray<string>; readonly facts: Facts },
  kept: number,
  further: ReadonlyArray<number>,
  feeOfProvider: (provider: string) => Fee
): void => {
  const nothing = { ...facts, amount: 0 }
  money.amount += facts.amount
  const costs = attempts.map((attempt) => {
    const cost = feeOfProvider(attempt.provider)(isPaid(attempt) ? facts : nothing)
    // The fee of an attempt that was not executed is zero, but an unknown fee stays unknown.
    return cost === null || attempt.status !== NOT_EXECUTED ? cost : 0
  })
  const before = sumOf(costs)
  if (before === null) money.feeUnknownBefore++
  else money.before += before
  const fees = further.map((place) => {
    const fee = feeOfProvider(chain[place] ?? "")
    return { place, whole: fee(facts), fixed: fee(nothing) }
  })
  const asBefore = sumOf(costs.slice(0, kept))
  if (asBefore === null || fees.some(({ whole }) => whole === null)) {
    money.feeUnknownAfter++
    return
  }
  money.kept += asBefore
  for (const { fixed, place, whole } of fees) {
    money.whole[place] = (money.whole[place] ?? 0) + (whole ?? 0)
    money.fixed[place] = (money.fixed[place] ?? 0) + (fixed ?? 0)
  }
}

/** The sum of the costs; `null` if one of them is unknown. */
const sumOf = (costs: ReadonlyArray<number | null>): number | null => {
  let sum = 0
  for (const cost of costs) {
    if (cost === null) return null
    sum += cost
  }
  return sum
}
