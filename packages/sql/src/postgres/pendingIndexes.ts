/**
 * Which indexes of steps that are still to be applied can be built before, while others go on writing: those of tables
 * that are there, and that no step before them changes. What the step then finds, it takes as it is (`IF NOT EXISTS`).
 */
import type { PgIndex } from "./buildIndexes.ts"

export interface PendingIndex extends PgIndex {
  readonly table: string
}

/** `statements`: of all steps that are pending, in their order. */
export const pendingIndexes = (statements: ReadonlyArray<string>): ReadonlyArray<PendingIndex> =>
  statements.flatMap((statement, place) => {
    const [, definition, name, table] = anIndex.exec(statement) ?? []
    if (definition === undefined || name === undefined || table === undefined) return []
    const before = statements.slice(0, place).filter((earlier) => !anIndex.test(earlier))
    return before.some((earlier) => new RegExp(`\\b${table}\\b`).test(earlier)) ? [] : [{ name, table, definition }]
  })

const anIndex = /^CREATE INDEX IF NOT EXISTS ((\w+) ON (\w+) [^]*)$/
