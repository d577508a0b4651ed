/** Finds payments by their ids and references, and the evidence of their changes. */
import type { PaymentId, Tenant } from "@paymux/core"
import type { CardDeclineQuery, PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import { evidenceColumns } from "../rows/columns.ts"
import type { StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { readCardDecline, readEvidenceRow, readNewest, readVersion } from "../rows/rows.ts"
import { readBacklog, selectBacklog } from "./backlog.ts"
import { readPaymentRecord, readRoutedPayment, selectRecord, selectRouted } from "./records.ts"
import { selectNewest } from "./selectNewest.ts"
import { eachOf, firstOf } from "../rows/ReadRow.ts"

export const payments = ({ read, sql }: StatementRunner) => {
  const record = (condition: StatementText) =>
    Effect.map(read(selectRecord(condition)), firstOf(readPaymentRecord(sql)))
  return {
    get: (id) => record(({ bind }) => `p.id = ${bind(id)}`),
    find: (tenant, id) => record((statement) => `p.id = ${statement.bind(id)} AND ${statement.isOf(tenant)}`),
    findByOperation: (id) => record(({ bind }) => `p.id = (SELECT payment_id FROM operations WHERE id = ${bind(id)})`),
    findByReference: (provider, reference) => record(hasReference(provider, reference)),
    versions: (ids) =>
      Effect.map(
        read(({ bind, sql }) => `SELECT id, version FROM payments WHERE ${sql.isOneOf("id", bind(ids))}`),
        (rows) => new Map(rows.map(readVersion))
      ),
    newest: Effect.map(
      read(() => selectNewest),
      firstOf(readNewest)
    ),
    evidenceOf: (id, last = Number.MAX_SAFE_INTEGER) =>
      Effect.map(read(selectEvidenceOf(id, last)), (rows) => rows.map(readEvidenceRow).toReversed()),
    cardDeclines: (tenant, query) => Effect.map(read(selectCardDeclines(tenant, query)), eachOf(readCardDecline)),
    backlog: (now) =>
      Effect.map(
        read(({ bind }) => selectBacklog(bind(now))),
        ([row = {}]) => readBacklog(row)
      ),
    routed: (tenant, query) => Effect.map(read(selectRouted(tenant, query)), eachOf(readRoutedPayment(sql)))
  } satisfies Partial<PaymentStore["Service"]>
}

/** @internal Exported for the test of its query plan. */
export const selectEvidenceOf =
  (id: PaymentId, last: number): StatementText =>
  ({ bind }) =>
    `SELECT ${evidenceColumns.names} FROM evidence
    WHERE payment_id = ${bind(id)} ORDER BY position DESC LIMIT ${bind(last)}`

/**
 * The condition for the payment of a reference. An operation that has the reference now takes precedence over an
 * operation that had it before.
 *
 * @internal Exported for the test of its query plan.
 */
export const hasReference =
  (provider: string, reference: string): StatementText =>
  ({ bind }) => {
    const isNamed = `provider = ${bind(provider)} AND reference = ${bind(reference)}`
    return `p.id = coalesce(
      (SELECT payment_id FROM operations WHERE ${isNamed} ORDER BY created_at DESC, id DESC LIMIT 1),
      (SELECT payment_id FROM former_references WHERE ${isNamed} ORDER BY payment_id DESC LIMIT 1))`
  }

/**
 * Reads the declines of a card: from the payments of the card to their attempts.
 *
 * @internal Exported for the test of its query plan.
 */
export const selectCardDeclines =
  (tenant: Tenant, { fingerprint, limit, since }: CardDeclineQuery): StatementText =>
  (statement) => {
    const { bind, sql } = statement
    const { index, sql: expression, where, write } = sql.payment.card_fingerprint
    const declines = `a.status = 'declined' AND a.code IS NOT NULL AND a.ended_at >= ${bind(since)}`
    return `SELECT p.id AS id, p.status AS status, p.state AS state, a.code AS code, a.ended_at AS ended_at
      FROM payments AS p ${sql.indexedBy(index)} ${sql.joinAttempts("a.code, a.ended_at", declines)}
      WHERE ${statement.isOf(tenant)} AND (${expression}) = ${bind(write(fingerprint))} AND ${where}
      ORDER BY a.ended_at DESC LIMIT ${bind(limit)}`
  }
