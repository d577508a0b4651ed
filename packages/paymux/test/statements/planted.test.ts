/**
 * Every kind of difference, planted into the statement of a running shop, on both databases: all are found, and nothing else;
 * in any order, twice, and over again. What they do to the payments, and that none of them moves money.
 */
import { assert, describe, it } from "@effect/vitest"
import type { StatementMovement } from "@paymux/core/statement"
import { Statements } from "@paymux/sql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout } from "node:timers/promises"
import { card } from "../card.ts"
import { provider } from "./Shop.ts"
import { databaseNames, shopOn } from "./shopOn.ts"
import type { Shop } from "./shopOn.ts"

/**
 * Payments that are paid, refunded in part, and captured in part; each with what the provider has booked of it. Every second one
 * has a key, and so operations whose ids have no time in them.
 */
const trade = async ({ booked, paymux }: Shop) => {
  const keyed = (n: number) => (n % 2 === 0 ? { idempotencyKey: `order-${n}` } : {})
  const created = await Promise.all(Array.from({ length: 24 }, (_, n) => paymux.payments.create(card, keyed(n))))
  for (const [n, { id }] of created.slice(0, 6).entries()) await paymux.refunds.create(id, { amount: 300 }, keyed(n))
  const { id: held } = await paymux.payments.create({ ...card, capture_method: "manual" })
  await paymux.payments.capture(held, { amount: 700 })
  await setTimeout(20)
  const movements = await booked()
  const records = await Promise.all([...created.map(({ id }) => id), held].map((id) => paymux.payments.get(id)))
  assert.isTrue(records.every(({ status }) => status === "succeeded"))
  const payments = created.map(({ id }) => id)
  return { payments, held, movements }
}

/** In the order of the payments: their charges, and the refunds of the first six. */
const bookingsOf = async (shop: Shop, payments: ReadonlyArray<string>, movements: ReadonlyArray<StatementMovement>) => {
  const rows = await shop.run(
    SqlClient.SqlClient.use(
      (sql) => sql<{ readonly id: string; readonly payment_id: string }>`SELECT id, payment_id FROM operations`
    )
  )
  const paymentOf = new Map(rows.map((row) => [row.id, row.payment_id]))
  const find = (type: string) =>
    payments.map((payment) =>
      movements.find((each) => each.type === type && paymentOf.get(each.operation ?? "") === payment)
    )
  const charges = find("payment").map((each) => each ?? assert.fail("no charge"))
  const refunds = find("refund").flatMap((each) => each ?? [])
  return { charges, refunds }
}

const at = <A>(list: ReadonlyArray<A>, place: number): A => list[place] ?? assert.fail(String(place))

/** `step` shares no factor with the length. */
const shuffled = <A>(list: ReadonlyArray<A>, step: number): ReadonlyArray<A> =>
  list.map((_, place) => at(list, (place * step) % list.length))

