/** `paymux.statements`: what runs have found, page by page, and what is refused. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { temporaryFolder } from "./temporaryFolder.ts"
import { card } from "../card.ts"
import { openShop, provider } from "./Shop.ts"
import { databaseNames, shopOn } from "./shopOn.ts"

const shop = await openShop(`sqlite:${temporaryFolder()}/paymux.db`)
const { paymux } = shop

afterAll(() => paymux.close())

describe("paymux.statements", () => {
  it("lists runs, differences, foreign movements and payouts, page by page", async () => {
    await paymux.payments.create(card)
    const [charge] = await shop.booked()
    if (charge === undefined) return assert.fail("no charge")
    const other = { ...charge, operation: null, reference: "ch_1", original: null, net: null, fee: null }
    const payout = { ...other, id: "po_1", type: "payout", direction: "out", reference: null, payout: "po_1" } as const
    const foreign = [1, 2, 3].map((n) => ({ ...other, id: `f${n}`, payout: "po_1" }))
    await shop.read([{ ...charge, fee: charge.amount }, payout, ...foreign], { window: { since: 0, until: null } })
    const { entries } = await paymux.statements.differences({ provider, kind: "wrong_fee" })
    assert.deepStrictEqual(
      entries.map(({ found, movement }) => [movement, found?.minorUnits]),
      [[charge.id, 1200]]
    )
    const ids = []
    let page = await paymux.statements.movements({ provider, of: "foreign", limit: 2 })
    ids.push(...page.entries.map(({ id }) => id))
    assert.match(page.next ?? "", /^[\w-]+$/, "no character that a shell takes for its own")
    page = await paymux.statements.movements({ provider, of: "foreign", limit: 2, after: page.next ?? "" })
    ids.push(...page.entries.map(({ id }) => id))
    assert.deepStrictEqual(ids, ["f3", "f2", "f1"])
    assert.lengthOf((await paymux.statements.movements({ provider, of: "payouts" })).entries, 1)
    assert.lengthOf((await paymux.statements.movements({ provider, of: "payout", payout: "po_1" })).entries, 4)
    assert.isNull(await paymux.statements.payout({ provider, payout: "po_2" }))
    const whole = await paymux.statements.payout({ provider, payout: "po_1" })
    assert.deepStrictEqual(whole?.parts, [
      { type: "payment", direction: "in", currency: "EUR", count: 3, amount: "3600" }
    ])
    const [run] = (await paymux.statements.runs()).entries
    const listed = await paymux.statements.list()
    assert.deepInclude(
      listed.find((each) => each.provider === provider),
      { hasStatement: true, readUntil: run?.until ?? null, lastRun: run ?? null }
    )
    assert.deepInclude(run, { provider, state: "complete" })
    assert.deepInclude(run?.counts, { foreign: 3, account: 1, differs: 1 })
    assert.isFalse(await paymux.statements.cancel(run?.id ?? 0))
    assert.lengthOf((await paymux.forAccount("default", { mode: "live" }).statements.runs()).entries, 0)
  })

  it("adds the fee, net amount and payout that a later statement has", async () => {
    const [charge] = await shop.booked()
    if (charge === undefined) return assert.fail("no charge")
    const first = { ...charge, id: "p1", type: "payout", direction: "out", fee: null, net: null, payout: null } as const
    const later = { ...first, fee: { ...charge.amount, minorUnits: 0 }, net: charge.amount, payout: "po_7" }
    for (const each of [first, later, { ...first, payout: "po_7" }]) {
      await shop.read([each], { window: { since: 0, until: null } })
    }
    const [entered] = (await paymux.statements.movements({ provider, of: "payout", payout: "po_7" })).entries
    assert.deepInclude(entered, { id: "p1", fee: later.fee, net: later.net })
    assert.isEmpty((await paymux.statements.differences({ provider, kind: "changed_movement" })).entries)
  })

  it("adds up what a payout has added to the balance, also where a fee is above its amount", async () => {
    const [charge] = await shop.booked()
    if (charge === undefined) return assert.fail("no charge")
    const euro = (minorUnits: number) => ({ ...charge.amount, minorUnits })
    const part = { ...charge, operation: null, reference: "ch_9", original: null, payout: "po_9" }
    await shop.read(
      [
        { ...part, id: "n1", amount: euro(500), fee: euro(20), net: euro(480) },
        { ...part, id: "n2", amount: euro(5), fee: euro(35), net: euro(30) },
        { ...part, id: "n3", type: "refund", direction: "out", amount: euro(100), fee: euro(0), net: euro(100) },
        { ...part, id: "n4", type: "fee", direction: "out", amount: euro(7), fee: null, net: euro(7) }
      ],
      { window: { since: 0, until: null } }
    )
    assert.deepInclude(await paymux.statements.payout({ provider, payout: "po_9" }), {
      transfers: [],
      nets: [{ currency: "EUR", amount: "343" }],
      withoutNet: 0
    })
  })

  it("refuses what it does not know", async () => {
    const calls: ReadonlyArray<Promise<unknown>> = [
      paymux.statements.runs({ kind: "x" } as never),
      paymux.statements.runs({ limit: 1001 }),
      paymux.statements.runs({ after: "x" }),
      paymux.statements.differences({ kind: "x" } as never),
      paymux.statements.differences({ state: "x" } as never),
      paymux.statements.differences({ run: 1.5 }),
      paymux.statements.movements({ provider, of: "x" } as never),
      paymux.statements.movements({ provider, of: "payout" }),
      paymux.statements.movements({ provider, of: "foreign", after: "x" }),
      paymux.statements.movements({ provider: "none", of: "foreign" }),
      paymux.statements.payout({ provider } as never),
      paymux.statements.payout({ provider, payout: "po_1", of: "payout" } as never),
      paymux.statements.payout({ provider: "none", payout: "po_1" }),
      paymux.statements.cancel("1" as never)
    ]
    for (const [place, call] of calls.entries()) {
      const refused = await call.then(
        () => false,
        () => true
      )
      assert.isTrue(refused, String(place))
    }
  })
})

describe("a payout with fees that were given back, also above the amount of a refund", () => {
  for (const name of databaseNames) {
    it.effect(`adds up on ${name}`, () =>
      shopOn(name)(async (open) => {
        await open.paymux.payments.create(card)
        const [charge] = await open.booked()
        if (charge === undefined) return assert.fail("no charge")
        const euros = (minorUnits: number) => ({ ...charge.amount, minorUnits })
        const other = { ...charge, operation: null, original: null, payout: "po_1" }
        const refund = { ...other, type: "refund", direction: "out" } as const
        const movements = [
          { ...other, id: "f1", reference: "x_1", amount: euros(1000), fee: euros(-30), net: euros(1030) },
          { ...refund, id: "f2", reference: "x_2", amount: euros(300), fee: euros(-10), net: euros(290) },
          { ...refund, id: "f3", reference: "x_3", amount: euros(300), fee: euros(-350), net: euros(50) },
          { ...other, id: "f4", reference: "x_4", amount: euros(20), fee: euros(30), net: euros(10) },
          { ...refund, id: "f5", reference: "x_5", amount: euros(7), fee: null, net: euros(7) }
        ]
        await open.read(movements, { window: { since: 0, until: null } })
        const { entries } = await open.paymux.statements.movements({ provider, of: "payout", payout: "po_1" })
        assert.deepStrictEqual(
          entries.map(({ fee }) => fee?.minorUnits ?? null),
          [null, 30, -350, -10, -30]
        )
        const payout = await open.paymux.statements.payout({ provider, payout: "po_1" })
        assert.deepStrictEqual(payout?.nets, [{ currency: "EUR", amount: String(1030 - 290 + 50 - 10 - 7) }])
      })
    )
  }
})
