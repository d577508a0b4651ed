/** Which time runs read, and what is missing in it. */
import { assert, describe, it } from "@effect/vitest"
import { accountNotEnabled, invalidRequest, misconfigured } from "@paymux/core"
import type { StatementMovement } from "@paymux/core/statement"
import { Statements } from "@paymux/sql"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout } from "node:timers/promises"
import { mostEmptyPages, pageTrail } from "../../src/reconcile/PageTrail.ts"
import { card } from "../card.ts"
import { openShop, provider } from "./Shop.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const folder = temporaryFolder()
let shops = 0

const withShop = async (test: (shop: Extract<Awaited<ReturnType<typeof openShop>>, object>) => Promise<void>) => {
  const shop = await openShop(`sqlite:${folder}/paymux-${++shops}.db`)
  try {
    await test(shop)
  } finally {
    await shop.paymux.close()
  }
}

const aMovement: StatementMovement = {
  id: "m_1",
  type: "payment",
  operation: null,
  reference: null,
  original: null,
  amount: { minorUnits: 100, currency: "EUR" as StatementMovement["amount"]["currency"] },
  direction: "in",
  fee: null,
  net: null,
  payout: null,
  bookedAt: 0
}

describe("a run without --since", () => {
  it("begins where the statement was read without a gap, not where the latest run ended", () =>
    withShop(async ({ read }) => {
      const now = Date.now()
      await read([], { window: { since: now - 90_000, until: now - 60_000 } })
      await read([], { window: { since: now - 70_000, until: now - 50_000 } })
      await read([], { window: { since: now - 10_000, until: now - 5_000 } })
      assert.strictEqual((await read([])).since, now - 50_000 - 1)
      assert.isAtLeast((await read([])).since, now - 5_000 - 1)
    }))

  it("continues what was left, also after a file was read", () =>
    withShop(async ({ booked, paymux, read, run }) => {
      for (let n = 0; n < 3; n++) await paymux.payments.create(card)
      const movements = await booked()
      await read(movements, { pageSize: 1, stopAfter: 1 }).catch(() => undefined)
      const [left] = (await paymux.statements.runs()).entries
      assert.strictEqual(left?.state, "reading")
      const file = { provider, livemode: false, source: "file:provider", since: 0, until: 0 }
      const begun = await run(Statements.use((statements) => statements.begin(file)))
      await run(Statements.use((statements) => statements.end(begun)))
      const continued = await read(movements, { pageSize: 1 })
      assert.strictEqual(continued.id, left?.id)
      assert.deepInclude(continued.counts, { matched: 3, repeated: 0 })
    }))
})

describe("a run of a given time", () => {
  it("does not continue one that was left with another start, or with a later end", () =>
    withShop(async ({ booked, paymux, read }) => {
      for (let n = 0; n < 2; n++) await paymux.payments.create(card)
      const movements = await booked()
      const until = Math.max(...movements.map(({ bookedAt }) => bookedAt)) + 1
      const leave = async () => {
        await read(movements, { pageSize: 1, stopAfter: 1, window: { since: 5, until } }).catch(() => undefined)
        const [left] = (await paymux.statements.runs()).entries
        assert.deepInclude(left, { state: "reading", since: 5, until })
        return left?.id
      }
      const first = await leave()
      const earlier = await read(movements, { window: { since: 4, until } })
      assert.notStrictEqual(earlier.id, first)
      assert.deepInclude(earlier, { since: 4, until, state: "complete" })
      const second = await leave()
      const shorter = await read(movements, { window: { since: 5, until: until - 1 } })
      assert.notStrictEqual(shorter.id, second)
      assert.deepInclude(shorter, { since: 5, until: until - 1, state: "complete" })
      const third = await leave()
      assert.strictEqual((await read(movements, { window: { since: 5, until } })).id, third)
    }))

  it("ends now at the latest: what is booked later was not read", () =>
    withShop(async ({ read }) => {
      const { until } = await read([], { window: { since: 0, until: Date.now() + 86_400_000 } })
      assert.isAtMost(until, Date.now())
    }))
})

