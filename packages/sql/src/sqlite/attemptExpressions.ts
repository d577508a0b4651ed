import type { AttemptExpressions } from "../dialect/Dialect.ts"

/** The SQL expressions for counted attempts on SQLite. */
export const attemptExpressions: AttemptExpressions = {
  withPayment: (index) => `attempts AS a INDEXED BY ${index} CROSS JOIN payments AS p ON p.id = a.payment_id`,
  // SQLite cannot read JSON that is nested too deep. An attempt with such a method is counted without its parts.
  instrument: `CASE WHEN NOT json_valid(method) THEN NULL
    WHEN rail = 'card' THEN json_object(
      'flow', iif(method ->> '$.token' IS NULL AND coalesce(method -> '$.tokens', '{}') = '{}', 'hosted', 'token'),
      'network', method -> '$.network', 'country', method -> '$.country', 'funding', method -> '$.funding',
      'bin', method -> '$.bin')
    WHEN rail = 'upi' THEN json_object('flow', method -> '$.flow',
      'vpa', json('"' || substr(method -> '$.vpa', nullif(instr(method -> '$.vpa', '@'), 0))))
    ELSE json_object('network', method -> '$.network') END`,
  rule: "CASE WHEN json_valid(routing) THEN routing -> '$.rule' END",
  metadata: (keys) =>
    `CASE WHEN json_valid(metadata) THEN json_array(${keys.map((key) => `metadata -> ${key}`).join(", ")}) END`,
  // A JSON path contains the key as JSON text. SQLite ends a key at a NUL, so the API refuses a key with a NUL.
  metadataKey: (key) => `$.${JSON.stringify(key)}`
}
