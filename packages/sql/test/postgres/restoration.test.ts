/** A timeline of PostgreSQL that is not the stored one: the database went back, and the first commit of a payment notices it. */
import { assert, describe, it } from "@effect/vitest"
import { clientsRepeatFor, PaymentStore } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { coreMigrations, PostgresClient, PostgresPaymentStore } from "../../src/index.ts"
import { mayHaveLost } from "../../src/postgres/restoration.ts"

const { aRecord } = PaymentRecords

const layer = Layer.unwrap(
  Effect.map(temporaryDatabase([coreMigrations]), (url) =>
    PostgresPaymentStore.layer.pipe(Layer.provideMerge(PostgresClient.layer({ url: Redacted.make(url) })))
  )
)

/** What the database has stored of a former timeline. */
const seen = (timeline: string) => SqlClient.SqlClient.use((sql) => sql`UPDATE restoration SET timeline = ${timeline}`)

const begun = (n: number, restoration: string) =>
  PaymentStore.use((store) => store.begin({ record: aRecord(n, { createdAt: 5_000 }), binding: null, restoration }))

describe("on PostgreSQL", () => {
  it.effect("nothing begins before the timeline is noted, and the first one is no loss", () =>
    Effect.gen(function* () {
      const { restoration } = yield* PaymentStore
      assert.deepStrictEqual(yield* begun(1, ""), { _tag: "Restored" })
      assert.deepInclude(yield* restoration.read, { version: "", mark: null })
      assert.deepStrictEqual(yield* begun(1, ""), { _tag: "Begun" })
    }).pipe(Effect.provide(layer))
  )

  it.effect("a payment does not begin on another timeline, until the loss of commits is marked", () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))
    return Effect.gen(function* () {
      const store = yield* PaymentStore
      const { version } = yield* store.restoration.read
      assert.deepStrictEqual(yield* begun(1, version), { _tag: "Begun" })
      yield* seen("00000000")
      assert.deepStrictEqual(yield* begun(2, version), { _tag: "Restored" })
      const before = yield* store.now
      const [one, other] = yield* Effect.all([store.restoration.read, store.restoration.read], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(one, other)
      const { mark } = one
      assert.deepInclude(mark, { wentBackTo: 5_000, acceptedDoubles: [] })
      assert.isAtLeast(mark?.markedAt ?? 0, before - 1_000)
      assert.strictEqual((mark?.until ?? 0) - (mark?.markedAt ?? 0), clientsRepeatFor)
      assert.deepStrictEqual(yield* begun(2, version), { _tag: "Restored" })
      assert.deepStrictEqual(yield* begun(2, one.version), { _tag: "Begun" })
      assert.lengthOf(lines, 1)
      assert.match(lines[0] ?? "", /^Warn The database is on another timeline \(\w+.*, was 00000000\)/)
    }).pipe(Effect.provide(layer), Effect.provide(Logger.layer([logger])))
  })

  it.effect("a timeline that is promoted after commits had waited for it is no loss", () =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const { version } = yield* store.restoration.read
      yield* seen("00000000 sync")
      assert.deepStrictEqual(yield* begun(1, version), { _tag: "Restored" })
      assert.deepInclude(yield* store.restoration.read, { version, mark: null })
      assert.deepStrictEqual(yield* begun(1, version), { _tag: "Begun" })
    }).pipe(Effect.provide(layer))
  )
})

describe("commits may be lost", () => {
  const minutes = 60_000
  it("on another timeline, unless they waited for a standby and the database went back no further than a failover", () => {
    assert.isTrue(mayHaveLost("00000001", "00000002", 0))
    assert.isTrue(mayHaveLost("00000001", "00000002 sync", 0))
    assert.isTrue(mayHaveLost("00000003", "00000001", 0))
    assert.isFalse(mayHaveLost("00000001 sync", "00000002", 15 * minutes))
    assert.isTrue(mayHaveLost("00000001 sync", "00000002", 15 * minutes + 1))
  })

  it("on no timeline that was not seen before, or is not known, and not where only standbys have changed", () => {
    assert.isFalse(mayHaveLost(null, "00000002", 0))
    assert.isFalse(mayHaveLost("unknown", "00000002", 0))
    assert.isFalse(mayHaveLost("00000001", "unknown", 0))
    assert.isFalse(mayHaveLost("00000001", "00000001 sync", 0))
    assert.isFalse(mayHaveLost("00000001 sync", "00000001", 60 * minutes))
  })
})
