/**
 * Decides whether a create may be sent after a database restore, although it may have been sent before. Pure; times are
 * ms UTC.
 */
import type { DeclaredOperation } from "../../provider/ProviderRegistry.ts"
import type { RestoredMark } from "../../domain/restoredMark.ts"
import { answersFirst } from "../conclude/Failover.ts"
import { timings } from "../timings.ts"

type Declared = Pick<DeclaredOperation, "canInquire" | "idempotency" | "inquiresByName" | "notFoundIsFinalAfterMs">

/**
 * The handling of requests with unknown idempotency keys at a provider instance after a restore. `AcceptsDoubles`: an
 * operator accepted that the provider may charge twice. `RefusesSecond`: a repeated send has no second effect.
 * `ProvesAbsence`: from the time `from` on, "not found" proves that the provider has no charge. `Excluded`: nothing may
 * be sent to the provider.
 */
export type RestoredStanding =
  | { readonly _tag: "AcceptsDoubles" | "RefusesSecond" | "Excluded" }
  | { readonly _tag: "ProvesAbsence"; readonly from: number }

export const restoredStanding = (
  instance: { readonly id: string; readonly declared: Declared },
  mark: RestoredMark,
  formerNamesUntil: number | null,
  now: number
): RestoredStanding => {
  const { declared, id } = instance
  if (mark.acceptedDoubles.includes(id)) return { _tag: "AcceptsDoubles" }
  // Relies on a provider's duplicate detection only if the request has no former identifiers: if it was charged with
  // former identifiers, the provider would not recognize the present ones, and would charge again.
  if (!hasFormerNames(mark, formerNamesUntil) && refusesSecond(declared, mark, now)) return { _tag: "RefusesSecond" }
  const from = absenceProvedAt(declared, mark)
  return from === null ? { _tag: "Excluded" } : { _tag: "ProvesAbsence", from }
}

/** Whether lost requests may have been sent with operation ids of a former software version. */
export const hasFormerNames = ({ wentBackTo }: RestoredMark, formerNamesUntil: number | null): boolean =>
  formerNamesUntil !== null && wentBackTo < formerNamesUntil

/**
 * Whether a repeated send with the same operation id and idempotency key has no second effect: the provider returns the
 * first result, or rejects the repeated send as a duplicate.
 */
export const refusesSecond = (
  { canInquire, idempotency }: Declared,
  { wentBackTo }: RestoredMark,
  now: number
): boolean =>
  answersFirst(idempotency, { createdAt: wentBackTo }, now) || (idempotency.by === "reference" && canInquire)

/** The time from which "not found" proves that the provider has no lost charge; `null` if it is never proof. */
export const absenceProvedAt = (
  { inquiresByName, notFoundIsFinalAfterMs }: Declared,
  { markedAt }: RestoredMark
): number | null =>
  // The period starts `timings.attempt` after the restore marker was set: an operation that was committed before may
  // have been sent until then.
  inquiresByName && notFoundIsFinalAfterMs !== null ? markedAt + timings.attempt + notFoundIsFinalAfterMs : null