describe("a run of test mode", () => {
  it("is not canceled from live mode", () =>
    withShop(async ({ booked, paymux, read }) => {
      for (let n = 0; n < 2; n++) await paymux.payments.create(card)
      await read(await booked(), { pageSize: 1, stopAfter: 1 }).catch(() => undefined)
      const [left] = (await paymux.statements.runs()).entries
      const id = left?.id ?? assert.fail("no run")
      assert.isFalse(await paymux.forAccount("default", { mode: "live" }).statements.cancel(id))
      assert.isTrue(await paymux.statements.cancel(id))
    }))
})

describe("a payment that is not in the statement", () => {
  it("is missing, unless it was requested before the time that was read: then it may be booked there", () =>
    withShop(async ({ differences, paymux, read, run }) => {
      const [earlier, later] = [await paymux.payments.create(card), await paymux.payments.create(card)]
      const since = Date.now() - 60_000
      await run(
        SqlClient.SqlClient.use(
          (sql) => sql`UPDATE operations SET created_at = ${since - 1} WHERE payment_id = ${earlier.id}`
        )
      )
      await setTimeout(20)
      await read([], { window: { since, until: null } })
      assert.deepStrictEqual(
        (await differences()).entries.map(({ kind, paymentId }) => [kind, paymentId]),
        [["missing_there", later.id]]
      )
    }))
})

describe("pages without an end", () => {
  it("fail the run at the first cursor that was returned before, with its name; what was read is kept", () =>
    withShop(async ({ booked, paymux, unread }) => {
      for (let n = 0; n < 3; n++) await paymux.payments.create(card)
      const movements = await booked()
      const following: { readonly [cursor: string]: string } = { start: "a", a: "b", b: "c", c: "a" }
      let pages = 0
      const refusal = await unread(({ cursor }) => {
        if (++pages > 20) return Effect.die("the pages were read on")
        return Effect.succeed({
          movements: movements.slice(pages - 1, pages),
          next: following[cursor ?? "start"] ?? null
        })
      })
      assert.deepInclude(refusal, { _tag: "StatementUnread", isFinal: true })
      assert.include(String(refusal), 'its pages go in a circle: the next cursor "a" was returned before')
      const [run] = (await paymux.statements.runs()).entries
      assert.deepInclude(run, { state: "failed", pages: 3 })
      assert.include(run?.problem ?? "", '"a" was returned before')
      assert.strictEqual(run?.counts.matched, 3)
    }))

  it("fail the run after the most empty pages in a row, with the cursor, and not where movements are between them", () => {
    const empty = (n: number) => ({ movements: [], next: `cursor ${n}` })
    const trail = pageTrail(null)
    for (let n = 1; n < mostEmptyPages; n++) assert.isNull(trail.problemOf(empty(n)))
    assert.include(
      trail.problemOf(empty(0)) ?? "",
      `has ${mostEmptyPages} empty pages in a row, up to the cursor "cursor 0"`
    )
    const busy = pageTrail(null)
    for (let n = 1; n < mostEmptyPages; n++) busy.problemOf(empty(n))
    assert.isNull(busy.problemOf({ movements: [aMovement], next: "busy" }))
    assert.isNull(busy.problemOf(empty(0)))
  })
})

describe("a page that the adapter does not return", () => {
  it("ends the run, with what the adapter reports, and nothing that controls a terminal", () =>
    withShop(async ({ paymux, refused }) => {
      const unread = await refused(invalidRequest("pay_1\u001b[2J has no settled_at"))
      assert.deepInclude(unread, { _tag: "StatementUnread", isFinal: true })
      assert.include(String(unread), "(pay_1\\u001b[2J has no settled_at)")
      const missing = await refused(misconfigured("batch_1.csv is missing"))
      assert.include(String(missing), "it refused the credentials (batch_1.csv is missing)")
      const [latest] = (await paymux.statements.runs()).entries
      assert.strictEqual(latest?.state, "failed")
      const closed = await refused(accountNotEnabled("recon_not_enabled", "kind"))
      assert.deepInclude(closed, { _tag: "StatementUnread", isFinal: true })
      assert.include(String(closed), "the account is not enabled for its statement (recon_not_enabled)")
    }))
})
