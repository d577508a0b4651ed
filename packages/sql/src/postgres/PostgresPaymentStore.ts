/**
 * Payments on PostgreSQL, for many machines. Every commit is part of one statement, which is a transaction of its own: an
 * acknowledged commit is committed. A commit whose acknowledgement was lost fails with `StoreUnavailable`; the payment is then
 * re-read by its id with `getConfirmed`.
 */
import type { PaymentId } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import type {
  StoreUnavailable,
  AdvanceCommit,
  AdvanceResult,
  BeginCommit,
  BeginResult,
  Claim,
  KeyBinding
} from "@paymux/core/store"
import { Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { StatementText } from "../dialect/Fragments.ts"
import { unavailable } from "../dialect/unavailable.ts"
import { listOf } from "../lists/resolveQuery.ts"
import { indexedKeys, pgIndexes } from "../lists/indexedKeys.ts"
import { eachOf, textOrNull } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { commitHealth, holdProbed } from "../store/commitHealth.ts"
import { selectDue } from "../store/operations.ts"
import { readDue } from "../store/records.ts"
import { storeParts } from "../store/storeParts.ts"
import * as CommitBatches from "./CommitBatches.ts"
import { advanceCommit, beginCommit } from "./commits.ts"
import type { Commit } from "./commits.ts"
import { databaseClock } from "./databaseClock.ts"
import { postgresEventsAfter } from "./eventSequence.ts"
import { isLostRace, mostRetries } from "./failures.ts"
import { pages, storedSpellings } from "./listPages.ts"
import { PostgresDatabase } from "./PostgresClient.ts"
import { statementOf } from "./postgresDialect.ts"
import { removeWebhooks } from "./removeWebhooks.ts"
import { restoration } from "./restoration.ts"
import { isDone, statementRunner } from "./statementRunner.ts"
import type { Run } from "./statementRunner.ts"

/**
 * The payment store in a database that holds the tables of `coreMigrations`.
 *
 * @example
 * ```ts
 * const store = PostgresPaymentStore.layer.pipe(
 *   Layer.provide(PostgresClient.layer({ url: Redacted.make("postgres://paymux@localhost/payments") }))
 * )
 * ```
 */
export const layer: Layer.Layer<PaymentStore, SqlError, PostgresDatabase> = Layer.effect(
  PaymentStore,
  Effect.gen(function* () {
    const database = yield* PostgresDatabase
    const indexed = indexedKeys(yield* database.query(pgIndexes, []))
    return make(database, yield* databaseClock(database), indexed)
  })
)

/**
 * Creates the store. `now`: reads the clock of the database. `indexed`: the metadata keys for which the database has an
 * index.
 */
export const make = (
  database: PostgresDatabase["Service"],
  now: Effect.Effect<number>,
  indexed: ReadonlySet<string> = new Set()
): PaymentStore["Service"] => {
  const run: Run = (text) => {
    const { params, sql } = statementOf(text)
    return database.query(sql, params).pipe(Effect.retry({ times: mostRetries, while: isLostRace }), unavailable)
  }
  const runner = statementRunner(run)
  const parts = storeParts(runner, {
    removeWebhooks: removeWebhooks(run),
    indexed: Effect.succeed(indexed)
  })
  const batches = CommitBatches.make({ database })
  const health = commitHealth()
  const commit: RunCommit = (one) =>
    health.watched(
      batches.submit(one).pipe(
        Effect.catchIf(isOrderTaken, () => Effect.succeed<Row>({ done: orderTaken })),
        unavailable
      )
    )
  return PaymentStore.of({
    ...parts,
    singleEngine: false,
    // A commit may wait in the queue for the whole deadline, and then the server may run it for two thirds of the
    // deadline more.
    slowestCommit: (database.deadlineMs * 5) / 3,
    now,
    ready: health.ready(holdProbed(parts.leases)),
    // Always `null`: the store does not detect lost commits here. Whether a failover loses a commit depends on the
    // standbys for which commits wait.
    lost: Effect.succeed(null),
    begin: (request) => begin(parts.findKey, commit, request),
    advance: (request) => advance(parts.findKey, commit, request),
    // Locks and reads in separate statements: a single statement would read the payment after its wait for the lock,
    // but the operations as of before the wait.
    getConfirmed: (id) =>
      Effect.gen(function* () {
        yield* run(confirmPayment(id))
        const record = yield* parts.get(id)
        yield* run(confirmPayment(id))
        return record
      }),
    list: listOf(runner, (tenant, emails) => storedSpellings(run, tenant, emails), pages(database, indexed)),
    claimDue: (claim) => Effect.map(run(claimDue(claim)), eachOf(readDue(runner.sql))),
    eventsAfter: postgresEventsAfter(runner),
    // PostgreSQL needs no extra step to remove erased data: the next VACUUM removes the former versions of rows.
    erasure: { ...parts.erasure, cutBack: () => Effect.void },
    restoration: restoration(runner)
  })
}

/**
 * Waits until a running commit of the payment has ended, and a synchronous standby has every change that was visible
 * before. The row lock is written to the WAL, so the statement is acknowledged as a commit is.
 */
const confirmPayment =
  (id: PaymentId): StatementText =>
  ({ bind }) =>
    `SELECT id FROM payments WHERE id = ${bind(id)} FOR KEY SHARE`

const claimDue =
  (claim: Claim): StatementText =>
  (statement) =>
    `WITH due AS (${selectDue(statement, claim)}), claimed AS (
        UPDATE operations
        SET claimed_by = ${statement.bind(claim.owner)}, claimed_until = ${statement.bind(claim.until)}
        FROM due WHERE operations.id = due.id RETURNING operations.id, operations.payment_id, operations.next_check_at
      ) SELECT claimed.id AS claimed, ${statement.sql.record.whole} FROM claimed JOIN payments p ON p.id = claimed.payment_id
        ORDER BY claimed.next_check_at, claimed.id`

/** Runs one commit, possibly together with others, and returns its row. */
type RunCommit = (commit: Commit) => Effect.Effect<Row | undefined, StoreUnavailable>

const begin = Effect.fnUntraced(function* (
  findKey: FindKey,
  make: RunCommit,
  commit: BeginCommit
): Effect.fn.Return<BeginResult, StoreUnavailable> {
  const { binding, record, restoration } = commit
  const row = yield* make(beginCommit(commit))
  if (isDone([row])) return { _tag: "Begun" }
  const kept = binding === null ? null : yield* findBinding(findKey, binding)
  if (kept !== null) return { _tag: "KeyTaken", kept }
  if (row?.["done"] === orderTaken) return { _tag: "OrderTaken" }
  if (restoration !== undefined) return { _tag: "Restored" }
  return yield* Effect.die(new Error(`The payment ${record.payment.id} was not written, and its key is not taken`))
})

const advance = Effect.fnUntraced(function* (
  findKey: FindKey,
  make: RunCommit,
  commit: AdvanceCommit
): Effect.fn.Return<AdvanceResult, StoreUnavailable> {
  const change = advanceCommit(commit)
  const row = change === null ? undefined : yield* make(change)
  if (row !== undefined && isDone([row])) return { _tag: "Advanced", answer: storedBy(commit, row) }
  const kept = commit.binding === null ? null : yield* findBinding(findKey, commit.binding)
  return kept === null ? refusalOf(row) : { _tag: "KeyTaken", kept }
})

/**
 * Returns the response that is stored after the commit. A statement does not read the event that it writes: a reference
 * without bytes is the one to the commit's own event.
 */
const storedBy = ({ answer }: AdvanceCommit, row: Row): string | null =>
  textOrNull(row, "kept") ?? (row["kept_event"] === null ? null : (answer?.body ?? null))

const refusalOf = (row: Row | undefined): AdvanceResult => {
  switch (row?.["done"]) {
    case -1:
      return { _tag: "ReferenceTaken" }
    case orderTaken:
      return { _tag: "OrderTaken" }
    default:
      return { _tag: "Conflict" }
  }
}

/** The `done` of a result row if the unique index of orders rejected the commit: another payment holds the order. */
const orderTaken = -2

const isOrderTaken = ({ reason }: SqlError): boolean =>
  reason._tag === "UniqueViolation" && reason.constraint === "payments_order_held"

type FindKey = PaymentStore["Service"]["findKey"]

const findBinding = (findKey: FindKey, binding: KeyBinding) => findKey(binding, binding.endpoint, binding.key)
