/** A run that another process continues or has ended: what is written for it then, and which runs a new one ends. */
import { assert, describe, it } from "@effect/vitest"
import type { StatementPage } from "@paymux/core/statement"
import { Statements } from "@paymux/sql"
import type { StatementRun } from "@paymux/sql"
import { Effect, Exit } from "effect"
import { setTimeout } from "node:timers/promises"
import { card } from "../card.ts"
import { provider } from "./Shop.ts"
import { databaseNames, shopOn } from "./shopOn.ts"
import type { Shop } from "./shopOn.ts"

const rules = { bookedWithin: 1, paymentsInParts: false }

const place = { provider, livemode: false, source: "provider" }

/** A shop with two payments, of which the statement has the first. */
const opened = async ({ booked, paymux, run }: Shop) => {
  for (let n = 0; n < 2; n++) await paymux.payments.create(card)
  const [first] = await booked()
  if (first === undefined) return assert.fail("nothing was booked")
  await setTimeout(10)
  const begun = await run(begin({ ...place, since: 0, until: Date.now() }))
  const page = { movements: [{ ...first, payout: "po_1" }], next: null }
  return { begun, page }
}

const begin = (run: typeof place & Pick<StatementRun, "since" | "until">) =>
  Statements.use((statements) => statements.begin(run))

const enter = (run: StatementRun, page: StatementPage) =>
  Statements.use((statements) => statements.enter(run, page, rules))

const compare = (run: StatementRun) => Statements.use((statements) => statements.compare(run, rules))

const stateOf = async ({ paymux }: Shop, run: StatementRun) => {
  const { entries } = await paymux.statements.runs()
  return entries.find(({ id }) => id === run.id)?.state
}

const entered = async ({ paymux }: Shop) => {
  const { entries } = await paymux.statements.movements({ provider, of: "payout", payout: "po_1" })
  return entries.length
}

const outcome = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(effect), (exit) => (Exit.isSuccess(exit) ? "done" : String(exit)))

describe.each(databaseNames)("a run on %s", (name) => {
  const withShop = shopOn(name)

  it.live("is continued by one of two processes, and counts a page once", () =>
    withShop(async (shop) => {
      const { begun, page } = await opened(shop)
      const entering = outcome(enter(begun, { ...page, next: "1" }))
      const [one, other] = await Promise.all([shop.run(entering), shop.run(entering)])
      assert.lengthOf(
        [one, other].filter((each) => each === "done"),
        1
      )
      assert.match([one, other].join(), /RunLost/)
      const [run] = (await shop.paymux.statements.runs()).entries
      assert.deepInclude(run, { id: begun.id, pages: 1, state: "reading" })
      assert.deepInclude(run?.counts, { matched: 1, repeated: 0 })
    })
  )

  it.live("that was canceled enters no page", () =>
    withShop(async (shop) => {
      const { begun, page } = await opened(shop)
      assert.isTrue(await shop.paymux.statements.cancel(begun.id))
      const refused = await shop.run(outcome(enter(begun, page)))
      assert.match(refused, /RunLost/)
      assert.deepStrictEqual([await entered(shop), await stateOf(shop, begun)], [0, "canceled"])
      assert.isFalse(await shop.paymux.statements.cancel(begun.id))
    })
  )

  it.live("that was canceled while it was compared misses nothing, and does not become complete", () =>
    withShop(async (shop) => {
      const { begun, page } = await opened(shop)
      const read = await shop.run(enter(begun, page))
      assert.strictEqual(read.state, "comparing")
      assert.isTrue(await shop.paymux.statements.cancel(read.id))
      for (const step of [outcome(compare(read)), outcome(Statements.use((statements) => statements.end(read)))]) {
        assert.match(await shop.run(step), /RunLost/)
      }
      assert.isEmpty((await shop.differences()).entries)
      assert.deepStrictEqual([await entered(shop), await stateOf(shop, read)], [1, "canceled"])
      assert.isNull(await shop.run(Statements.use((statements) => statements.readUntil(place))))
      const again = await shop.run(begin(begun))
      await shop.run(Effect.flatMap(enter(again, page), compare))
      assert.deepStrictEqual(
        (await shop.differences()).entries.map(({ kind, run }) => [kind, run]),
        [["missing_there", again.id]],
        "the same run, if it is not canceled"
      )
    })
  )

  it.live("that is left is ended by a new one of the same source and mode only, and is then not continued", () =>
    withShop(async (shop) => {
      const { begun, page } = await opened(shop)
      const time = { since: 0, until: Date.now() }
      const file = await shop.run(begin({ ...place, ...time, source: "file:report.csv" }))
      const live = await shop.run(begin({ ...place, ...time, livemode: true }))
      const unfinished = (livemode: boolean) =>
        shop.run(Statements.use((statements) => statements.unfinished({ provider, livemode })))
      assert.deepStrictEqual([(await unfinished(false))?.id, (await unfinished(true))?.id], [begun.id, live.id])
      const next = await shop.run(begin({ ...place, ...time }))
      assert.deepStrictEqual(
        [await stateOf(shop, begun), await stateOf(shop, file), (await unfinished(false))?.id],
        ["canceled", "reading", next.id]
      )
      assert.strictEqual((await unfinished(true))?.id, live.id)
      assert.match(await shop.run(outcome(enter(begun, page))), /RunLost/)
      await shop.run(begin({ ...place, ...time, source: "file:other.csv" }))
      assert.deepStrictEqual([await stateOf(shop, file), (await unfinished(false))?.id], ["canceled", next.id])
    })
  )
})
