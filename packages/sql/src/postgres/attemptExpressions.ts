import type { AttemptExpressions } from "../dialect/Dialect.ts"
import { withoutUnicodeEscapes } from "../migrations/cards.ts"

/**
 * The SQL that reverses `withoutUnicodeEscapes`. `JSON.stringify` never writes `\/`, so each `\/` stands for a replaced
 * backslash.
 */
const escaped = (json: string): string => String.raw`replace(replace((${json})::text, '\/\/', '\\'), '\/u', '\u')`

/**
 * The columns of a payment, as the count reads them. PostgreSQL rejects JSON with an escape of a character that it
 * cannot store, and one such payment method must not make the whole count fail. So the method is read without its
 * escapes, and the escapes are restored in its parts.
 */
const read: { readonly [column: string]: string } = {
  method: `${withoutUnicodeEscapes("method")}::json AS method`,
  routing: `${withoutUnicodeEscapes("routing")}::json AS routing`,
  // Metadata keys and values need no encoding: every database can store them unchanged.
  metadata: "metadata::json AS metadata"
}

/** The SQL expressions for counted attempts on PostgreSQL. */
export const attemptExpressions: AttemptExpressions = {
  // `OFFSET 0` makes PostgreSQL look up the payment of each attempt. Otherwise the planner may read all payments to
  // join them with the attempts of half an hour.
  withPayment: (_, columns) =>
    `attempts AS a CROSS JOIN LATERAL (
      SELECT ${columns.map((column) => read[column] ?? column).join(", ")} FROM payments WHERE id = a.payment_id OFFSET 0
    ) AS p`,
  instrument: escaped(`CASE WHEN p.rail = 'card' THEN json_build_object(
      'flow', CASE WHEN p.method ->> 'token' IS NULL AND coalesce((p.method -> 'tokens')::text, '{}') = '{}'
        THEN 'hosted' ELSE 'token' END,
      'network', p.method -> 'network', 'country', p.method -> 'country', 'funding', p.method -> 'funding',
      'bin', p.method -> 'bin')
    WHEN p.rail = 'upi' THEN json_build_object('flow', p.method -> 'flow',
      'vpa', ('"' || substring((p.method -> 'vpa')::text FROM '@.*'))::json)
    ELSE json_build_object('network', p.method -> 'network') END`),
  rule: escaped("p.routing -> 'rule'"),
  metadata: (keys) => `json_build_array(${keys.map((key) => `p.metadata -> ${key}`).join(", ")})::text`,
  metadataKey: (key) => key
}