describe.each(databaseNames)("statements on %s", (name) => {
  const withShop = shopOn(name)

  it.live("that agree with the books differ in nothing, however they are cut, ordered and repeated", () =>
    withShop(async (open) => {
      const { movements } = await trade(open)
      assert.lengthOf(movements, 31)
      const middle = at(movements, 15).bookedAt
      await open.read(
        movements.filter(({ bookedAt }) => bookedAt < middle),
        {
          window: { since: 0, until: middle },
          pageSize: 3
        }
      )
      const rest = await open.read(shuffled(movements, 7), { window: { since: middle - 5_000, until: null } })
      const whole = await open.read(movements.toReversed(), { window: { since: 0, until: null }, pageSize: 1000 })
      assert.deepStrictEqual(whole.counts, {
        matched: 0,
        differs: 0,
        foreign: 0,
        account: 0,
        repeated: 31,
        differences: {}
      })
      assert.strictEqual(rest.state, "complete")
      assert.deepStrictEqual((await open.differences()).entries, [])
      await open.settled()
      const { data: reviews } = await open.paymux.reviews.list()
      assert.deepStrictEqual(reviews, [])
    })
  )

  it.live("that are read up to a kill are continued, and nothing is counted twice", () =>
    withShop(async (open) => {
      const { movements } = await trade(open)
      const killed = await open.read(movements, { stopAfter: 2, window: { since: 0, until: null } }).then(
        () => "ended",
        () => "killed"
      )
      assert.strictEqual(killed, "killed")
      const run = await open.read(movements)
      assert.deepInclude(run.counts, { matched: 31, repeated: 0 })
      assert.deepStrictEqual([run.since, run.state], [0, "complete"])
    })
  )

  it.live("that were foreign are assigned to their payments once these are known, and stay so", () =>
    withShop(async (open) => {
      const { movements, payments } = await trade(open)
      const { charges } = await bookingsOf(open, payments, movements)
      const referenced = (reference: (id: string, known: string | null) => string | null) =>
        open.run(
          SqlClient.SqlClient.use((sql) =>
            Effect.forEach(charges.slice(10, 13), ({ operation, reference: known }) => {
              const id = operation ?? assert.fail("no operation")
              return sql`UPDATE operations SET reference = ${reference(id, known)} WHERE id = ${id}`
            })
          )
        )
      const named = (place: number, over: Partial<StatementMovement>) => ({
        ...at(charges, place),
        operation: null,
        original: null,
        net: null,
        fee: null,
        payout: "po_1",
        bookedAt: at(charges, 10).bookedAt,
        ...over
      })
      const stray = { type: "refund", direction: "out", reference: null, original: at(charges, 12).reference } as const
      const stated = [
        named(10, { id: "m0" }),
        named(11, { id: "m1", amount: { ...at(charges, 11).amount, minorUnits: 1100 } }),
        named(12, { id: "m2", ...stray })
      ]
      const entered = async (since: number) => {
        const { counts } = await open.read(stated, { window: { since, until: null } })
        const query = { provider, of: "payout", payout: "po_1", limit: 9 } as const
        const { entries } = await open.run(Statements.use((statements) => statements.movements(query)))
        return {
          counts,
          rows: entries
            .map(({ id, operationId, paymentId, result }) => [id, result, operationId, paymentId])
            .toReversed()
        }
      }
      await referenced((id) => `not known ${id}`)
      const before = await entered(0)
      assert.deepInclude(before.counts, { foreign: 3, repeated: 0 })
      assert.deepStrictEqual(
        before.rows,
        stated.map(({ id }) => [id, "foreign", null, null])
      )
      await referenced((_, known) => known)
      const after = await entered(1)
      assert.deepInclude(after.counts, { matched: 1, differs: 2, foreign: 0 })
      const expected = [
        ["m0", "matched", at(charges, 10).operation, at(payments, 10)],
        ["m1", "differs", at(charges, 11).operation, at(payments, 11)],
        ["m2", "differs", null, at(payments, 12)]
      ]
      assert.deepStrictEqual(after.rows, expected)
      const again = await entered(2)
      assert.deepInclude(again.counts, { matched: 0, differs: 0, foreign: 0, repeated: 3 })
      assert.deepStrictEqual(again.rows, expected)
    })
  )

  it.live("show each planted difference once, and no other", () =>
    withShop(async (open) => {
      const { movements, payments } = await trade(open)
      const { charges, refunds } = await bookingsOf(open, payments, movements)
      const twin = at(refunds, 1)
      await open.run(
        SqlClient.SqlClient.use(
          (sql) => sql`UPDATE operations SET reference = ${at(refunds, 0).reference} WHERE id = ${twin.operation}`
        )
      )
      const changed = new Map<string, StatementMovement | null>([
        [at(charges, 10).id, null],
        [
          at(charges, 11).id,
          { ...at(charges, 11), amount: { ...at(charges, 11).amount, minorUnits: 1100 }, net: null }
        ],
        [
          at(charges, 12).id,
          { ...at(charges, 12), amount: { ...at(charges, 12).amount, minorUnits: 1300 }, net: null }
        ],
        [at(charges, 13).id, { ...at(charges, 13), amount: { minorUnits: 1200, currency: "USD" as never }, net: null }],
        [at(charges, 14).id, { ...at(charges, 14), reference: at(charges, 15).reference, original: null }],
        [at(charges, 16).id, { ...at(charges, 16), fee: { minorUnits: 20, currency: "EUR" as never } }],
        [twin.id, null],
        [at(refunds, 2).id, null]
      ])
      const stated = movements.flatMap((each) => {
        const now = changed.get(each.id)
        return now === undefined ? [each] : now === null ? [] : [now]
      })
      const added: ReadonlyArray<StatementMovement> = [
        { ...at(charges, 17), id: "lost", operation: `op_${"7".repeat(26)}`, reference: "sbx_lost", original: null },
        { ...at(charges, 18), id: "second" },
        {
          ...at(refunds, 3),
          id: "stray",
          operation: null,
          reference: "sbx_dashboard",
          original: at(charges, 19).reference,
          amount: { ...at(refunds, 3).amount, minorUnits: 200 },
          net: null
        },
        { ...at(charges, 20), id: "foreign1", operation: null, reference: "ch_other", original: null },
        { ...at(refunds, 3), id: "foreign2", operation: "order-9", reference: "re_other", original: "ch_other" }
      ]
      const all = [...stated, ...added]
      await open.read(shuffled(all, 10), { window: { since: 0, until: null } })
      await open.read([...all, at(all, 0)].toReversed(), { window: { since: 1, until: null }, pageSize: 1000 })
      await open.read([{ ...at(charges, 21), amount: { ...at(charges, 21).amount, minorUnits: 5 }, net: null }], {
        window: { since: 2, until: null }
      })
      const expected = [
        ["changed_movement", null],
        ["duplicate_here", 1],
        ["duplicate_there", 18],
        ["missing_here", null],
        ["missing_there", 10],
        ["other_amount", 11],
        ["other_amount", 12],
        ["other_currency", 13],
        ["other_reference", 14],
        ["refund_not_booked", 2],
        ["unknown_refund", 19],
        ["wrong_fee", null]
      ] as const
      const { entries } = await open.differences()
      assert.deepStrictEqual(
        entries
          .map(({ kind, paymentId }) => [kind, paymentId] as const)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([kind, payment]) => [kind, payment === null ? null : payments.indexOf(payment)])
          .toSorted(([a, m], [b, n]) => (a === b ? Number(m) - Number(n) : 0)),
        expected.map((each) => [...each])
      )
      await open.settled()
      const reasons = async (place: number) =>
        (await open.paymux.reviews.get(at(payments, place))).reviews.map(({ reason }) => reason)
      const reviewed = [
        [1, "contradiction"],
        [2, "contradiction"],
        [10, "contradiction"],
        [11, "contradiction"],
        [12, "excess_capture"],
        [13, "contradiction"],
        [14, "reference_conflict"],
        [18, "excess_capture"],
        [19, "excess_refund"]
      ] as const
      const untilReviewed = async () =>
        (await Promise.all(reviewed.map(([place]) => reasons(place)))).every((all) => all.length > 0)
      for (let tries = 0; tries < 200 && !(await untilReviewed()); tries++) await setTimeout(50)
      for (const [place, reason] of reviewed) assert.deepStrictEqual(await reasons(place), [reason], String(place))
      const others = payments.map((_, place) => place).filter((place) => !reviewed.some(([each]) => each === place))
      for (const place of others) assert.deepStrictEqual(await reasons(place), [], String(place))
      const { data: reports } = await open.paymux.reports.list()
      assert.deepStrictEqual(
        reports.map(({ event, status }) => [event, status]),
        [["statement lost", "parked"]]
      )
      const moved = await open.run(
        SqlClient.SqlClient.use((sql) => sql`SELECT 1 FROM operations WHERE purpose = 'reversal'`)
      )
      assert.deepStrictEqual(moved, [], "no statement moves money")
      // What was missing is booked later: its question is answered.
      await open.read([...all, at(charges, 10)], { window: { since: 3, until: null } })
      await open.settled()
      for (let tries = 0; tries < 200 && (await reasons(10)).length > 0; tries++) await setTimeout(50)
      assert.deepStrictEqual(await reasons(10), [])
    })
  )
})
