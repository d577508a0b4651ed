/** Decides whether a create may be sent after a restore, although it may have been sent before. Pure; times are ms UTC. */
import type { DeclaredOperation } from "../../provider/ProviderRegistry.ts"
import type { RestoredMark } from "../../domain/restoredMark.ts"
import { answersFirst } from "../conclude/Failover.ts"
import { timings } from "../timings.ts"

type Declared = Pick<DeclaredOperation, "canInquire" | "idempotency" | "inquiresByName" | "notFoundIsFinalAfterMs">

/**
 * The handling of requests with unknown keys at an instance. `AcceptsDoubles`: an operator accepted that it may charge
 * twice. `RefusesSecond`: a repeat has no second effect. `ProvesAbsence`: "not found" is proof from that time on.
 * `Excluded`: nothing may be sent.
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
  // Under the present name, the provider would not recognize a charge with a former name, and would charge again.
  if (!hasFormerNames(mark, formerNamesUntil) && refusesSecond(declared, mark, now)) return { _tag: "RefusesSecond" }
  const from = absenceProvedAt(declared, mark)
  return from === null ? { _tag: "Excluded" } : { _tag: "ProvesAbsence", from }
}

/** Whether lost requests may have been sent under the names of a former version. */
export const hasFormerNames = ({ wentBackTo }: RestoredMark, formerNamesUntil: number | null): boolean =>
  formerNamesUntil !== null && wentBackTo < formerNamesUntil

/**
 * Whether a repeat under the same names has no second effect: it returns the first result, or is rejected as a
 * duplicate.
 */
export const refusesSecond = (
  { canInquire, idempotency }: Declared,
  { wentBackTo }: RestoredMark,
  now: number
): boolean =>
  answersFirst(idempotency, { createdAt: wentBackTo }, now) || (idempotency.by === "reference" && canInquire)

/** The time from which "not found" proves that the provider has no lost charge; `null`: it is never proof. */
export const absenceProvedAt = (
  { inquiresByName, notFoundIsFinalAfterMs }: Declared,
  { markedAt }: RestoredMark
): number | null =>
  // The last operation that was committed before the mark may have been sent until then.
  inquiresByName && notFoundIsFinalAfterMs !== null ? markedAt + timings.attempt + notFoundIsFinalAfterMs : null
