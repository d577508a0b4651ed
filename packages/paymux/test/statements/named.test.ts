/** What the database has under the names of a movement: of which provider, mode and payment, and with which amounts. */
import { assert, describe, it } from "@effect/vitest"
import type { StatementMovement } from "@paymux/core/statement"
import type { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout } from "node:timers/promises"
import { card } from "../card.ts"
import { provider } from "./Shop.ts"
import { databaseNames, shopOn } from "./shopOn.ts"
import type { Shop } from "./shopOn.ts"

const change = (shop: Shop, statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
  shop.run(SqlClient.SqlClient.use(statement))

/** A payment of 12.00 that is refunded by 3.00 and 5.00, and what the provider has booked of it. */
const opened = async (shop: Shop) => {
  const { id } = await shop.paymux.payments.create(card)
  for (const amount of [300, 500]) await shop.paymux.refunds.create(id, { amount })
  await setTimeout(10)
  const movements = await shop.booked()
  const of = (minorUnits: number) =>
    movements.find(({ amount }) => amount.minorUnits === minorUnits) ?? assert.fail(`${minorUnits} is not booked`)
  return { id, charge: of(1200), refund: of(300), other: of(500) }
}

const withAmount = (movement: StatementMovement, minorUnits: number): StatementMovement => ({
  ...movement,
  amount: { ...movement.amount, minorUnits },
  fee: null,
  net: null
})

/** What one run has counted. It ends after its movements, so that it misses nothing beside them. */
const countsOf = async (shop: Shop, ...movements: ReadonlyArray<StatementMovement>) => {
  const until = Math.max(...movements.map(({ bookedAt }) => bookedAt)) + 1
  const { counts } = await shop.read(movements, { window: { since: 0, until } })
  return counts
}

describe.each(databaseNames)("a movement on %s", (name) => {
  const withShop = shopOn(name)

  it.live("agrees with an amount that the books have for the operation, and not with that of another one", () =>
    withShop(async (shop) => {
      const { charge, other, refund } = await opened(shop)
      const requested = (movement: StatementMovement, amount: number) =>
        change(shop, (sql) => sql`UPDATE operations SET minor_units = ${amount} WHERE id = ${movement.operation}`)
      await requested(charge, 1100)
      await requested(refund, 400)
      const agreed = await countsOf(shop, charge, refund)
      assert.deepInclude(agreed, { matched: 2, differs: 0 })
      const differing = [withAmount({ ...charge, id: "m1" }, 1300), withAmount({ ...other, id: "m2" }, 300)]
      assert.deepInclude((await countsOf(shop, ...differing)).differences, { duplicate_there: 1, other_amount: 1 })
    })
  )

  it.live("differs from books that have its amount in another currency", () =>
    withShop(async (shop) => {
      const { charge } = await opened(shop)
      await change(shop, (sql) => sql`UPDATE operations SET minor_units = 1100 WHERE id = ${charge.operation}`)
      await change(shop, (sql) => sql`UPDATE entries SET currency = 'USD'`)
      assert.deepInclude((await countsOf(shop, charge)).differences, { other_amount: 1 })
    })
  )

  it.live("is of the payment that had its reference before", () =>
    withShop(async (shop) => {
      const { charge, id } = await opened(shop)
      await change(
        shop,
        (sql) => sql`INSERT INTO former_references ${sql.insert({ provider, reference: "old", payment_id: id })}`
      )
      const named = { ...charge, operation: null, original: null }
      const counts = await countsOf(
        shop,
        { ...named, id: "m1", reference: "old" },
        { ...named, id: "m2", reference: "older" }
      )
      assert.deepInclude(counts, { matched: 1, foreign: 1 })
    })
  )

  it.live("is not of a payment of the other mode, nor of an operation at another provider", () =>
    withShop(async (shop) => {
      const { charge } = await opened(shop)
      const named = { ...charge, operation: null, original: null }
      await change(shop, (sql) => sql`UPDATE payments SET livemode = ${true}`)
      assert.deepInclude(await countsOf(shop, named), { matched: 0, foreign: 1 })
      await change(shop, (sql) => sql`UPDATE payments SET livemode = ${false}`)
      await change(shop, (sql) => sql`UPDATE operations SET provider = 'another' WHERE id = ${charge.operation}`)
      assert.deepInclude(await countsOf(shop, { ...charge, id: "m2" }), { matched: 0, differs: 1 })
    })
  )

  it.live("of a dispute does not book a payment that was missing", () =>
    withShop(async (shop) => {
      const { charge, id, other, refund } = await opened(shop)
      await shop.read([refund, other], { window: { since: 0, until: null } })
      const missing = async () =>
        (await shop.differences()).entries.map(({ kind, resolvedAt }) => [kind, resolvedAt !== null])
      assert.deepStrictEqual(await missing(), [["missing_there", false]])
      const stray = { operation: null, reference: null, original: charge.reference, fee: null, net: null } as const
      await shop.paymux.disputes.record(id, { status: "open", evidence: "The letter of the bank" })
      await countsOf(shop, { ...charge, ...stray, id: "dispute", type: "dispute", direction: "out" })
      assert.deepStrictEqual(await missing(), [["missing_there", false]])
      await countsOf(shop, charge)
      assert.deepStrictEqual(await missing(), [["missing_there", true]])
    })
  )
})
