/** Payments that earlier code wrote, with the e-mail address as its request had it. */
import { assert, describe, it } from "@effect/vitest"
import { everyPayment, PaymentStore } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect, Layer, Redacted } from "effect"
import { setImmediate as nextTurn } from "node:timers/promises"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import {
  coreMigrations,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "../src/index.ts"
import { insertRows, oldAttempt, oldOperation, oldPayment } from "./oldRows.ts"

const { aRecord, paymentId, tenant } = PaymentRecords

const stored = [
  "asha@example.com",
  "Asha@Example.COM",
  "ASHA@EXAMPLE.COM",
  "ａｓｈａ@example.com",
  "İda@example.com",
  "jo\u0308rg@example.com",
  "J\u00d6RG@example.com",
  "ravi@example.com",
  "as\u0131@example.com"
]

/** The numbers of the payments that each address finds, newest first. */
const found = [
  ["asha@example.com", [4, 3, 2, 1]],
  ["aSHA@example.com", [4, 3, 2, 1]],
  ["as\u200bha＠example.com", [4, 3, 2, 1]],
  ["ida@example.com", [5]],
  ["J\u00f6rg@Example.com", [20, 7, 6]],
  ["Ravi@example.com", [8]],
  ["asi@example.com", []],
  ["asha@example.org", []]
] as const

const before = Effect.gen(function* () {
  yield* runMigrations([{ ...coreMigrations, migrations: coreMigrations.migrations.slice(0, 1) }])
  for (const [index, customer_email] of stored.entries()) {
    yield* insertRows("payments", [oldPayment(index + 1, { customer_email })])
    yield* insertRows("attempts", [oldAttempt(index + 1, 1)])
    yield* insertRows("operations", [oldOperation(index + 1, 1)])
  }
  yield* insertRows("payments", [oldPayment(11, { account: "other", customer_email: "Asha@example.com" })])
  yield* runMigrations([coreMigrations])
})

const areFound = Effect.gen(function* () {
  const store = yield* PaymentStore
  const customer = { email: "Jo\u0308rg@example.com", phone: null, name: null, address: null }
  yield* store.begin({ record: aRecord(20, { customer }), binding: null })
  assert.deepStrictEqual((yield* store.get(paymentId(20)))?.payment.customer, customer, "as the request had it")
  const ids = Effect.fnUntraced(function* (...customerEmail: ReadonlyArray<string>) {
    const { records } = yield* store.list(tenant, { ...everyPayment, customerEmail })
    return records.map(({ payment }) => payment.id)
  })
  for (const [email, numbers] of found) assert.deepStrictEqual(yield* ids(email), numbers.map(paymentId), email)
  assert.deepStrictEqual(yield* ids("RAVI@example.com", "IDA@example.com", ""), [8, 5].map(paymentId))
  assert.deepStrictEqual(yield* ids(""), [])
})

describe("payments are found by an e-mail address in another case and Unicode form, also those written before", () => {
  it.effect("on SQLite", () =>
    Effect.andThen(before, areFound).pipe(
      Effect.provide(SqlitePaymentStore.layer.pipe(Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))))
    )
  )

  it.live("on SQLite, among many addresses with characters beyond ASCII, and others have a turn in between", () =>
    Effect.gen(function* () {
      yield* before
      const many = Array.from({ length: 2_400 }, (_, n) =>
        oldPayment(100 + n, { customer_email: `\u00e4${n}@example.com` })
      )
      yield* insertRows("payments", many)
      const store = yield* PaymentStore
      let turns = 0
      const turn = Effect.andThen(
        Effect.promise(() => nextTurn()),
        Effect.sync(() => turns++)
      )
      yield* Effect.forkScoped(Effect.forever(turn))
      const { records } = yield* store.list(tenant, { ...everyPayment, customerEmail: ["asha@example.com"] })
      assert.deepStrictEqual(
        records.map(({ payment }) => payment.id),
        [4, 3, 2, 1].map(paymentId)
      )
      assert.isAtLeast(turns, 2)
    }).pipe(
      Effect.scoped,
      Effect.provide(SqlitePaymentStore.layer.pipe(Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))))
    )
  )

  it.live("on PostgreSQL", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      const client = PostgresClient.layer({ url: Redacted.make(url) })
      yield* before.pipe(Effect.provide(client))
      yield* areFound.pipe(Effect.provide(PostgresPaymentStore.layer.pipe(Layer.provideMerge(client))))
    })
  )
})
