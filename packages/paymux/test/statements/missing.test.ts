/** What succeeded here and is not in the statement: each operation is judged once, by the run whose time it belongs to. */
import { assert, describe, it } from "@effect/vitest"
import type { StatementMovement } from "@paymux/core/statement"
import { Statements } from "@paymux/sql"
import { Array as Arr, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout } from "node:timers/promises"
import { card } from "../card.ts"
import { provider } from "./Shop.ts"
import { databaseNames, shopOn } from "./shopOn.ts"
import type { Shop } from "./shopOn.ts"

/** ms: as the shop declares it. */
const bookedWithin = 1

const run = (shop: Shop, statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
  shop.run(Effect.asVoid(SqlClient.SqlClient.use(statement)))

const paid = async ({ paymux }: Shop): Promise<string> => {
  const { id } = await paymux.payments.create(card)
  await setTimeout(5)
  return id
}

const bookingOf = async (shop: Shop, payment: string): Promise<StatementMovement> => {
  const [row] = await shop.run(
    SqlClient.SqlClient.use(
      (sql) => sql<{ readonly id: string }>`SELECT id FROM operations WHERE payment_id = ${payment} AND kind = 'create'`
    )
  )
  const found = (await shop.booked()).find(({ operation, type }) => operation === row?.id && type === "payment")
  return found ?? assert.fail("no booking")
}

/** With all of its columns, to be copied. */
type OperationRow = { readonly [column: string]: string | number | null } & { readonly id: string }

/** Kinds and payments of all differences, the oldest first. */
const found = async (shop: Shop) =>
  (await shop.differences()).entries.map(({ kind, paymentId }) => [kind, paymentId]).toReversed()

const whole = () => ({ window: { since: Date.now() - 60_000, until: null } })

describe.each(databaseNames)("a statement on %s", (name) => {
  const withShop = shopOn(name)

  it.live("of which two runs share a border misses what succeeded beside it once, in the second run", () =>
    withShop(async (shop) => {
      const since = Date.now() - 60_000
      const payment = await paid(shop)
      const border = Date.now()
      await setTimeout(5)
      const end = (at: number) => run(shop, (sql) => sql`UPDATE operations SET ended_at = ${at}`)
      await end(border - bookedWithin)
      await shop.read([], { window: { since, until: border } })
      assert.isEmpty((await shop.differences()).entries, "it may still be booked")
      await shop.read([], { window: { since: border, until: null } })
      assert.deepStrictEqual(await found(shop), [["missing_there", payment]])
    })
  )

  it.live("does not miss what was requested in the time of a run that was canceled: it may be booked there", () =>
    withShop(async (shop) => {
      const since = Date.now() - 60_000
      await paid(shop)
      const border = Date.now()
      await setTimeout(5)
      await run(shop, (sql) => sql`UPDATE operations SET ended_at = ${border}`)
      const place = { provider, livemode: false, source: "provider", since, until: border }
      const canceled = await shop.run(Statements.use((statements) => statements.begin(place)))
      assert.isTrue(await shop.paymux.statements.cancel(canceled.id))
      await setTimeout(5)
      await shop.read([], { window: { since: border, until: null } })
      assert.isEmpty((await shop.differences()).entries)
    })
  )

  it.live("is read without a gap up to where runs of the provider touch, and no report in a file moves that", () =>
    withShop(async (shop) => {
      const now = Date.now()
      await shop.read([], { window: { since: now - 60_000, until: now - 50_000 } })
      await shop.read([], { window: { since: now - 50_000, until: now - 40_000 } })
      const file = { provider, livemode: false, source: "file:a.csv", since: now - 40_000, until: now - 30_000 }
      const begun = await shop.run(Statements.use((statements) => statements.begin(file)))
      await shop.run(Statements.use((statements) => statements.end(begun)))
      const until = await shop.run(Statements.use((statements) => statements.readUntil(file)))
      assert.strictEqual(until, now - 40_000)
    })
  )

  it.live("misses a payment of which it has only a dispute, or a refund that was not requested", () =>
    withShop(async (shop) => {
      const [disputed, refunded] = [await paid(shop), await paid(shop)]
      const [charge, other] = [await bookingOf(shop, disputed), await bookingOf(shop, refunded)]
      await shop.paymux.disputes.record(disputed, { status: "open", evidence: "The letter of the bank" })
      const stray = { operation: null, reference: null, direction: "out", fee: null, net: null } as const
      const movements = [
        { ...charge, ...stray, id: "dispute", type: "dispute", original: charge.reference },
        { ...other, ...stray, id: "refund", type: "refund", original: other.reference }
      ] as const
      await shop.read(movements, whole())
      assert.sameDeepMembers(await found(shop), [
        ["unknown_refund", refunded],
        ["missing_there", disputed],
        ["missing_there", refunded]
      ])
    })
  )

  it.live("misses the charge of a hold whose capture was declined, and not one that is booked by its capture", () =>
    withShop(async (shop) => {
      const hold = async () => {
        const { id } = await shop.paymux.payments.create({ ...card, capture_method: "manual" })
        await shop.paymux.payments.capture(id, { amount: 700 })
        return id
      }
      const [captured, declined] = [await hold(), await hold()]
      await run(shop, (sql) => sql`UPDATE operations SET status = 'succeeded', ended_at = created_at`)
      await run(
        shop,
        (sql) => sql`UPDATE operations SET status = 'declined' WHERE payment_id = ${declined} AND kind = 'capture'`
      )
      await setTimeout(10)
      const movements = (await shop.booked()).filter(({ type }) => type === "capture" || type === "payment")
      const rows = await shop.run(
        SqlClient.SqlClient.use(
          (sql) => sql<{ readonly id: string }>`SELECT id FROM operations WHERE payment_id = ${captured}`
        )
      )
      const ids = new Set(rows.map(({ id }) => id))
      await shop.read(
        movements.filter(({ operation }) => operation !== null && ids.has(operation)),
        whole()
      )
      assert.deepStrictEqual(await found(shop), [["missing_there", declined]])
    })
  )

  it.live("misses nothing of live mode, and no operation without an amount", () =>
    withShop(async (shop) => {
      const [live, empty, other] = [await paid(shop), await paid(shop), await paid(shop)]
      await run(shop, (sql) => sql`UPDATE payments SET livemode = ${true} WHERE id = ${live}`)
      await run(shop, (sql) => sql`UPDATE operations SET minor_units = 0 WHERE payment_id = ${empty}`)
      await shop.read([], whole())
      assert.deepStrictEqual(await found(shop), [["missing_there", other]])
    })
  )

  it.live("is searched in stretches: each of many operations is missed once", () =>
    withShop(async (shop) => {
      const { id } = await shop.paymux.payments.create(card)
      await shop.paymux.refunds.create(id, { amount: 1 })
      await setTimeout(5)
      // The engine would apply each report and read all operations of this payment each time, which takes minutes.
      await shop.paymux.close()
      const copies = 4_100
      await run(shop, (sql) =>
        Effect.gen(function* () {
          const [row] = yield* sql<OperationRow>`SELECT * FROM operations WHERE kind = 'refund'`
          if (row === undefined) return assert.fail("no refund")
          const rows = Array.from({ length: copies }, (_, n) => ({
            ...row,
            id: `${row.id.slice(0, -4)}${String(n).padStart(4, "0")}`,
            position: n + 10,
            reference: null
          }))
          for (const chunk of Arr.chunksOf(rows, 500)) yield* sql`INSERT INTO operations ${sql.insert(chunk)}`
        })
      )
      const { counts, state } = await shop.read([await bookingOf(shop, id)], whole())
      // The refund itself, beside its copies.
      assert.deepStrictEqual([state, counts.differences], ["complete", { refund_not_booked: copies + 1 }])
    })
  )

  it.live("that books an operation three times differs twice", () =>
    withShop(async (shop) => {
      const payment = await paid(shop)
      const charge = await bookingOf(shop, payment)
      const twice = ["m2", "m3"].map((id) => ({ ...charge, id }))
      const { counts } = await shop.read([charge, ...twice], whole())
      assert.deepStrictEqual(counts.differences, { duplicate_there: 2 })
      assert.deepStrictEqual(await found(shop), [
        ["duplicate_there", payment],
        ["duplicate_there", payment]
      ])
    })
  )

  it.live("that books an operation again does not resolve what was different about it", () =>
    withShop(async (shop) => {
      const charge = await bookingOf(shop, await paid(shop))
      const less = { ...charge, amount: { ...charge.amount, minorUnits: 1100 }, fee: null, net: null }
      await shop.read([less], whole())
      await shop.read([{ ...less, id: "again" }], { window: { since: 1, until: null } })
      const { entries } = await shop.differences()
      assert.sameDeepMembers(
        entries.map(({ kind, resolvedAt }) => [kind, resolvedAt]),
        [
          ["other_amount", null],
          ["duplicate_there", null]
        ]
      )
    })
  )
})
