/**
 * Operations whose ids are derived, by the time of their request: these ids have no time in them (see `Ids.isDerived`). A
 * statement is compared with the operations of its period, and not with all that were ever derived.
 */
import { addIndexes } from "./addIndexes.ts"

/** The condition of the index: a query names it to use the index. `row`: of the operation, with its dot. */
export const isDerived = (row: string): string => `${row}id >= 'op_4' AND ${row}id < 'op_8'`

export const derivedByTime = "operations_derived"

export const derivedOperations = addIndexes(
  { id: 24, name: "operations with derived ids by the time of their request" },
  [`${derivedByTime} ON operations (created_at) WHERE ${isDerived("")}`]
)
