import type { DatabaseSync, StatementSync } from "node:sqlite"

const statementCacheSize = 512

/** A cache of prepared statements by SQL text; when it is full, the oldest statement is dropped. */
export const statementCache = (db: DatabaseSync) => {
  const statements = new Map<string, StatementSync>()
  return (sql: string): StatementSync => {
    const cached = statements.get(sql)
    if (cached !== undefined) return cached
    const statement = prepareOne(db, sql)
    if (statements.size >= statementCacheSize) {
      for (const oldest of statements.keys()) {
        statements.delete(oldest)
        break
      }
    }
    statements.set(sql, statement)
    return statement
  }
}

// SQLite compiles the first statement of a text and ignores the rest: without this check, the rest would be dropped silently.
export const prepareOne = (db: DatabaseSync, sql: string): StatementSync => {
  const statement = db.prepare(sql)
  const rest = sql.slice(sql.indexOf(statement.sourceSQL) + statement.sourceSQL.length)
  if (!onlyComments.test(rest)) throw new Error(`More than one SQL statement: ${sql}`)
  return statement
}

const onlyComments = /^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*$/
