/** Differences as rows, and their reports as entries of the inbox: each once, however often a statement is read. */
import type { Evidence } from "@paymux/core"
import type { Difference } from "@paymux/core/engine"
import { encodeEvidence } from "@paymux/core/store"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { insertRows } from "./jsonParameter.ts"
import type { RowShape } from "./jsonParameter.ts"
import type { StatementPlace } from "./ourOperations.ts"

const shape = {
  provider: "text",
  livemode: "boolean",
  kind: "text",
  subject: "text",
  movement: "text",
  operation_id: "text",
  payment_id: "text",
  expected: "bigint",
  expected_currency: "text",
  found: "bigint",
  found_currency: "text",
  run: "bigint",
  found_at: "bigint"
} as const satisfies RowShape

export const writeDifferences = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { livemode, provider }: StatementPlace,
  run: number,
  differences: ReadonlyArray<Difference>,
  now: number
): Effect.fn.Return<void, SqlError> {
  if (differences.length === 0) return
  const rows = differences.map(({ expected, found, kind, movement, operationId, paymentId }) => ({
    provider,
    livemode,
    kind,
    subject: movement?.id ?? operationId ?? "",
    movement: movement?.id ?? null,
    operation_id: operationId,
    payment_id: paymentId,
    expected: expected?.minorUnits ?? null,
    expected_currency: expected?.currency ?? null,
    found: found?.minorUnits ?? null,
    found_currency: found?.currency ?? null,
    run,
    found_at: now
  }))
  yield* insertRows(sql, "statement_differences", shape, rows, sql`ON CONFLICT (provider, kind, subject) DO NOTHING`)
})

const inboxShape = {
  provider: "text",
  event_key: "text",
  evidence: "text",
  status: "text",
  tries: "bigint",
  next_try_at: "bigint",
  received_at: "bigint",
  livemode: "boolean"
} as const satisfies RowShape

/** Stores the evidence, which is due at once: the engine applies it like every report. */
export const keepEvidence = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { livemode, provider }: StatementPlace,
  evidence: ReadonlyArray<Evidence>,
  now: number
): Effect.fn.Return<void, SqlError> {
  if (evidence.length === 0) return
  const rows = evidence.map((each) => ({
    provider,
    event_key: each.eventId ?? "",
    evidence: JSON.stringify(encodeEvidence(each)),
    status: "waiting",
    tries: 0,
    next_try_at: now,
    received_at: now,
    livemode
  }))
  yield* insertRows(sql, "provider_inbox", inboxShape, rows, sql`ON CONFLICT DO NOTHING`)
})
