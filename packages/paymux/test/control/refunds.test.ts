/** Refunds in the control API: listed as the library lists them, and made once, in the account and mode of the address. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { RefundJson } from "@paymux/core/wire"
import { card } from "../card.ts"
import { ask, controlServer } from "./ControlServer.ts"
import type { Ask, ControlServer } from "./ControlServer.ts"

const test = { account: "shop_a", livemode: false }
const live = { account: "shop_a", livemode: true }
const person = (role: "operator" | "developer" | "viewer", authenticatedAt: number) => ({
  id: `usr_${role}`,
  name: `${role}@shop.example`,
  memberships: [{ account: "shop_a", modes: ["test" as const, "live" as const], role }],
  authenticatedAt
})

interface Body extends RefundJson {
  readonly data: ReadonlyArray<RefundJson>
  readonly next: string | null
  readonly code: string
  readonly errors: ReadonlyArray<{ readonly pointer: string }>
}

describe("refunds in the control API", () => {
  let server: ControlServer
  beforeAll(async () => {
    server = await controlServer({
      operator: person("operator", Date.now()),
      stale: person("operator", Date.now() - 11 * 60_000),
      developer: person("developer", Date.now()),
      viewer: person("viewer", Date.now())
    })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const answer = async (path: string, asked: Partial<Ask> = {}) => {
    const response = await ask(server, { path: `/dashboard/api/shop_a/${path}`, as: "operator", ...asked })
    const text = await response.text()
    // Boundary: what this test reads of a page, a refund or a problem.
    return { status: response.status, text, body: JSON.parse(text) as Body }
  }

  /** For the version that the payment is at. */
  const refund = async (
    mode: "test" | "live",
    payment: string,
    key: string,
    body: unknown = {},
    asked: Partial<Ask> = {}
  ) => {
    const { version } = await server.of(test).payments.get(payment)
    return answer(`${mode}/payments/${payment}/refunds`, {
      method: "POST",
      body,
      headers: { "idempotency-key": key, "if-match": `"${version}"` },
      ...asked
    })
  }

  it("are listed by every filter and page, and shown, as the library has them", async () => {
    const { payments, refunds } = server.of(test)
    const paid = [await payments.create(card), await payments.create(card)]
    for (const { id } of paid) await refunds.create(id, { amount: 450, reason: "one item came back" })
    const all = await refunds.search({ limit: 1000 })
    assert.deepStrictEqual<unknown>((await answer("test/refunds")).body, { data: all.data, next: null })
    const first = await answer("test/refunds?limit=1")
    const others = await answer(`test/refunds?after=${first.body.next}`)
    assert.deepStrictEqual([...first.body.data, ...others.body.data], all.data)
    const [one] = paid
    const queries: ReadonlyArray<readonly [string, Parameters<typeof refunds.search>[0]]> = [
      ["statuses=succeeded&statuses=failed", { statuses: ["succeeded", "failed"] }],
      ["statuses=failed", { statuses: ["failed"] }],
      [`paymentId=${one?.id}`, { paymentId: one?.id ?? "" }],
      [`provider=${one?.provider}`, { provider: one?.provider ?? "" }],
      ["provider=none", { provider: "none" }],
      ["from=1&until=2", { from: 1, until: 2 }]
    ]
    for (const [query, parameters] of queries) {
      const { body } = await answer(`test/refunds?${query}`)
      assert.deepStrictEqual(body.data, (await refunds.search(parameters)).data, query)
    }
    for (const { id } of all.data) {
      assert.deepStrictEqual<unknown>((await answer(`test/refunds/${id}`)).body, await refunds.get(id))
    }
    assert.deepStrictEqual((await answer("live/refunds")).body.data, [])
  })

  it.each([
    ["statuses=done", "statuses"],
    ["status=failed", "status"],
    ["paymentId=", "paymentId"],
    ["limit=0", "limit"],
    ["from=-1", "from"],
    ["after=x", "after"]
  ])("refuse the filter %s by its name", async (query, name) => {
    const { body, status } = await answer(`test/refunds?${query}`)
    assert.deepStrictEqual([status, body.code], [400, "invalid_request"])
    assert.strictEqual(body.errors[0]?.pointer.split("/")[0], name)
  })

  it("two equal requests with one key at the same time refund once", async () => {
    const { id } = await server.of(test).payments.create(card)
    const twice = await Promise.all([1, 2].map(() => refund("test", id, "double-click", { amount: 500 })))
    const refunded = twice.filter(({ status }) => status === 201)
    assert.isNotEmpty(refunded)
    for (const { body, status } of twice) if (status !== 201) assert.strictEqual(body.code, "idempotency_in_flight")
    const again = await refund("test", id, "double-click", { amount: 500 })
    assert.deepStrictEqual([again.status, again.text], [201, refunded[0]?.text])
    assert.lengthOf((await server.of(test).refunds.list(id)).data, 1)
    assert.strictEqual((await server.of(test).payments.get(id)).amount_refunded, 500)
    const other = await refund("test", id, "another-click", { amount: 500 })
    assert.strictEqual(other.status, 201)
    const tooMuch = await refund("test", id, "third-click", { amount: 201 })
    assert.deepStrictEqual([tooMuch.status, tooMuch.body.errors[0]?.pointer], [400, "/amount"])
  })

  it("a key of /v1 is not a key of the dashboard", async () => {
    const { payments, refunds } = server.of(test)
    const { id } = await payments.create(card)
    await refunds.create(id, { amount: 100 }, { idempotencyKey: "same" })
    assert.strictEqual((await refund("test", id, "same", { amount: 100 })).status, 201)
    assert.strictEqual((await payments.get(id)).amount_refunded, 200)
  })

  it("a refund from a test tab while another tab is live stays in test", async () => {
    const inTest = await server.of(test).payments.create(card)
    const before = await server.of(live).payments.list()
    const missing = `${inTest.id.slice(0, -3)}${inTest.id.endsWith("000") ? "111" : "000"}`
    const withoutId = (text: string) => text.replace(/"request_id":"[^"]*"/, "")
    const steps = await Promise.all([
      answer("live/refunds"),
      refund("test", inTest.id, "tab-1", { amount: 300 }),
      answer("live/payments"),
      refund("live", inTest.id, "tab-1", { amount: 300 })
    ])
    assert.deepStrictEqual(
      steps.map(({ status }) => status),
      [200, 201, 200, 404]
    )
    assert.deepStrictEqual([steps[1]?.body.livemode, steps[1]?.body.payment], [false, inTest.id])
    for (const act of ["refunds", "capture", "cancel"]) {
      const post = { method: "POST", body: {}, headers: { "idempotency-key": "tab-2", "if-match": '"1"' } }
      const foreign = await answer(`live/payments/${inTest.id}/${act}`, post)
      const none = await answer(`live/payments/${missing}/${act}`, post)
      assert.strictEqual(foreign.status, 404)
      assert.strictEqual(withoutId(foreign.text), withoutId(none.text))
    }
    const foreign = await answer(`live/payments/${inTest.id}`)
    assert.strictEqual(withoutId(foreign.text), withoutId((await answer(`live/payments/${missing}`)).text))
    assert.deepStrictEqual(await server.of(live).payments.list(), before)
    assert.deepStrictEqual((await server.of(live).refunds.search()).data, [])
    assert.strictEqual((await server.of(test).payments.get(inTest.id)).amount_refunded, 300)
  })

  it("are made by operators who signed in recently, and recorded without the reason", async () => {
    const { id } = await server.of(test).payments.create(card)
    for (const [as, code] of [
      ["viewer", "forbidden"],
      ["developer", "forbidden"],
      ["stale", "reauthentication_required"]
    ] as const) {
      const refused = await refund("test", id, "role-1", {}, { as })
      assert.deepStrictEqual([refused.status, refused.body.code], [403, code])
    }
    const made = await refund("test", id, "role-1", { reason: "Asha asked" })
    assert.deepInclude(made.body, { status: "succeeded", amount: 1200, reason: "Asha asked" })
    const { entries } = await server.of(test).auditLog.list({ target: id })
    assert.deepStrictEqual(
      entries.map(({ action, actor, after }) => [action, actor.id, after]),
      [["payment.refund", "usr_operator", { amount: null }]]
    )
  })
})
