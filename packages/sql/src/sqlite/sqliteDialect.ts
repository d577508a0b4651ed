/**
 * The SQL of SQLite. Parameters have names, so that one parameter can be used repeatedly. They have no numbers, because
 * Node before 22.20 and early versions of Node 24 treat `?1` as a name.
 */
import { sqlValue } from "../rows/Column.ts"
import type { SqlValue } from "../rows/Column.ts"
import { attemptExpressions } from "./attemptExpressions.ts"
import type { Dialect } from "../dialect/Dialect.ts"
import { statementOn } from "../dialect/Fragments.ts"
import type { StatementText } from "../dialect/Fragments.ts"
import { hasFingerprint, sqliteFingerprint } from "../migrations/cards.ts"
import { hasMetadata, sqliteMetadata } from "../migrations/metadata.ts"
import { hasFailureCode, sqliteFailureCode } from "../migrations/search.ts"
import { fromStorable } from "../rows/storableText.ts"
import { recordColumns } from "../store/records.ts"

const isOneOf = (expression: string, list: string): string => `${expression} IN (SELECT value FROM json_each(${list}))`

export const isReferenceTaken: Dialect["isReferenceTaken"] = (provider, reference, payment) =>
  `EXISTS (SELECT 1 FROM operations AS other
    WHERE other.provider = ${provider} AND other.reference = ${reference} AND other.kind = 'create'
      AND other.payment_id <> ${payment})`

export const sqliteDialect: Dialect = {
  placeholder: (number) => `:p${number}`,
  encode: (value) => {
    if (typeof value === "boolean") return value ? 1 : 0
    return Array.isArray(value) ? JSON.stringify(value) : value
  },
  written: (kind, part) => ({ value: sqlValue(kind, part), type: "text" }),
  decoded: (kind, stored) => (kind === "exact" ? fromStorable(stored) : stored),
  isOneOf,
  hasMetadata: (key, list) =>
    `EXISTS (SELECT 1 FROM json_each(metadata) AS entry WHERE entry.key = ${key} AND ${isOneOf("entry.value", list)})`,
  isMetadata: (key, value, bind) => {
    const expression = sqliteMetadata(key)
    return [`(${expression}) = ${bind(JSON.stringify(value))}`, hasMetadata(expression)]
  },
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  indexedBy: (index) => `INDEXED BY ${index}`,
  unindexed: (column) => `+${column}`,
  tested: (expression) => `+${expression}`,
  lock: () => "",
  joinAttempts: (_, condition) => `CROSS JOIN attempts AS a ON a.payment_id = p.id AND ${condition}`,
  isReferenceTaken,
  afterFirst: "true",
  branch: (select) => select,
  forEach: null,
  attempts: attemptExpressions,
  payment: {
    card_fingerprint: {
      index: "payments_by_card",
      sql: sqliteFingerprint,
      where: hasFingerprint(sqliteFingerprint),
      write: (value) => JSON.stringify(value)
    },
    failure_code: {
      index: "payments_by_failure",
      sql: sqliteFailureCode,
      where: hasFailureCode(sqliteFailureCode),
      write: (value) => value
    },
    metadataIndex: sqliteMetadata,
    metadata: sqliteMetadata,
    phone: "customer ->> '$.phone'"
  },
  record: recordColumns(
    (
      table,
      columns
    ) => `(SELECT json_group_array(json_object(${columns.map((name) => `'${name}', ${name}`).join(", ")}))
      FROM ${table} WHERE payment_id = p.id)`
  ),
  paymentsIn: (ids) => `payments AS p WHERE p.id IN (${ids})`
}

/** An SQL statement with its parameters by name. */
export const sqliteStatement = (text: StatementText) => {
  const { params, sql } = statementOn(sqliteDialect, text)
  // Boundary: `encode` and `written` return only values of this type.
  return { sql, values: Object.fromEntries(params.map((value, index) => [`p${index + 1}`, value as SqlValue])) }
}
