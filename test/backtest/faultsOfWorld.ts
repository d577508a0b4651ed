/** Whether the truth of a world is true: its payments through the real engine came out as its distributions say. */
import type { Measured } from "./measure.ts"

/** Standard deviations. Seeds are fixed: a world that agrees once agrees always. */
const MOST_DEVIATION = 3

export const faultsOfWorld = (
  { neverHadShare, stored, truth: { old } }: Measured,
  isNeverHad: boolean
): ReadonlyArray<string> => {
  const expected = old.rate * stored.payments
  const deviation = Math.sqrt(old.variance)
  // What is open may be paid yet.
  const least = stored.succeeded - MOST_DEVIATION * deviation
  const most = stored.succeeded + stored.open + MOST_DEVIATION * deviation
  return [
    ...(expected < least || expected > most
      ? [`${stored.succeeded} payments succeeded, and ${expected.toFixed(0)} are expected`]
      : []),
    ...(isNeverHad && neverHadShare < 0.2 ? [`only ${neverHadShare} of the payments are of a kind never had`] : []),
    ...(!isNeverHad && neverHadShare > 0.01 ? [`${neverHadShare} of the payments are of a kind never had`] : [])
  ]
}
