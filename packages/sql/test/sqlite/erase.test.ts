/** What is left of an erased customer in the bytes of a SQLite file. The checks of erasing are those of every store. */
import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect, Layer } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { coreMigrations, runMigrations, SqliteClient, SqliteDatabase, SqlitePaymentStore } from "../../src/index.ts"
import { sqliteStatement } from "../../src/sqlite/sqliteDialect.ts"
import { forgetAnswers } from "../../src/store/erasure.ts"
import { temporaryFile } from "../OnDisk.ts"

const { aBinding, anEvent, aRecord, nextVersion, paymentId, succeeded } = PaymentRecords

const storeAt = (filename: string) =>
  SqlitePaymentStore.layer.pipe(
    Layer.provideMerge(Layer.effectDiscard(runMigrations([coreMigrations]))),
    Layer.provideMerge(SqliteClient.layer({ filename }))
  )

const canary = "canary"
const payments = 600

/** Of very different lengths, so that pages are split, cells are moved, and rows go over to further pages. */
const wordsOf = (n: number) => `${canary} ${"-".repeat((n * 7919) % 6_000)} ${canary}`

const addressOf = (n: number) => ({
  line1: wordsOf(n + 3),
  line2: null,
  city: canary,
  state: null,
  postalCode: "411001",
  country: "IN"
})

const personal = (n: number) => ({
  customer: {
    email: `${canary}-${n}@example.com`,
    phone: "+919812345678",
    name: wordsOf(n % 7),
    address: addressOf(n)
  },
  description: wordsOf(n),
  metadata: { note: wordsOf(n + 1) }
})

const nothing = { events: [], evidence: null, binding: null, answer: null }

const lived = Effect.fnUntraced(function* (n: number) {
  const store = yield* PaymentStore
  const begun = aRecord(n, personal(n))
  const binding = aBinding(n)
  yield* store.begin({ record: begun, binding })
  const paid = succeeded(begun)
  const reported = anEvent(paid, "payment.succeeded", { payment: JSON.stringify({ words: wordsOf(n + 2) }) })
  yield* store.advance({
    ...nothing,
    before: begun,
    after: paid,
    events: [reported],
    answer: { ...binding, body: wordsOf(n) }
  })
  // Written anew at another length: rows move.
  const longer = nextVersion(paid, { metadata: { note: wordsOf(n + 3), more: wordsOf(n + 4) } })
  yield* store.advance({ ...nothing, before: paid, after: longer })
  return { record: longer, reported }
})

const erase = ({ record, reported }: Effect.Success<ReturnType<typeof lived>>) =>
  PaymentStore.use(({ erasure }) => {
    const after: PaymentRecord = nextVersion(record, {
      customer: { email: "erased@example.invalid", phone: "+10000000000", name: null, address: null },
      description: null,
      metadata: {}
    })
    return erasure.erase({ before: record, after, events: [{ ...reported, payment: "{}" }] })
  })

const times = (filename: string): number =>
  [filename, `${filename}-wal`]
    .filter((name) => existsSync(name))
    .reduce((sum, name) => sum + readFileSync(name).toString("latin1").split(canary).length - 1, 0)

const together = { concurrency: 16 } as const

describe("the file of an erased customer", () => {
  it.live("holds no byte of them, nor does its log, though rows were moved and rewritten before", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* Effect.gen(function* () {
        const store = yield* PaymentStore
        const numbers = Array.from({ length: payments }, (_, n) => n)
        const all = yield* Effect.forEach(numbers, lived, together)
        assert.isAbove(times(filename), payments)
        const done = yield* Effect.forEach(all, erase, together)
        assert.isTrue(done.every((each) => each))
        yield* store.erasure.cutBack()
        assert.strictEqual(times(filename), 0)
        assert.strictEqual((yield* store.get(paymentId(5)))?.payment.description, null)
      }).pipe(Effect.provide(storeAt(filename)))
      assert.strictEqual(times(filename), 0)
    })
  )

  it.live(
    "is cut back beside a reader that comes and goes; beside one that stays it gives up, and nothing is lost",
    () =>
      Effect.gen(function* () {
        const filename = yield* temporaryFile
        yield* Effect.gen(function* () {
          const { erasure, get } = yield* PaymentStore
          const one = yield* lived(1)
          const reader = yield* Effect.map(Layer.build(Layer.fresh(SqliteClient.layer({ filename }))), (context) =>
            SqliteDatabase.of(context.mapUnsafe.get(SqliteDatabase.key))
          )
          reader.db.exec("BEGIN; SELECT count(*) FROM payments")
          yield* erase(one)
          yield* erasure.cutBack()
          assert.isAbove(times(filename), 0)
          reader.db.exec("COMMIT")
          yield* erasure.cutBack()
          assert.strictEqual(times(filename), 0)
          assert.strictEqual((yield* get(paymentId(1)))?.payment.customer.email, "erased@example.invalid")
        }).pipe(Effect.provide(storeAt(filename)))
      })
  )

  it.effect("is not looked for among all keys: those with an answer have an index", () =>
    Effect.gen(function* () {
      const { db } = yield* SqliteDatabase
      for (const [column, index] of [
        ["answer", "answers_kept"],
        ["answer_event", "answers_referred"]
      ] as const) {
        const { sql, values } = sqliteStatement(forgetAnswers(column, paymentId(1)))
        const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values)
        assert.include(JSON.stringify(plan), `USING INDEX ${index} (payment_id=?)`)
      }
    }).pipe(Effect.provide(storeAt(":memory:")))
  )
})
