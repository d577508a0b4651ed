/** The values of union types that core declares only as types. */
import type { EvidenceSource } from "@paymux/core"
import type { OutcomeStatus } from "@paymux/core/store"

/** Lists every value of a union: a value that core adds and the list lacks is a type error. */
export const every = <A extends string>(words: { readonly [word in A]: true }): ReadonlyArray<A> =>
  // Boundary: `Object.keys` returns the keys of a literal of this type.
  Object.keys(words) as Array<A>

export const evidenceSources = every<EvidenceSource>({
  reply: true,
  webhook: true,
  inquiry: true,
  return: true,
  observed: true,
  operator: true,
  statement: true
})

export const outcomeStatuses = every<OutcomeStatus>({
  sending: true,
  authorized: true,
  succeeded: true,
  pending: true,
  declined: true,
  not_executed: true,
  unknown: true,
  expired: true,
  canceled: true
})
