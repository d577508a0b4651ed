/** Providers' statements over the control API: for people of every account, by mode, page by page, and refused. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { misconfigured } from "@paymux/core"
import type { StatementMovement } from "@paymux/core/statement"
import type { Identity } from "@paymux/dashboard"
import { Statements } from "@paymux/sql"
import { setTimeout } from "node:timers/promises"
import { card } from "../card.ts"
import { emptyDatabases } from "../emptyDatabases.ts"
import { provider, statementsOf } from "../statements/Shop.ts"
import { ask, controlServer } from "./ControlServer.ts"
import type { ControlServer } from "./ControlServer.ts"
import { liveProvider } from "./liveProvider.ts"

const tenant = { account: "shop_a", livemode: false }
const modes = ["test" as const, "live" as const]

const person = (id: string, memberships: Identity["memberships"]) => ({
  id,
  name: `${id}@pay.example`,
  memberships,
  authenticatedAt: Date.now()
})

const people = {
  viewer: person("viewer", [{ account: null, modes, role: "viewer" }]),
  tester: person("tester", [{ account: null, modes: ["test"], role: "owner" }]),
  owner_of_one: person("owner_of_one", [{ account: "shop_a", modes, role: "owner" }])
}

const payout = "po_1/2 ü"
const { folder, postgres, sqlite } = await emptyDatabases()

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
])("statements over the control API, on %s", (_, database) => {
  const statements = statementsOf(database)
  let server: ControlServer
  let payments: { readonly [name in "missing" | "paidOut" | "ofOther"]: string }

  beforeAll(async () => {
    server = await controlServer(people, { database })
    const create = async (account: string, amount: number) =>
      (await server.of({ ...tenant, account }).payments.create({ ...card, amount })).id
    payments = {
      missing: await create("shop_a", 1200),
      paidOut: await create("shop_a", 1300),
      ofOther: await create("shop_b", 1400)
    }
    await setTimeout(20)
    await plant()
    for (const account of ["shop_a", "shop_b"]) {
      while ((await server.of({ ...tenant, account }).reviews.list()).data.length === 0) await setTimeout(20)
    }
  })
  afterAll(() => server[Symbol.asyncDispose]())

  /** One charge is not booked, one is in a payout, and one of another account is booked with less, in the payout too. */
  const plant = async () => {
    const booked = await statements.booked()
    const of = (amount: number) => booked.find((each) => each.amount.minorUnits === amount) ?? assert.fail("no charge")
    const [paidOut, ofOther] = [of(1300), of(1400)]
    const foreign: StatementMovement = { ...paidOut, operation: null, reference: "ch_1", original: null }
    const transfer = { ...foreign, type: "payout", direction: "out", reference: null, fee: null, payout } as const
    const all: ReadonlyArray<StatementMovement> = [
      { ...paidOut, payout },
      { ...ofOther, amount: { ...ofOther.amount, minorUnits: 1000 }, fee: null, net: null, payout },
      { ...foreign, id: "refund", type: "refund", direction: "out", net: foreign.amount, fee: null, payout },
      { ...transfer, id: "transfer", net: { ...foreign.amount, minorUnits: 7 } },
      { ...transfer, id: "unnamed", payout: null },
      ...[1, 2].map((n) => ({ ...foreign, id: `f${n}` }))
    ]
    await statements.read(all, { window: { since: 0, until: null } })
    await statements.refused(misconfigured("the key was revoked"))
  }

  const answer = async (path: string, { as = "viewer", mode = "test" } = {}) => {
    const response = await ask(server, { path: `/dashboard/api/shop_a/${mode}/statements${path}`, as })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }

  const library = () => server.of(tenant).statements
  const payoutPath = `/${provider}/payout?payout=${encodeURIComponent(payout)}`

  it("show up to when each was read, and how the last run ended", async () => {
    const { body } = await answer("")
    assert.deepStrictEqual(body, { data: await library().list() })
    type Listed = Awaited<ReturnType<ReturnType<typeof library>["list"]>>[number]
    const shown: ReadonlyArray<Listed> = body.data
    const others = shown.filter((each) => each.provider !== provider)
    const [failed, complete] = (await library().runs()).entries
    const expected = { provider, hasStatement: true, readUntil: complete?.until ?? null, lastRun: failed ?? null }
    assert.deepInclude(shown, expected)
    assert.strictEqual(failed?.state, "failed")
    assert.match(failed?.problem ?? "", /the key was revoked/)
    assert.isNotEmpty(others)
    for (const { lastRun, readUntil } of others) assert.deepStrictEqual([lastRun, readUntil], [null, null])
  })

  it("list runs, page by page", async () => {
    const { entries } = await library().runs()
    const first = await answer(`/runs?provider=${provider}&limit=1`)
    const second = await answer(`/runs?limit=1&after=${first.body.next}`)
    assert.deepStrictEqual([...first.body.data, ...second.body.data], entries)
    assert.isNull(second.body.next)
    assert.deepStrictEqual((await answer("/runs?provider=acme")).body, { data: [], next: null })
  })

  it("list differences with the account and review of the payment, by provider, kind, state and run", async () => {
    const { entries } = await library().differences()
    const { body } = await answer("/differences")
    assert.deepStrictEqual(body, { data: entries, next: null })
    const shown: ReadonlyArray<ReadonlyArray<unknown>> = entries.map(({ account, isInReview, kind, paymentId }) => [
      kind,
      paymentId,
      account,
      isInReview
    ])
    assert.sameDeepMembers(
      [...shown],
      [
        ["missing_there", payments.missing, "shop_a", true],
        ["other_amount", payments.ofOther, "shop_b", true]
      ]
    )
    const run = entries[0]?.run
    for (const [query, kinds] of [
      ["provider=acme", []],
      [`provider=${provider}&kind=other_amount`, ["other_amount"]],
      ["state=resolved", []],
      ["state=open&kind=missing_there", ["missing_there"]],
      [`run=${run}&kind=missing_there`, ["missing_there"]],
      ["run=999999", []]
    ] as const) {
      const found = (await answer(`/differences?${query}`)).body.data
      const kindsFound = found.map(({ kind }: { readonly kind: string }) => kind)
      assert.deepStrictEqual(kindsFound, [...kinds], query)
    }
    const first = await answer("/differences?limit=1")
    const second = await answer(`/differences?limit=1&after=${first.body.next}`)
    assert.deepStrictEqual([...first.body.data, ...second.body.data], entries)
    assert.isNull(second.body.next)
  })

  it("list payouts, what one consists of, and movements of other systems", async () => {
    for (const [of, ids] of [
      ["payouts", ["transfer", "unnamed"]],
      ["foreign", ["f1", "f2", "refund"]]
    ] as const) {
      const { entries, next } = await library().movements({ provider, of })
      assert.deepStrictEqual((await answer(`/${provider}/movements?of=${of}`)).body, { data: entries, next })
      assert.deepStrictEqual(entries.map(({ id }) => id).toSorted(), [...ids])
    }
    const first = await library().movements({ provider, of: "payout", payout, limit: 2 })
    const ofPayout = `/${provider}/movements?of=payout&payout=${encodeURIComponent(payout)}`
    const { body } = await answer(`${ofPayout}&limit=2`)
    assert.deepStrictEqual(body, { data: first.entries, next: first.next })
    const rest = (await answer(`${ofPayout}&after=${first.next}`)).body
    assert.isNull(rest.next)
    const whole = [...body.data, ...rest.data]
    const paid = whole.filter(({ paymentId }: { readonly paymentId: string | null }) => paymentId !== null)
    assert.sameDeepMembers(
      paid.map(({ account, paymentId }: StatementMovement & { account: string; paymentId: string }) => [
        paymentId,
        account
      ]),
      [
        [payments.paidOut, "shop_a"],
        [payments.ofOther, "shop_b"]
      ]
    )
  })

  it("show a payout with its transfer and the sums of its parts", async () => {
    const { body } = await answer(payoutPath)
    assert.deepStrictEqual(body, await library().payout({ provider, payout }))
    const { transfers, ...sums } = body
    assert.deepStrictEqual(
      transfers.map(({ id }: { readonly id: string }) => id),
      ["transfer"]
    )
    const fee = Math.floor(1300 / 50)
    assert.deepStrictEqual(sums, {
      id: payout,
      provider,
      parts: [
        { type: "payment", direction: "in", currency: "EUR", count: 2, amount: "2300" },
        { type: "refund", direction: "out", currency: "EUR", count: 1, amount: "1300" }
      ],
      nets: [{ currency: "EUR", amount: String(1300 - fee - 1300) }],
      withoutNet: 1
    })
  })

  it("are for people with a role in every account, each in their modes", async () => {
    const paths = [
      "",
      "/runs",
      "/differences",
      `/${provider}/movements?of=foreign`,
      payoutPath,
      "/acme/movements?of=foreign"
    ]
    for (const path of paths) {
      const refused = await answer(path, { as: "owner_of_one" })
      assert.deepStrictEqual(
        [refused.status, refused.body.code, refused.body.detail],
        [403, "forbidden", "This requires a role in every account."],
        path
      )
      assert.strictEqual((await answer(path, { as: "tester", mode: "live" })).status, 404, path)
    }
    assert.strictEqual((await answer("", { as: "tester" })).status, 200)
  })

  it("show nothing of test mode in live mode", async () => {
    assert.deepStrictEqual((await answer("", { mode: "live" })).body, { data: [] })
    for (const path of ["/runs", "/differences"]) {
      assert.deepStrictEqual((await answer(path, { mode: "live" })).body, { data: [], next: null })
    }
    for (const path of [`/${provider}/movements?of=foreign`, payoutPath]) {
      const refused = await answer(path, { mode: "live" })
      assert.deepStrictEqual([refused.status, refused.body.detail], [404, "There is no such provider in this mode."])
    }
  })

  it("refuse what does not exist, and a query that makes no sense, at its place", async () => {
    for (const path of ["/acme/movements?of=payouts", "/acme/payout?payout=x", `/${provider}/payout?payout=po_none`]) {
      const refused = await answer(path)
      assert.deepStrictEqual([refused.status, refused.body.code], [404, "not_found"], path)
    }
    const runs = await answer("/runs?limit=1")
    for (const [path, pointer] of [
      ["/runs?after=x", "after"],
      ["/runs?limit=1001", "limit"],
      ["/runs?kind=wrong_fee", "kind"],
      ["/differences?after=x", "after"],
      ["/differences?kind=other", "kind"],
      ["/differences?state=closed", "state"],
      ["/differences?run=0", "run"],
      ["/differences?run=1.5", "run"],
      [`/${provider}/payout`, "payout"],
      [`/${provider}/payout?payout=`, "payout"],
      [`/${provider}/movements`, "of"],
      [`/${provider}/movements?of=all`, "of"],
      [`/${provider}/movements?of=payout`, "payout"],
      [`/${provider}/movements?of=payouts&payout=x`, "payout"],
      // Of another list.
      [`/${provider}/movements?of=foreign&after=${runs.body.next}`, "after"]
    ]) {
      const refused = await answer(path ?? "")
      assert.deepStrictEqual([refused.status, refused.body.errors?.[0].pointer], [400, pointer], path)
    }
  })

  it("resolve a difference if a later statement has what was missing", async () => {
    const booked = await statements.booked()
    const late = booked.filter(({ amount }) => amount.minorUnits === 1200)
    await statements.read(late, { window: { since: 1, until: null } })
    const { data } = (await answer("/differences?state=resolved")).body
    assert.deepStrictEqual(
      data.map(({ kind, paymentId }: { readonly kind: string; readonly paymentId: string }) => [kind, paymentId]),
      [["missing_there", payments.missing]]
    )
    assert.isNumber(data[0].resolvedAt)
    assert.deepStrictEqual((await answer("/differences?state=open&kind=missing_there")).body.data, [])
  })
})

it("the list of statements has a provider that was read from a file, and none without a run", async () => {
  const database = `sqlite:${folder}/file.db`
  const secret = "a secret of a test, with 32 characters"
  await using server = await controlServer(people, {
    database,
    secret,
    sandbox: false,
    providers: [liveProvider],
    dashboard: {}
  })
  const list = async (mode: string) => {
    const response = await ask(server, { path: `/dashboard/api/shop_a/${mode}/statements`, as: "viewer" })
    return JSON.parse(await response.text()).data
  }
  assert.deepStrictEqual(await list("live"), [])
  const file = { provider: "acme", livemode: true, source: "file:report.csv", since: 5, until: 5 }
  const run = await statementsOf(database).run(Statements.use((statements) => statements.begin(file)))
  assert.deepStrictEqual(await list("live"), [{ provider: "acme", hasStatement: false, readUntil: null, lastRun: run }])
  assert.deepStrictEqual(await list("test"), [])
})
