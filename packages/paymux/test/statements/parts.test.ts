/** A provider that books a payment in several movements, as a chain does, beside the books of a shop. */
import { assert, describe, it } from "@effect/vitest"
import type { StatementMovement } from "@paymux/core/statement"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout } from "node:timers/promises"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { migrations } from "../../src/Database.ts"
import { card } from "../card.ts"
import { openShop } from "./Shop.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const folder = temporaryFolder()
const databases = {
  SQLite: Effect.succeed(`sqlite:${folder}/paymux.db`),
  PostgreSQL: temporaryDatabase(migrations)
} as const

const window = { since: 0, until: null }

/** The same booking in parts, each with an id of its own. */
const parts = (movement: StatementMovement, ...amounts: ReadonlyArray<number>): ReadonlyArray<StatementMovement> =>
  amounts.map((minorUnits, n) => ({
    ...movement,
    id: `${movement.id}#${n}`,
    amount: { ...movement.amount, minorUnits },
    fee: null,
    net: null
  }))

/** What a provider has reported of a payment beside its charge. */
const enteredAgain = (payment: string, reference: string | null, minorUnits: number) =>
  SqlClient.SqlClient.use(
    (
      sql
    ) => sql`INSERT INTO entries (payment_id, position, attempt_seq, operation_id, kind, basis, minor_units, currency,
        provider, reference, source, recorded_at)
      SELECT payment_id, position + 1, attempt_seq, NULL, kind, basis, ${minorUnits}, currency, provider, ${reference}, source,
        recorded_at FROM entries WHERE payment_id = ${payment} AND kind = 'captured'`
  )

const endedAs = (payment: string, status: string) =>
  SqlClient.SqlClient.use((sql) => sql`UPDATE operations SET status = ${status} WHERE payment_id = ${payment}`)

describe.each(["SQLite", "PostgreSQL"] as const)("payments in parts on %s", (name) => {
  it.live("are compared as a whole, over pages and runs; what is missing is reported, and found later", () =>
    Effect.gen(function* () {
      const url = yield* databases[name]
      const shop = yield* Effect.acquireRelease(
        Effect.promise(() => openShop(url)),
        ({ paymux }) => Effect.promise(() => paymux.close())
      )
      yield* Effect.promise(async () => {
        const { paymux } = shop
        const ids: Array<string> = []
        for (let n = 0; n < 9; n++) ids.push((await paymux.payments.create({ ...card, amount: 1000 })).id)
        await paymux.refunds.create(ids[0] ?? "", { amount: 300 })
        const booked = await shop.booked()
        const refunds = booked.filter(({ type }) => type === "refund")
        assert.lengthOf(refunds, 1)
        const charges = ids.map((_, n) => booked[n] ?? assert.fail("no charge"))
        const [whole, inTwo, rounded, short, more, late, , unbooked, accepted] = charges
        if (!whole || !inTwo || !rounded || !short || !more || !late || !unbooked || !accepted)
          return assert.fail("no charge")
        // The books have a second charge of one payment, and two reports of the same charge of the other one.
        await shop.run(enteredAgain(ids[7] ?? "", "another", 200))
        await shop.run(enteredAgain(ids[8] ?? "", null, 1000))
        const first = [
          ...parts(whole, 1000),
          ...parts(inTwo, 400, 600),
          ...parts(rounded, 333, 333, 333),
          ...parts(short, 300, 200),
          ...parts(more, 1000, 200),
          ...parts(late, 700),
          ...parts(unbooked, 400),
          ...parts(accepted, 1000),
          ...refunds
        ]
        const read = await shop.read(first, { window, pageSize: 2, paymentsInParts: true })
        assert.deepStrictEqual(read.counts.differences, { other_amount: 4, missing_there: 1 })
        const found = (await shop.differences()).entries
        const of = (n: number) =>
          found.flatMap(({ found, kind, paymentId, resolvedAt }) =>
            paymentId === ids[n] ? [[kind, found?.minorUnits ?? null, resolvedAt !== null]] : []
          )
        assert.deepStrictEqual([of(0), of(1), of(2)], [[], [], []])
        assert.deepStrictEqual(of(3), [["other_amount", 500, false]])
        assert.deepStrictEqual(of(4), [["other_amount", 1200, false]])
        assert.deepStrictEqual(of(5), [["other_amount", 700, false]])
        assert.deepStrictEqual(of(6), [["missing_there", null, false]])
        assert.deepStrictEqual([of(7), of(8)], [[["other_amount", 400, false]], []])
        await shop.settled()
        const reviewed = async () => {
          const { data: reviews } = await paymux.reviews.list()
          return reviews.map(({ paymentId, reason }) => `${ids.indexOf(paymentId)} ${reason}`).toSorted()
        }
        // An excess is inquired before it has a review.
        while ((await reviewed()).length < 6) await setTimeout(20)
        assert.deepStrictEqual(await reviewed(), [
          "3 contradiction",
          "4 excess_capture",
          "5 contradiction",
          "6 contradiction",
          "7 contradiction",
          "7 duplicate_capture"
        ])
        const rest = [...parts(late, 700, 200, 100), ...parts(unbooked, 400, 600)]
        const second = await shop.read([...first, ...rest], { window, paymentsInParts: true })
        assert.deepStrictEqual(second.counts.differences, {})
        await shop.settled()
        const open = (await shop.differences()).entries.filter(({ resolvedAt }) => resolvedAt === null)
        assert.deepStrictEqual(
          open.map(({ kind, paymentId }) => `${ids.indexOf(paymentId ?? "")} ${kind}`).toSorted(),
          ["3 other_amount", "4 other_amount", "6 missing_there", "7 other_amount"]
        )
        while ((await reviewed()).length > 5) await setTimeout(20)
        assert.deepStrictEqual(await reviewed(), [
          "3 contradiction",
          "4 excess_capture",
          "6 contradiction",
          "7 contradiction",
          "7 duplicate_capture"
        ])
      })
    })
  )

  it.live("that ended without parts which were read before are found when all of the time is read again", () =>
    Effect.gen(function* () {
      const url = yield* databases[name]
      const shop = yield* Effect.acquireRelease(
        Effect.promise(() => openShop(url)),
        ({ paymux }) => Effect.promise(() => paymux.close())
      )
      yield* Effect.promise(async () => {
        const { id } = await shop.paymux.payments.create({ ...card, amount: 1000 })
        const mine = async () => {
          const { entries } = await shop.differences()
          return entries.flatMap(({ found, kind, paymentId }) =>
            paymentId === id ? [[kind, found?.minorUnits ?? null]] : []
          )
        }
        const charge = (await shop.booked()).at(-1) ?? assert.fail("no charge")
        const movements = parts(charge, 300, 200)
        await shop.run(endedAs(id, "pending"))
        await shop.read(movements, { window, paymentsInParts: true })
        assert.deepStrictEqual(await mine(), [])
        await shop.run(endedAs(id, "expired"))
        await shop.read(movements, { window, paymentsInParts: true })
        assert.deepStrictEqual(await mine(), [["other_status", 500]])
        await shop.read(movements, { window, paymentsInParts: true })
        assert.deepStrictEqual(await mine(), [["other_status", 500]])
      })
    })
  )
})
