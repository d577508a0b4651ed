/** Unmatched reports over the control API: for people of every account, matched once, dismissed, and refused. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Identity } from "@paymux/dashboard"
import { setTimeout } from "node:timers/promises"
import { emptyDatabases } from "../emptyDatabases.ts"
import { card } from "../card.ts"
import { reportLost } from "../ProviderReports.ts"
import { ask, controlServer } from "./ControlServer.ts"
import type { ControlServer } from "./ControlServer.ts"

const tenant = { account: "shop_a", livemode: false }
const modes = ["test" as const, "live" as const]

const person = (id: string, memberships: Identity["memberships"], minutesAgo = 0) => ({
  id,
  name: `${id}@pay.example`,
  memberships,
  authenticatedAt: Date.now() - minutesAgo * 60_000
})

const everywhere = { account: null, modes, role: "operator" as const }

const people = {
  operator: person("operator", [everywhere]),
  stale: person("stale", [everywhere], 11),
  viewer: person("viewer", [{ ...everywhere, role: "viewer" }]),
  owner_of_one: person("owner_of_one", [{ account: "shop_a", modes, role: "owner" }]),
  but_for_one: person("but_for_one", [everywhere, { account: "shop_b", modes, role: "viewer" }])
}

const { postgres, sqlite } = await emptyDatabases()

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
])("unmatched reports over the control API, on %s", (_, database) => {
  let server: ControlServer
  beforeAll(async () => {
    server = await controlServer(people, { database })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  interface Asked {
    readonly as?: keyof typeof people
    readonly body?: unknown
  }

  const answer = async (path: string, { as = "operator", body }: Asked = {}) => {
    const response = await ask(server, {
      path: `/dashboard/api/${path}`,
      as,
      ...(body !== undefined && { method: "POST", body })
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }

  const own = "shop_a/test/reports"

  const lost = async (event: string, currency = "EUR"): Promise<string> => {
    await reportLost(database, event, { currency })
    const { data: reports } = await server.of(tenant).reports.list({ limit: 1000 })
    return reports.find((report) => report.event === event)?.id ?? assert.fail(event)
  }

  const audited = async (id: string) =>
    (await server.of(tenant).auditLog.list({ target: id })).entries.map(({ action, actor, outcome }) => [
      action,
      outcome,
      actor.id
    ])

  it("are listed and shown as by the library, by mode", async () => {
    const id = await lost("evt_shown")
    const { reports } = server.of(tenant)
    const page = await reports.list({ statuses: ["parked"], provider: "sandbox_card_a", kind: "succeeded", limit: 1 })
    assert.deepStrictEqual(
      (await answer(`${own}?statuses=parked&provider=sandbox_card_a&kind=succeeded&limit=1`, { as: "viewer" })).body,
      { data: page.data, next: page.next }
    )
    assert.deepStrictEqual((await answer(`${own}/${id}`, { as: "viewer" })).body, await reports.get(id))
    assert.deepStrictEqual((await answer("shop_a/live/reports")).body, { data: [], next: null })
    assert.strictEqual((await answer(`shop_a/live/reports/${id}`)).status, 404)
  })

  it("are for people with the role in every account, and changed by operators alone", async () => {
    const id = await lost("evt_guarded")
    const { id: paymentId } = await server.of(tenant).payments.create(card)
    const match = { path: `${own}/${id}/match`, body: { paymentId } }
    const dismiss = { path: `${own}/${id}/dismiss`, body: { note: "x" } }
    const refusals: ReadonlyArray<readonly [keyof typeof people, { path: string; body?: object }, string]> = [
      ["owner_of_one", { path: own }, "forbidden"],
      ["owner_of_one", { path: `${own}/${id}` }, "forbidden"],
      ["owner_of_one", match, "forbidden"],
      ["owner_of_one", dismiss, "forbidden"],
      ["but_for_one", match, "forbidden"],
      ["but_for_one", dismiss, "forbidden"],
      ["viewer", match, "forbidden"],
      ["viewer", dismiss, "forbidden"],
      ["stale", match, "reauthentication_required"]
    ]
    for (const [as, { body, path }, code] of refusals) {
      const refused = await answer(path, { as, ...(body !== undefined && { body }) })
      assert.deepStrictEqual([refused.status, refused.body.code], [403, code], `${as} ${path}`)
    }
    const one = await answer(own, { as: "owner_of_one" })
    const none = await answer(`${own}/rpt_0`, { as: "owner_of_one" })
    assert.deepStrictEqual([one.body.detail, none.status], ["This requires a role in every account.", 403])
    assert.strictEqual((await answer(own, { as: "but_for_one" })).status, 200)
    assert.deepStrictEqual(await audited(id), [])
    assert.deepInclude(await server.of(tenant).reports.get(id), { status: "parked" })
  })

  it("bring their money to the matched payment once", async () => {
    const id = await lost("evt_matched")
    const { id: paymentId } = await server.of(tenant).payments.create({
      ...card,
      payment_method_details: { card: { token: "tok_declined" } }
    })
    const click = () => answer(`${own}/${id}/match`, { body: { paymentId } })
    const answers = await Promise.all([click(), click()])
    const done = answers.find(({ status }) => status === 200) ?? assert.fail("none was accepted")
    const refused = answers.find(({ status }) => status === 409) ?? assert.fail("none was refused")
    assert.deepInclude(done.body, { status: "matched", paymentId, isApplied: false })
    assert.deepInclude(refused.body, { code: "conflict" })
    assert.deepInclude(refused.body.current, { id, status: "matched", paymentId })
    // The engine is about to apply it.
    while (!(await answer(`${own}/${id}`)).body.isApplied) await setTimeout(20)
    const payment = await server.of(tenant).payments.get(paymentId)
    assert.deepStrictEqual(
      [payment.status, payment.amount_captured, payment.overpayment],
      ["succeeded", 1200, undefined]
    )
    assert.deepStrictEqual(await audited(id), [["report.match", "done", "operator"]])
  })

  it("are kept when they are dismissed, and can be matched then", async () => {
    const id = await lost("evt_dismissed")
    const dismissed = await answer(`${own}/${id}/dismiss`, { as: "stale", body: { note: "the old shop" } })
    assert.deepInclude(dismissed.body, { status: "dismissed", note: "the old shop" })
    const again = await answer(`${own}/${id}/dismiss`, { body: { note: "x" } })
    assert.deepStrictEqual([again.status, again.body.current], [409, dismissed.body])
    const { id: paymentId } = await server.of(tenant).payments.create(card)
    assert.strictEqual((await answer(`${own}/${id}/match`, { body: { paymentId } })).status, 200)
  })

  it("refuse a decision and a query that make no sense, at the place of the fault", async () => {
    const yen = await lost("evt_yen", "JPY")
    const { id: paymentId } = await server.of(tenant).payments.create(card)
    const { id: foreign } = await server.of({ ...tenant, account: "shop_b" }).payments.create(card)
    const refusals: ReadonlyArray<readonly [string, object, string]> = [
      ["match", {}, "/paymentId"],
      ["match", { paymentId: 5 }, "/paymentId"],
      ["match", { paymentId: "pay_1" }, "/paymentId"],
      ["match", { paymentId: foreign }, "/paymentId"],
      ["match", { paymentId }, "/paymentId"],
      ["match", { paymentId, operationId: "op_1" }, "/operationId"],
      ["match", { paymentId, operationId: "\u0000" }, "/operationId"],
      ["match", { paymentId, note: "x" }, "/note"],
      ["dismiss", {}, "/note"],
      ["dismiss", { note: " " }, "/note"],
      ["dismiss", { note: "a\u0000b" }, "/note"],
      ["dismiss", { note: "x".repeat(1001) }, "/note"]
    ]
    for (const [action, body, pointer] of refusals) {
      const refused = await answer(`${own}/${yen}/${action}`, { body })
      assert.deepStrictEqual([refused.status, refused.body.errors?.[0].pointer], [400, pointer], JSON.stringify(body))
    }
    for (const action of ["match", "dismiss"]) {
      const missing = await answer(`${own}/rpt_0/${action}`, {
        body: action === "match" ? { paymentId } : { note: "x" }
      })
      assert.deepStrictEqual([missing.status, missing.body.code], [404, "not_found"])
    }
    for (const query of ["statuses=x", "statuses=", "after=x", "limit=1001", "from=-1", "kind=%00"]) {
      const refused = await answer(`${own}?${query}`)
      assert.deepStrictEqual([refused.status, refused.body.code], [400, "invalid_request"], query)
    }
    assert.deepStrictEqual(await audited(yen), [])
  })
})
