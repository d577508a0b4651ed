/** A search for metadata without an index looks at so many payments, says where it ended, and continues from there. */
import type { PaymentId, PaymentRecord, Tenant } from "@paymux/core"
import { everyPayment, firstPaymentId, PaymentStore, timeOfPaymentId } from "@paymux/core/store"
import { isPaymentId } from "@paymux/core/wire"
import type { ListQuery, Page } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { paymentColumns } from "../src/rows/columns.ts"
import { buildMetadataIndexes } from "../src/index.ts"
import { mostSearched } from "../src/lists/listFilters.ts"
import { OtherServer, postgres, sqlite } from "./databases.ts"

const { aRecord, paymentId, tenant } = PaymentRecords

/** More than two searches pass. */
const many = 2 * mostSearched + 2_000

/** The number of a payment, which its id ends with. */
const numbered = 10_000_000
const idOf = (n: number): PaymentId => paymentId(numbered + n)

const change = (n: number) => ({
  id: idOf(n),
  provider: n % 1_000 === 0 ? "rare" : "acme",
  amount: { ...aRecord(0).payment.amount, minorUnits: n % 1_000 === 0 ? 700 : 500 },
  metadata: { channel: n === 100 ? "telex" : n === 6_500 || n === many ? "fax" : "web" }
})

