/** Whether a create may be sent although the database may have lost that it was sent before. Pure; times are ms UTC. */
import type { DeclaredOperation } from "../../provider/ProviderRegistry.ts"
import type { RestoredMark } from "../../domain/restoredMark.ts"
import { answersFirst } from "../conclude/Failover.ts"
import { timings } from "../timings.ts"

type Declared = Pick<DeclaredOperation, "canInquire" | "idempotency" | "inquiresByName" | "notFoundIsFinalAfterMs">

/**
 * How an instance takes a request with an unknown key. `AcceptsDoubles`: an operator accepted that it may charge twice.
 * `ProvesAbsence`: if it answers "not found", from then on.
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
  // It knows nothing of a former name, and would charge under the present one.
  if (!hasFormerNames(mark, formerNamesUntil) && refusesSecond(declared, mark, now)) return { _tag: "RefusesSecond" }
  const from = absenceProvedAt(declared, mark)
  return from === null ? { _tag: "Excluded" } : { _tag: "ProvesAbsence", from }
}

/** What was lost may have been sent under the names of a former version. */
export const hasFormerNames = ({ wentBackTo }: RestoredMark, formerNamesUntil: number | null): boolean =>
  formerNamesUntil !== null && wentBackTo < formerNamesUntil

/** A repeat under the same names has no second effect there: it is answered with the first result, or refused as a duplicate. */
export const refusesSecond = (
  { canInquire, idempotency }: Declared,
  { wentBackTo }: RestoredMark,
  now: number
): boolean =>
  answersFirst(idempotency, { createdAt: wentBackTo }, now) || (idempotency.by === "reference" && canInquire)

/** From when on "not found" proves that nothing of what was lost is there; `null`: it never does. */
export const absenceProvedAt = (
  { inquiresByName, notFoundIsFinalAfterMs }: Declared,
  { markedAt }: RestoredMark
): number | null =>
  // What was committed last before the mark was sent for that long.
  inquiresByName && notFoundIsFinalAfterMs !== null ? markedAt + timings.attempt + notFoundIsFinalAfterMs : null
