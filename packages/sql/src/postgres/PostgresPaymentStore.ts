/**
 * Payments on PostgreSQL, for many machines. Every commit is part of one statement, which is a transaction of its own:
 * acknowledged means committed, and one whose acknowledgement was lost is `StoreUnavailable`, to be re-read by its id
 * with `getConfirmed`.
 */
import type { OperationId, Tenant } from "@paymux/core"
import { normalEmail, openOperationsOf, PaymentStore, StoreUnavailable } from "@paymux/core/store"
import type {
  AdvanceCommit,
  AdvanceResult,
  BeginCommit,
  BeginResult,
  DueOperation,
  KeptKey,
  ListQuery
} from "@paymux/core/store"
import { Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { readAttemptCount } from "../attemptCounts.ts"
import { readBacklog, selectBacklog } from "../backlog.ts"
import { correctionsOnPostgres } from "../dueCorrection.ts"
import { spellingsOf } from "../emailSpellings.ts"
import { indexedKeys, pgIndexes } from "../MetadataIndexes.ts"
import { numeral, text, textOrNull } from "../ReadRow.ts"
import type { Row } from "../ReadRow.ts"
import { readCardDecline, readEvent, readEvidenceRow, readKey, readNewest, readVersion } from "../rows.ts"
import { selectNewest } from "../selectNewest.ts"
import { commitHealth, holdProbed } from "../commitHealth.ts"
import { fromStorable } from "../storableText.ts"
import { countEnded, countOpen } from "./attemptCounts.ts"
import * as CommitBatches from "./CommitBatches.ts"
import { advanceCommit, beginCommit } from "./commits.ts"
import type { Commit } from "./commits.ts"
import { databaseClock } from "./databaseClock.ts"
import { erasure } from "./erase.ts"
import { eventsAfter } from "./eventSequence.ts"
import { isLostRace, mostRetries } from "./failures.ts"
import { statementOf } from "./Fragments.ts"
import type { PgStatement } from "./Fragments.ts"
import { keptWebhooks } from "./keptWebhooks.ts"
import { pages } from "./listPages.ts"
import { PostgresDatabase } from "./PostgresClient.ts"
import { retention } from "./prune.ts"
import { orders } from "./orders.ts"
import { restoration } from "./restoration.ts"
import { inbox, isDone, leases, providerState } from "./providerTables.ts"
import type { Run } from "./providerTables.ts"
import { readPaymentRecord, readRoutedPayment } from "./records.ts"
import * as Sql from "./statements.ts"

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

/** `now`: reads the clock of the database. `indexed`: the keys of metadata that the database has an index of. */
export const make = (
  database: PostgresDatabase["Service"],
  now: Effect.Effect<number>,
  indexed: ReadonlySet<string> = new Set()
): PaymentStore["Service"] => {
  const run: Run = ({ params, sql }) =>
    database.query(sql, params).pipe(
      Effect.retry({ times: mostRetries, while: isLostRace }),
      Effect.mapError((cause) => new StoreUnavailable({ cause }))
    )
  const list = pages(database, indexed)
  const batches = CommitBatches.make({ database })
  const leaseStore = leases(run)
  const health = commitHealth()
  const commit: RunCommit = (one) =>
    health.watched(
      batches.submit(one).pipe(
        Effect.catchIf(isOrderTaken, () => Effect.succeed<Row>({ done: orderTaken })),
        Effect.mapError((cause) => new StoreUnavailable({ cause }))
      )
    )
  const many = <A>(statement: PgStatement, read: (row: Row) => A) =>
    Effect.map(run(statement), (rows) => rows.map(read))
  const one = <A>(statement: PgStatement, read: (row: Row) => A) =>
    Effect.map(run(statement), ([row]) => (row === undefined ? null : read(row)))
  return PaymentStore.of({
    singleEngine: false,
    // It waits for its turn as long as the deadline, and the server may run it for two thirds of that once more.
    slowestCommit: (database.deadlineMs * 5) / 3,
    now,
    ready: health.ready(holdProbed(leaseStore)),
    // Whether a failover loses a commit is up to its standbys, which commits wait for.
    lost: Effect.succeed(null),
    begin: (asked) => begin(run, commit, asked),
    advance: (asked) => advance(run, commit, asked),
    get: (id) => one(Sql.selectPayment(id), readPaymentRecord),
    // One statement that locks would show the payment as of after its wait, and its operations as of before.
    getConfirmed: (id) =>
      Effect.gen(function* () {
        yield* run(Sql.confirmPayment(id))
        const record = yield* one(Sql.selectPayment(id), readPaymentRecord)
        yield* run(Sql.confirmPayment(id))
        return record
      }),
    find: (tenant, id) => one(Sql.selectPaymentOfTenant(tenant, id), readPaymentRecord),
    versions: (ids) => Effect.map(run(Sql.selectVersions(ids)), (rows) => new Map(rows.map(readVersion))),
    findByOperation: (id) => one(Sql.selectPaymentByOperation(id), readPaymentRecord),
    findByReference: (provider, reference) => one(Sql.selectPaymentByReference(provider, reference), readPaymentRecord),
    newest: one({ sql: selectNewest, params: [] }, readNewest),
    list: (tenant, query) =>
      Effect.flatMap(idsOfReferences(run, query), (ids) =>
        ids?.length === 0
          ? Effect.succeed({ hasMore: false, records: [], stoppedAt: null })
          : Effect.flatMap(emailSpellings(run, tenant, query), (customerEmail) =>
              list(tenant, { ...query, customerEmail, ids })
            )
      ),
    findKey: (tenant, endpoint, key) => findKey(run, { ...tenant, endpoint, key }),
    keepAnswer: (answer) =>
      Effect.flatMap(
        one(Sql.keepAnswer(answer), (row) => text(row, "answer")),
        (kept) => (kept === null ? unbound(answer.endpoint) : Effect.succeed(kept))
      ),
    checkpoint: (id, expected, reference) =>
      Effect.map(run(Sql.checkpoint(id, expected, reference)), (rows) => rows.length === 1),
    remember: (id, reference) => Effect.asVoid(run(Sql.rememberReference(id, reference))),
    dueProviders: (now) => many(Sql.dueProviders(now), (row) => text(row, "provider")),
    openProviders: many(Sql.openProviders, (row) => text(row, "provider")),
    openOperations: (provider) =>
      Effect.map(run(Sql.openOperations(provider)), ([row]) =>
        openOperationsOf(
          provider,
          row === undefined ? 0 : numeral(row, "total"),
          row === undefined ? 0 : numeral(row, "live")
        )
      ),
    claimDue: (claim) => many(Sql.claimDue(claim), readDue),
    reschedule: (operation, checks, nextCheckAt) => Effect.asVoid(run(Sql.reschedule(operation, checks, nextCheckAt))),
    correctDueTimes: (correction) =>
      Effect.map(Effect.forEach(correctionsOnPostgres(correction), run), (all) =>
        all.flat().reduce((sum, row) => sum + numeral(row, "corrected"), 0)
      ),
    releaseOrphans: (owner, now) => Effect.map(run(Sql.releaseOrphans(owner, now)), (rows) => rows.length),
    attemptCounts: (query) => many(countEnded(query), readAttemptCount(query.by, fromStorable)),
    openAttemptCounts: (query) => many(countOpen(query), readAttemptCount(query.by, fromStorable)),
    cardDeclines: (tenant, query) => many(Sql.selectCardDeclines(tenant, query), readCardDecline),
    routed: (tenant, query) => many(Sql.selectRouted(tenant, query), readRoutedPayment),
    evidenceOf: (id, last) =>
      Effect.map(many(Sql.selectEvidenceOf(id, last ?? null), readEvidenceRow), (rows) => rows.toReversed()),
    undispatchedEvents: (limit) => many(Sql.selectUndispatched(limit), readEvent),
    findEvent: (id) => one(Sql.selectEvent(id), readEvent),
    findEvents: (ids) => many(Sql.selectEventsById(ids), readEvent),
    eventsAfter: eventsAfter(run),
    markDispatched: (ids, now) => (ids.length === 0 ? Effect.void : Effect.asVoid(run(Sql.markDispatched(ids, now)))),
    backlog: (now) => Effect.map(run(backlogAt(now)), ([row]) => readBacklog(row ?? {})),
    inbox: inbox(run),
    keptWebhooks: keptWebhooks(run),
    leases: leaseStore,
    providerState: providerState(run),
    orders: orders(run, indexed),
    erasure: erasure(run),
    retention: retention(run),
    restoration: restoration(run)
  })
}

const backlogAt = (now: number): PgStatement => statementOf(({ bind }) => selectBacklog(bind(now, "bigint")))

/** `null`: any payment. */
const idsOfReferences = (run: Run, { providerReference }: ListQuery) =>
  providerReference.length === 0
    ? Effect.succeed(null)
    : Effect.map(run(Sql.selectPaymentIdsByReferences(providerReference)), (rows) =>
        rows.map((row) => text(row, "payment_id"))
      )

const emailSpellings = (run: Run, tenant: Tenant, { customerEmail }: ListQuery) =>
  customerEmail.length === 0
    ? Effect.succeed(customerEmail)
    : Effect.map(run(Sql.selectEmailSpellings(tenant, customerEmail.map(normalEmail))), (rows) =>
        spellingsOf(
          customerEmail,
          rows.map((row) => text(row, "spelling"))
        )
      )

/** Makes one commit, maybe together with others, and returns its row. */
type RunCommit = (commit: Commit) => Effect.Effect<Row | undefined, StoreUnavailable>

const begin = (run: Run, make: RunCommit, commit: BeginCommit): Effect.Effect<BeginResult, StoreUnavailable> =>
  Effect.flatMap(make(beginCommit(commit)), (row) => {
    if (isDone([row])) return Effect.succeed<BeginResult>({ _tag: "Begun" })
    const { binding, record, restoration } = commit
    return Effect.flatMap(binding === null ? Effect.succeed(null) : findKey(run, binding), (kept) => {
      if (kept !== null) return Effect.succeed<BeginResult>({ _tag: "KeyTaken", kept })
      if (row?.["done"] === orderTaken) return Effect.succeed<BeginResult>({ _tag: "OrderTaken" })
      if (restoration !== undefined) return Effect.succeed<BeginResult>({ _tag: "Restored" })
      return Effect.die(new Error(`The payment ${record.payment.id} was not written, and its key is not taken`))
    })
  })

const advance = (run: Run, make: RunCommit, commit: AdvanceCommit): Effect.Effect<AdvanceResult, StoreUnavailable> => {
  const change = advanceCommit(commit)
  const made = change === null ? Effect.undefined : make(change)
  return Effect.flatMap(made, (row) => {
    if (row !== undefined && isDone([row])) {
      return Effect.succeed<AdvanceResult>({ _tag: "Advanced", answer: textOrNull(row, "kept") })
    }
    const refused = refusalOf(row)
    if (commit.binding === null) return Effect.succeed(refused)
    return Effect.map(findKey(run, commit.binding), (kept): AdvanceResult =>
      kept === null ? refused : { _tag: "KeyTaken", kept }
    )
  })
}

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

/** In the place of a row's `done`: the statement was undone by the index of held orders. */
const orderTaken = -2

const isOrderTaken = ({ reason }: SqlError): boolean =>
  reason._tag === "UniqueViolation" && reason.constraint === "payments_order_held"

const findKey = (run: Run, key: Sql.KeyName): Effect.Effect<KeptKey | null, StoreUnavailable> =>
  Effect.map(run(Sql.selectKey(key)), ([row]) => (row === undefined ? null : readKey(row)))

const readDue = (row: Row): DueOperation => {
  const record = readPaymentRecord(row)
  // Boundary: the column holds ids of operations only.
  const id = text(row, "claimed") as OperationId
  const operation = record.operations.find((candidate) => candidate.id === id)
  if (operation === undefined) throw absent(id)
  return { operation, record }
}

const absent = (id: OperationId): Error => new Error(`There is no operation ${id}`)

const unbound = (endpoint: string) =>
  Effect.die(new Error(`No idempotency key is bound that could keep an answer at ${endpoint}`))
