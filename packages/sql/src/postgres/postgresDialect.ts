/**
 * The SQL of PostgreSQL. Every scalar is sent as text and cast in the statement: the driver would give a small number another
 * type than a large one, and prepare the statement anew for each.
 */
import { attemptExpressions } from "./attemptExpressions.ts"
import type { Dialect, Parameter } from "../dialect/Dialect.ts"
import { statementOn } from "../dialect/Fragments.ts"
import type { Statement, StatementText } from "../dialect/Fragments.ts"
import type { ColumnKind } from "../rows/Column.ts"
import { hasFingerprint, pgFingerprint, withoutUnicodeEscapes } from "../migrations/cards.ts"
import { hasMetadata, pgMetadata, pgMetadataPrefix, prefixOf } from "../migrations/metadata.ts"
import { hasFailureCode, pgFailureCode } from "../migrations/search.ts"
import { fromStorable, toStorable } from "../rows/storableText.ts"
import { recordColumns } from "../store/records.ts"
import { storableStrings, storedStrings } from "../rows/jsonRows.ts"

/** The replacements of the SQL expression `withoutUnicodeEscapes`, in JavaScript. */
const replaceEscapes = (json: string): string =>
  json.replaceAll(String.raw`\\`, String.raw`\/\/`).replaceAll(String.raw`\u`, String.raw`\/u`)

const written = (kind: ColumnKind, part: unknown): Parameter => {
  switch (kind) {
    case "text":
    case "exact":
      // Text is unchanged here: characters that PostgreSQL cannot store are replaced when the statement is sent.
      return { value: part, type: "text" }
    case "json":
      return { value: part === null ? null : JSON.stringify(part), type: "text" }
    case "string[]":
      return { value: JSON.stringify(storableStrings(part)), type: "text" }
    case "number":
      return { value: part, type: "bigint" }
    case "flag":
      return { value: part, type: "boolean" }
  }
}

export const isReferenceTaken: Dialect["isReferenceTaken"] = (provider, reference, payment) =>
  `reference_is_taken(${provider}, ${reference}, ${payment})`

export const postgresDialect: Dialect = {
  placeholder: (number, type) => `$${number}::${type}`,
  encode: (value) => (typeof value === "number" || typeof value === "boolean" ? String(value) : value),
  written,
  decoded: (kind, stored) => (kind === "string[]" ? storedStrings(stored) : fromStorable(stored)),
  isOneOf: (expression, list) => `${expression} = ANY (${list})`,
  hasMetadata: (key, list) => `metadata::jsonb ->> ${key} = ANY (${list})`,
  isMetadata: (key, value, bind) => {
    const given = bind(replaceEscapes(JSON.stringify(toStorable(value))))
    const prefix = pgMetadataPrefix(key)
    return [hasMetadata(prefix), `${prefix} = ${prefixOf(given)}`, `${pgMetadata(key)} = ${given}`]
  },
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  indexedBy: () => "",
  unindexed: (column) => `${column} + 0`,
  tested: (expression) => expression,
  lock: (clause) => clause,
  // `OFFSET 0` keeps the planner from reordering the join: it has no statistics on the expression until the table is analyzed.
  joinAttempts: (columns, condition) =>
    `CROSS JOIN LATERAL (SELECT ${columns} FROM attempts AS a WHERE a.payment_id = p.id AND ${condition} OFFSET 0) AS a`,
  isReferenceTaken,
  afterFirst: "EXISTS (SELECT FROM first_part)",
  branch: (select, inTurn) => `(${select} ${inTurn})`,
  forEach: (list, branch) =>
    `(SELECT found.* FROM unnest(${list}) AS given (value) CROSS JOIN LATERAL ${branch} AS found)`,
  attempts: attemptExpressions,
  payment: {
    card_fingerprint: {
      index: "payments_of_card",
      sql: pgFingerprint,
      where: hasFingerprint(pgFingerprint),
      write: (value) => replaceEscapes(JSON.stringify(value))
    },
    failure_code: {
      index: "payments_by_failure",
      sql: pgFailureCode,
      where: hasFailureCode(pgFailureCode),
      write: (value) => value
    },
    metadataIndex: pgMetadataPrefix,
    metadata: pgMetadata,
    phone: `(${withoutUnicodeEscapes("customer")}::json ->> 'phone')`
  },
  record: recordColumns(
    (table, columns) => `(SELECT json_agg(each)::text
      FROM (SELECT ${columns.join(", ")} FROM ${table} WHERE payment_id = p.id) AS each)`
  ),
  paymentsIn: (ids) => `(${ids}) AS page JOIN payments AS p ON p.id = page.id`
}

export const statementOf = (text: StatementText): Statement => statementOn(postgresDialect, text)
