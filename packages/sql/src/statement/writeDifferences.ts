/**
 * Stores differences as rows, and their reports as entries of the inbox: each once, even if a statement is read
 * repeatedly.
 */
import type { Evidence } from "@paymux/core"
import type { Difference } from "@paymux/core/engine"
import type { InboxEntry } from "@paymux/core/store"
import type { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { insertRows } from "../dialect/givenRows.ts"
import { columnsOf } from "../rows/Column.ts"
import { inboxColumns } from "../rows/columns.ts"
import type { StatementRun } from "./StatementRun.ts"

export const writeDifferences = (
  sql: SqlClient.SqlClient,
  { id, livemode, provider }: StatementRun,
  differences: ReadonlyArray<Difference>,
  now: number
): Effect.Effect<void, SqlError> => {
  const columns = columnsOf<Difference>()(
    [
      "provider",
      ["livemode", "flag"],
      "kind",
      "subject",
      "movement",
      "operation_id",
      "payment_id",
      ["expected", "number"],
      "expected_currency",
      ["found", "number"],
      "found_currency",
      ["run", "number"],
      ["found_at", "number"]
    ],
    ({ expected, found, kind, movement, operationId, paymentId }) => [
      provider,
      livemode,
      kind,
      movement?.id ?? operationId ?? "",
      movement?.id ?? null,
      operationId,
      paymentId,
      expected?.minorUnits ?? null,
      expected?.currency ?? null,
      found?.minorUnits ?? null,
      found?.currency ?? null,
      id,
      now
    ]
  )
  return insertRows(
    sql,
    "statement_differences",
    columns,
    differences,
    "ON CONFLICT (provider, kind, subject) DO NOTHING"
  )
}

/** Stores the evidence, which is due at once: the engine applies it like every report. */
export const keepEvidence = (
  sql: SqlClient.SqlClient,
  { livemode, provider }: StatementRun,
  evidence: ReadonlyArray<Evidence>,
  now: number
): Effect.Effect<void, SqlError> => {
  const entries = evidence.map((each): InboxEntry => ({
    provider,
    eventKey: each.eventId ?? "",
    evidence: each,
    document: null,
    status: "waiting",
    tries: 0,
    nextTryAt: now,
    receivedAt: now,
    livemode,
    disposition: null
  }))
  return insertRows(sql, "provider_inbox", inboxColumns, entries, "ON CONFLICT DO NOTHING")
}
