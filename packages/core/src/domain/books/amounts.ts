/** Sums amounts of ledger entries. Pure. */
import type { Entry } from "../Entry.ts"

export const sum = <A>(all: ReadonlyArray<A>, amountOf: (each: A) => number): number =>
  all.reduce((total, each) => total + amountOf(each), 0)

/**
 * The amount of each movement by reference, in the order of the entries: the largest amount that was reported for it.
 */
export const namedAmounts = (entries: ReadonlyArray<Entry>): ReadonlyMap<string, number> => {
  const amounts = new Map<string, number>()
  for (const { minorUnits, reference } of entries) {
    if (reference !== null) amounts.set(reference, Math.max(amounts.get(reference) ?? 0, minorUnits))
  }
  return amounts
}

export const namedOf = (entries: ReadonlyArray<Entry>): number =>
  sum([...namedAmounts(entries).values()], (amount) => amount)

export const largest = (entries: ReadonlyArray<Entry>): number =>
  entries.reduce((most, { minorUnits }) => Math.max(most, minorUnits), 0)
