/**
 * Partial index on `created_at` of operations with derived ids, which do not contain the time (see `Ids.isDerived`). With it, a
 * provider's statement is compared with the operations of its period instead of all operations that ever got a derived id.
 */
import { addIndexes } from "./addIndexes.ts"

/** The condition of the index: a query names it to use the index. `row`: the alias of the operation, with its dot. */
export const isDerived = (row: string): string => `${row}id >= '${firstDerived}' AND ${row}id < 'op_8'`

/** A text that sorts before every derived id. */
export const firstDerived = "op_4"

export const derivedByTime = "operations_derived"

export const derivedOperations = addIndexes(
  { id: 24, name: "operations with derived ids by the time of their request" },
  [`${derivedByTime} ON operations (created_at) WHERE ${isDerived("")}`]
)