/** Copies of one payment, and a few of their own. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* PaymentStore
  const own = [many, ...Array.from({ length: many / 1_000 }, (_, n) => n * 1_000), 6_500, 100].filter(
    (n, index, all) => all.indexOf(n) === index
  )
  for (const n of own) {
    const record = aRecord(numbered + n, change(n))
    yield* store.begin({ record, binding: null })
  }
  const others = paymentColumns.all.map(({ name }) => name).filter((name) => name !== "id")
  const begun = idOf(0).slice(0, -8)
  yield* sql.unsafe(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${many})
    INSERT INTO payments (id, ${others.join(", ")})
    SELECT '${begun}' || (${numbered} + n), ${others.join(", ")} FROM payments, numbers
    WHERE id = '${idOf(1_000)}' AND n NOT IN (${own.join(", ")})`)
  yield* sql.unsafe(`UPDATE payments SET provider = 'acme', minor_units = 500
    WHERE id NOT IN (${own.map((n) => `'${idOf(n)}'`).join(", ")})`)
})

const ids = ({ records }: Page) => records.map(({ payment }) => payment.id)

const pages = Effect.fnUntraced(function* (store: PaymentStore["Service"], query: ListQuery, of: Tenant = tenant) {
  const found: Array<Page> = []
  let position = query.position
  do {
    const page: Page = yield* store.list(of, { ...query, position })
    found.push(page)
    const side = query.position?.side ?? "after"
    const last = page.stoppedAt ?? ids(page).at(side === "after" ? -1 : 0)
    position = page.hasMore && last !== undefined ? { side, id: last } : null
  } while (position !== null)
  return found.map((page) => [ids(page), page.hasMore, page.stoppedAt] as const)
})

const byChannel = (...channel: ReadonlyArray<string>): ListQuery => ({ ...everyPayment, metadata: { channel } })

for (const [name, database] of [
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
] as const) {
  const filled = Layer.effectDiscard(fill).pipe(Layer.provideMerge(database))
  layer(filled, { timeout: 120_000, excludeTestServices: true })(
    `a search for metadata without an index, on ${name}`,
    (it) => {
      it.effect("looks at so many payments, and its pages together show what matches once, through gaps", () =>
        Effect.gen(function* () {
          const store = yield* PaymentStore
          const [first, second] = [idOf(many - mostSearched + 1), idOf(many - 2 * mostSearched + 1)]
          assert.deepStrictEqual(yield* pages(store, byChannel("fax", "telex")), [
            [[idOf(many)], true, first],
            [[idOf(6_500)], true, second],
            [[idOf(100)], false, null]
          ])
          assert.deepStrictEqual(yield* pages(store, byChannel("telex")), [
            [[], true, first],
            [[], true, second],
            [[idOf(100)], false, null]
          ])
          assert.deepStrictEqual(yield* pages(store, byChannel("pigeon")), [
            [[], true, first],
            [[], true, second],
            [[], false, null]
          ])
        })
      )

      it.effect("does so towards newer payments, too", () =>
        Effect.gen(function* () {
          const store = yield* PaymentStore
          const position = { side: "before", id: paymentId(0) } as const
          assert.deepStrictEqual(yield* pages(store, { ...byChannel("fax", "telex"), position }), [
            [[idOf(100)], true, idOf(mostSearched - 1)],
            [[idOf(6_500)], true, idOf(2 * mostSearched - 1)],
            [[idOf(many)], false, null]
          ])
        })
      )

      it.effect("ends with a full page, and passes what another filter with an index leaves", () =>
        Effect.gen(function* () {
          const store = yield* PaymentStore
          const full = yield* store.list(tenant, { ...byChannel("web"), limit: 3 })
          assert.deepStrictEqual([ids(full).length, full.hasMore, full.stoppedAt], [3, true, null])
          const rare = yield* store.list(tenant, { ...byChannel("fax"), provider: ["rare"] })
          assert.deepStrictEqual([ids(rare), rare.hasMore, rare.stoppedAt], [[idOf(many)], false, null])
          const dear = yield* store.list(tenant, { ...byChannel("fax"), currency: ["INR"], amountMin: 600 })
          assert.deepStrictEqual([ids(dear), dear.hasMore, dear.stoppedAt], [[idOf(many)], false, null])
          const cheap = yield* pages(store, { ...byChannel("telex"), currency: ["INR"], amountMax: 600 })
          assert.isAbove(cheap.length, 1)
          assert.deepStrictEqual(
            cheap.flatMap(([found]) => found),
            [idOf(100)]
          )
          assert.isTrue(cheap.slice(0, -1).every(([, hasMore, stoppedAt]) => hasMore && stoppedAt !== null))
        })
      )

      it.effect("ends between payments, too, at a place that a cursor can hold", () =>
        Effect.gen(function* () {
          const store = yield* PaymentStore
          const account = { account: "sparse", livemode: false }
          const first = Date.UTC(2026, 0, 1)
          // One for each slice of time that a walk by amount passes.
          const sliced = Array.from({ length: 900 }, (_, n): PaymentRecord => {
            const createdAt = first + n * 2 ** 25
            const id = firstPaymentId(createdAt)
            const record = aRecord(20_000_000 + n, {
              ...account,
              createdAt,
              metadata: { channel: n === 5 ? "fax" : "web" }
            })
            const operations = record.operations.map((operation) => ({ ...operation, paymentId: id }))
            return { ...record, payment: { ...record.payment, id }, operations }
          })
          yield* Effect.forEach(sliced, (record) => store.begin({ record, binding: null }), {
            concurrency: "unbounded"
          })
          // Between them are others, of another amount: a walk past all would be longer.
          const sql = yield* SqlClient.SqlClient
          const others = paymentColumns.all.map(({ name }) => name).filter((name) => name !== "id")
          const copied = others.map((name) => (name === "minor_units" ? "1" : name))
          yield* sql.unsafe(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 12)
          INSERT INTO payments (id, ${others.join(", ")})
          SELECT substr(id, 1, 22) || (${numbered} + n), ${copied.join(", ")} FROM payments, numbers WHERE account = 'sparse'`)
          const byAmount = { ...byChannel("fax"), currency: ["INR"], amountMin: 2 }
          for (const position of [null, { side: "before" as const, id: paymentId(0) }]) {
            const found = yield* pages(store, { ...byAmount, position }, account)
            assert.isAbove(found.length, 1)
            assert.deepStrictEqual(
              found.flatMap(([ids]) => ids),
              [sliced[5]?.payment.id]
            )
            for (const [, hasMore, stoppedAt] of found.slice(0, -1)) {
              assert.isTrue(hasMore && stoppedAt !== null && isPaymentId(stoppedAt))
              const time = stoppedAt === null ? 0 : timeOfPaymentId(stoppedAt)
              assert.isTrue(time >= first && time <= first + 900 * 2 ** 25)
            }
          }
        })
      )

      it.effect("is whole on the first page once the key has an index", () =>
        Effect.gen(function* () {
          yield* buildMetadataIndexes(["channel"])
          // A server on PostgreSQL looks for indexes at its start.
          const store = yield* yield* OtherServer
          const found = yield* store.list(tenant, byChannel("fax", "telex"))
          const all = [many, 6_500, 100].map(idOf)
          assert.deepStrictEqual([ids(found), found.hasMore, found.stoppedAt], [all, false, null])
        })
      )
    }
  )
}
