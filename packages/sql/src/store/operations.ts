/**
 * Reads due operations, and stores references of operations. The claims of due operations differ by database: see the
 * folder of each database.
 */
import type { Claim, Operation, PaymentStore } from "@paymux/core/store"
import { mostCounted, openOperationsOf } from "@paymux/core/store"
import { Effect } from "effect"
import type { Fragments, StatementRunner, StatementText } from "../dialect/Fragments.ts"
import { claimableAt, isOpen } from "../migrations/due.ts"
import { numeral, text } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { corrections, rescheduledAt } from "./dueCorrection.ts"
import { canClaimOperation, countOpenOperations, selectDueProviders, selectOpenProviders } from "./dueProviders.ts"
import { isReplaced } from "./changedRows.ts"

export const operations = ({ read, together, write }: StatementRunner) =>
  ({
    checkpoint: (id, expected, reference) =>
      together(
        checkpoint(id, expected, reference),
        ...(isReplaced(expected, reference) ? [rememberFormer(id, expected)] : [])
      ),
    remember: (id, reference) => Effect.asVoid(write(rememberOther(id, reference))),
    dueProviders: (now) =>
      Effect.map(
        read(({ bind }) => selectDueProviders(bind(now))),
        readProviders
      ),
    openProviders: Effect.map(
      read(() => selectOpenProviders),
      readProviders
    ),
    openOperations: (provider) =>
      Effect.map(
        read(({ bind }) => countOpenOperations(bind(provider), mostCounted + 1)),
        ([row = {}]) => openOperationsOf(provider, numeral(row, "total"), numeral(row, "live"))
      ),
    reschedule: (operation, checks, next) => Effect.asVoid(write(reschedule(operation, checks, next))),
    correctDueTimes: (correction) =>
      Effect.map(Effect.forEach(corrections(correction), write), (corrected) => corrected.flat().length),
    releaseOrphans: (owner, now) =>
      Effect.map(
        write(
          ({ bind }) => `UPDATE operations
          SET next_check_at = ${bind(now)}, claimed_by = NULL, claimed_until = NULL
          WHERE ${isOpen} AND status = 'sending' AND owner <> ${bind(owner)} RETURNING 1`
        ),
        (rows) => rows.length
      )
  }) satisfies Partial<PaymentStore["Service"]>

const readProviders = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => rows.map((row) => text(row, "provider"))

/** The operations that may be claimed. PostgreSQL skips those that another process claims at the moment. */
export const selectDue = ({ bind, sql }: Fragments, { limit, now, provider }: Claim): string =>
  `SELECT id, payment_id FROM operations
    WHERE provider = ${bind(provider)} AND ${canClaimOperation(bind(now))}
    ORDER BY ${claimableAt} LIMIT ${bind(limit)} ${sql.lock("FOR UPDATE SKIP LOCKED")}`

/**
 * Stores the checkpointed reference of an operation. An operation that already has the reference keeps it.
 *
 * @internal Exported for the test of its query plan.
 */
export const checkpoint =
  (id: Operation["id"], expected: string | null, reference: string): StatementText =>
  ({ bind, sql }) => {
    const given = bind(reference)
    const taken = sql.isReferenceTaken("operations.provider", given, "operations.payment_id")
    return `UPDATE operations SET reference = ${given} WHERE id = ${bind(id)}
      AND status IN ('planned', 'sending', 'pending', 'unknown')
      AND (reference = ${given} OR reference IS NOT DISTINCT FROM ${bind(expected)}
        AND NOT (kind = 'create' AND ${taken})) RETURNING 1`
  }

export const remember = "INSERT INTO former_references (provider, reference, payment_id)"

const rememberFormer =
  (id: Operation["id"], reference: string | null): StatementText =>
  ({ bind, sql }) =>
    `${remember} SELECT provider, ${bind(reference)}, payment_id FROM operations
    WHERE id = ${bind(id)} AND ${sql.afterFirst} ON CONFLICT DO NOTHING`

/**
 * Stores a further reference of a create operation, by which its payment is found. Stores nothing if the reference is
 * the charge of another payment.
 */
const rememberOther =
  (id: Operation["id"], reference: string): StatementText =>
  ({ bind, sql }) => {
    const other = bind(reference)
    const taken = sql.isReferenceTaken("operations.provider", other, "operations.payment_id")
    return `${remember} SELECT provider, ${other}, payment_id FROM operations
      WHERE id = ${bind(id)} AND kind = 'create' AND NOT ${taken} ON CONFLICT DO NOTHING`
  }

/**
 * Reschedules the check of an operation if its status is unchanged. An operation that was settled in the meantime needs
 * no further check, except an authorization.
 */
const reschedule =
  ({ id, status }: Pick<Operation, "id" | "status">, checks: number, nextCheckAt: number | null): StatementText =>
  ({ bind }) => {
    const next = bind(nextCheckAt, "bigint")
    return `UPDATE operations SET checks = ${bind(checks)}, next_check_at = ${next},
        claimed_by = NULL, claimed_until = ${rescheduledAt(next)}
      WHERE id = ${bind(id)} AND status = ${bind(status)}`
  }
