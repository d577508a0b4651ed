/** Whether a create may be sent although the database may have lost that it was sent before. Pure; times are ms UTC. */
import type { DeclaredOperation } from "../../provider/ProviderRegistry.ts"
import type { RestoredMark } from "../../store/RestorationStore.ts"
import { answersFirst } from "../Failover.ts"
import { timings } from "../timings.ts"

type Declared = Pick<DeclaredOperation, "canInquire" | "idempotency" | "inquiresByName" | "notFoundIsFinalAfterMs">

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
