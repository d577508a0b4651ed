import type { PaymentId } from "@paymux/core"
import { firstPaymentId, PaymentStore } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterCreatedBefore, beforeCreatedAt, isOutOfOrder } from "../src/migrations/lists.ts"
import { postgres, sqlite } from "./databases.ts"

const { aRecord } = PaymentRecords

/** Between every two letters of an id that count, and where the clocks of computers end. */
const times = [
  10_000,
  1_790_812_800_000,
  ...[10, 15, 20, 25, 30, 35, 40, 45].flatMap((bits) => [2 ** bits + 8_191, 2 ** bits + 8_192, 2 ** bits * 3 - 1]),
  Date.UTC(9999, 11, 31)
].filter((time) => time > 8_000)

/** How much later the payment was made than its id, in ms, and whether that is out of order. */
const skews = [
  [0, false],
  [1, false],
  [1_024, false],
  [-1_024, false],
  [4_096, true],
  [-4_096, true],
  [3_600_000, true]
] as const

const cases = times.flatMap((time) => skews.map(([skew, out]) => ({ createdAt: time, made: time - skew, out })))

const idAt = (made: number, n: number): PaymentId =>
  // Boundary: it has the shape of an id; a decimal digit is one of its letters.
  `${firstPaymentId(Math.max(0, made)).slice(0, -4)}${String(n).padStart(4, "0")}` as PaymentId

const reported = Effect.gen(function* () {
  const store = yield* PaymentStore
  const sql = yield* SqlClient.SqlClient
  const ids = cases.map(({ made }, n) => idAt(made, n))
  for (const [n, { createdAt }] of cases.entries()) {
    const record = aRecord(n)
    const id = ids[n] ?? record.payment.id
    const operations = record.operations.map((operation) => ({ ...operation, paymentId: id }))
    yield* store.begin({
      record: { ...record, payment: { ...record.payment, id, createdAt }, operations },
      binding: null
    })
  }
  const rows = yield* sql.unsafe<{ id: PaymentId }>(`SELECT id FROM payments WHERE ${isOutOfOrder}`)
  const expected = ids.filter((_, n) => cases[n]?.out === true)
  assert.sameMembers(
    rows.map(({ id }) => id),
    expected
  )
  for (const [n, id] of ids.entries()) {
    const { createdAt = 0, out = true } = cases[n] ?? {}
    if (out) continue
    assert.isTrue(id < afterCreatedBefore(createdAt + 1), `${id} was made before ${createdAt + 1}`)
    assert.isTrue(id > (beforeCreatedAt(createdAt - 1) ?? ""), `${id} was made after ${createdAt - 1}`)
  }
})

describe("payments whose ids are out of the order of time", () => {
  for (const [database, layer] of [
    ["SQLite", sqlite],
    ["PostgreSQL", postgres]
  ] as const) {
    it.live(`are distinguished from all others, and times from ids, on ${database}`, () =>
      Effect.provide(reported, layer)
    )
  }
})
