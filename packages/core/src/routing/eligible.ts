/** The part of a plan that is the same for every router: which providers can take the payment, and which are tried last. */
import type { NewPayment } from "../domain/Payment.ts"
import type { CapabilityFacts } from "./capabilityFilter.ts"
import type { Candidate, Dropped } from "./Plan.ts"
import type { Demotion, DemotionOf } from "./Router.ts"

export interface FilteredProvider<Facts = CapabilityFacts> {
  readonly provider: string
  /** A capability filter, or one that knows more reasons and may read more facts. */
  readonly filter: (payment: NewPayment, facts: Facts) => Dropped["reason"] | null
}

export interface Eligible<P> {
  /** For the router to order: all that were given, as they were given, if each of them can be tried. */
  readonly first: ReadonlyArray<P>
  /** Those that are demoted, with the reason. If all are, they are in `first`. */
  readonly last: ReadonlyArray<Candidate>
  readonly dropped: ReadonlyArray<Dropped>
}

const none: ReadonlyArray<never> = []

export const eligible = <Facts, P extends FilteredProvider<Facts>>(
  providers: ReadonlyArray<P>,
  payment: NewPayment,
  facts: Facts,
  demotionOf: DemotionOf
): Eligible<P> => {
  // The usual case, in which nothing is copied.
  if (providers.every(({ filter, provider }) => filter(payment, facts) === null && demotionOf(provider) === null)) {
    return { first: providers, last: none, dropped: none }
  }
  const first: Array<P> = []
  const demoted: Array<P> = []
  const last: Array<{ readonly provider: string; readonly reason: Demotion }> = []
  const dropped: Array<Dropped> = []
  for (const each of providers) {
    const { filter, provider } = each
    const reason = filter(payment, facts)
    if (reason !== null) {
      dropped.push({ provider, reason })
      continue
    }
    const demotion = demotionOf(provider)
    if (demotion === null) first.push(each)
    else {
      demoted.push(each)
      last.push({ provider, reason: demotion })
    }
  }
  return first.length === 0 ? { first: demoted, last: none, dropped } : { first, last, dropped }
}
