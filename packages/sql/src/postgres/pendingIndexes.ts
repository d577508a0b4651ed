/**
 * The indexes of pending steps that can be built before these steps, while other sessions keep writing: indexes of tables and
 * columns that already exist, unless an earlier step drops the index. The step then accepts the existing index (`IF NOT EXISTS`).
 */
import type { PgIndex } from "../migrations/PgIndex.ts"

export interface PendingIndex extends PgIndex {
  readonly table: string
}

/** Finds these indexes. `statements`: the statements of all pending steps, in their order. */
export const pendingIndexes = (statements: ReadonlyArray<string>): ReadonlyArray<PendingIndex> =>
  statements.flatMap((statement, place) => {
    const [, definition, name, table] = anIndex.exec(statement) ?? []
    if (definition === undefined || name === undefined || table === undefined) return []
    const index = { name, table, definition }
    return statements.slice(0, place).some((earlier) => precedes(earlier, index)) ? [] : [index]
  })

const anIndex = /^CREATE INDEX IF NOT EXISTS ((\w+)\s+ON (\w+) [^]*)$/

/** Whether the index can be built only after the statement. */
const precedes = (statement: string, { definition, name, table }: PendingIndex): boolean => {
  const [, makes, changes] = aTable.exec(statement) ?? []
  if (changes !== table) return makes === table || aDrop.exec(statement)?.[1] === name
  const columns = [...statement.matchAll(aColumn)].flatMap(([, column = ""]) => [column])
  // A change of another kind may affect any column.
  return columns.length === 0 || columns.some((column) => new RegExp(`\\b${column}\\b`).test(definition))
}

const aTable = /^(?:CREATE TABLE (?:IF NOT EXISTS )?(\w+)|ALTER TABLE (?:IF EXISTS )?(\w+))/
const aDrop = /^DROP INDEX (?:IF EXISTS )?(\w+)/
const aColumn = /\b(?:ADD|DROP) COLUMN (?:IF (?:NOT )?EXISTS )?(\w+)/g
