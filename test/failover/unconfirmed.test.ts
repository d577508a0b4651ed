/** A commit whose wait for the synchronous standby is canceled: PostgreSQL reports it as done, and Paymux must not. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { PaymentStore } from "@paymux/core/store"
import { coreMigrations, PostgresClient, PostgresPaymentStore, runMigrations, synchronousStandbys } from "@paymux/sql"
import { PaymentRecords } from "@paymux/test-suites"
import { Context, Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { startCluster } from "./Cluster.ts"
import type { Cluster } from "./Cluster.ts"
import { query } from "./PostgresNode.ts"

const { aRecord, paymentId } = PaymentRecords

const client = (url: string, deadlineMs: number) => PostgresClient.layer({ url: Redacted.make(url), deadlineMs })

const storeAt = (url: string, deadlineMs: number) =>
  Effect.map(
    Layer.build(Layer.fresh(PostgresPaymentStore.layer.pipe(Layer.provide(client(url, deadlineMs))))),
    Context.get(PaymentStore)
  )

const begin = (store: PaymentStore["Service"], n: number) => store.begin({ record: aRecord(n), binding: null })

let cluster: Cluster
let url: string

beforeAll(async () => {
  cluster = await startCluster("sync", 0)
  url = cluster.directUrl("postgres")
  await Effect.runPromise(Effect.provide(runMigrations([coreMigrations]), client(url, 60_000), { local: true }))
})

afterAll(() => cluster.close())

/** Until the standby has reconnected. */
const untilConfirmed = (store: PaymentStore["Service"], n: number) =>
  Effect.retry(store.getConfirmed(paymentId(n)), { schedule: Schedule.spaced("50 millis"), times: 600 })

const cutOff = Effect.acquireRelease(
  Effect.sync(() => cluster.replication({ kind: "black_hole" })),
  () => Effect.sync(() => cluster.replication({ kind: "pass" }))
)

/** Of the session that waits for the standby, once there is one. */
const onWaiting = (what: string) =>
  Effect.repeat(
    Effect.promise(() =>
      query(cluster.primary().url, `SELECT ${what}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`)
    ),
    { until: (rows) => rows.length > 0, schedule: Schedule.spaced("20 millis") }
  )

describe("without its synchronous standby", () => {
  it.live(
    "a commit that reaches its deadline is canceled, and a later look at its payment does not acknowledge it",
    () =>
      Effect.gen(function* () {
        const store = yield* storeAt(url, 2_000)
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* cutOff
            assert.strictEqual((yield* Effect.flip(begin(store, 1)))._tag, "StoreUnavailable")
            // The cancel is under way. Then a plain read shows a payment that a failover may lose.
            yield* Effect.repeat(store.get(paymentId(1)), {
              until: (record) => record !== null,
              schedule: Schedule.spaced("20 millis")
            })
            assert.strictEqual((yield* Effect.flip(store.getConfirmed(paymentId(1))))._tag, "StoreUnavailable")
          })
        )
        assert.isNotNull(yield* untilConfirmed(store, 1))
        assert.deepStrictEqual(yield* begin(store, 2), { _tag: "Begun" })
      })
  )

  it.live("the standby is reported as missing, and as connected again", () =>
    Effect.gen(function* () {
      const standbys = Effect.provide(synchronousStandbys, client(url, 8_000), { local: true })
      assert.deepInclude(yield* standbys, { required: 1, connected: 1, missing: false })
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* cutOff
          // The primary closes the connection to a standby that has been silent for 3 s.
          yield* Effect.repeat(standbys, {
            until: (found) => found?.missing === true,
            schedule: Schedule.spaced("50 millis")
          })
        })
      )
      yield* Effect.repeat(standbys, {
        until: (found) => found?.missing === false,
        schedule: Schedule.spaced("50 millis")
      })
    })
  )

  for (const [n, what] of [
    [11, "pg_cancel_backend"],
    [12, "pg_terminate_backend"]
  ] as const) {
    it.live(`a commit that ${what} ends is not acknowledged`, () =>
      Effect.gen(function* () {
        const store = yield* storeAt(url, 30_000)
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* cutOff
            const writing = yield* Effect.forkChild(Effect.flip(begin(store, n)))
            yield* onWaiting(what)
            assert.strictEqual((yield* Fiber.join(writing))._tag, "StoreUnavailable")
            assert.isNotNull(yield* store.get(paymentId(n)))
          })
        )
        assert.isNotNull(yield* untilConfirmed(store, n))
      })
    )
  }
})
