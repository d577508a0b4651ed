/** What the control API says of a payment's routing, and how people simulate its payer in the sandbox. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Role } from "@paymux/dashboard"
import { card } from "../card.ts"
import { ask, controlServer } from "./ControlServer.ts"
import type { ControlServer } from "./ControlServer.ts"
import { liveProvider } from "./liveProvider.ts"

const person = (role: Role) => ({
  id: `usr_${role}`,
  name: `${role}@shop.example`,
  memberships: [{ account: "shop_a", modes: ["test" as const, "live" as const], role }],
  authenticatedAt: Date.now() - 60 * 60_000
})

/** What these tests read of a payment, an explanation or a problem. */
interface Body {
  readonly status: string
  readonly code: string
  readonly simulated: boolean
  readonly explanation: { readonly rules: ReadonlyArray<{ readonly name: string; readonly matches: boolean }> }
}

const pending = {
  amount: 700,
  currency: "INR",
  payment_method: "upi",
  payment_method_details: { upi: { flow: "collect", vpa: "pending@paymux" } },
  customer: card.customer
} as const

const intent = { ...pending, payment_method_details: { upi: { flow: "intent" } } } as const

describe("the payer of a sandbox payment in the control API", () => {
  let server: ControlServer
  const tenant = { account: "shop_a", livemode: false }
  beforeAll(async () => {
    server = await controlServer({
      operator: person("operator"),
      developer: person("developer"),
      viewer: person("viewer")
    })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const answer = async (at: ControlServer, path: string, as: Role, body?: object) => {
    const request = body === undefined ? {} : { method: "POST", body }
    const response = await ask(at, { path: `/dashboard/api/shop_a${path}`, as, ...request })
    // Boundary: see `Body`.
    return { status: response.status, body: (await response.json()) as Body }
  }

  it("is simulated by operators and developers, once, with an entry in the audit log", async () => {
    const { auditLog, payments } = server.of(tenant)
    const [approved, declined, expired] = [
      await payments.create(pending),
      await payments.create(pending),
      await payments.create(pending)
    ]
    assert.isTrue((await answer(server, `/test/payments/${approved.id}`, "viewer")).body.simulated)
    const decide = (id: string, decision: string, as: Role) =>
      answer(server, `/test/payments/${id}/simulate`, as, { decision })

    assert.strictEqual((await decide(approved.id, "approve", "viewer")).status, 403)
    assert.strictEqual((await decide(approved.id, "approve", "operator")).body.status, "succeeded")
    assert.strictEqual((await decide(declined.id, "decline", "developer")).body.status, "failed")
    assert.strictEqual((await decide(expired.id, "expire", "operator")).status, 200)
    assert.strictEqual((await payments.get(approved.id)).status, "succeeded")
    assert.strictEqual((await payments.get(declined.id)).failure?.code, "customer_canceled")
    assert.isFalse((await answer(server, `/test/payments/${approved.id}`, "viewer")).body.simulated)

    const again = await decide(approved.id, "decline", "operator")
    assert.deepStrictEqual([again.status, again.body.code], [409, "operation_not_supported"])
    const { entries } = await auditLog.list({ target: declined.id })
    assert.deepStrictEqual(
      entries.map(({ action, actor, after }) => [action, actor.id, after]),
      [["payment.simulate", "usr_developer", { decision: "decline" }]]
    )
  })

  it("is refused by what it decides, before anything is recorded", async () => {
    const { auditLog, payments } = server.of(tenant)
    const { id } = await payments.create(pending)
    for (const body of [{}, { decision: "refund" }, { decision: "approve", amount: 1 }]) {
      assert.strictEqual((await answer(server, `/test/payments/${id}/simulate`, "operator", body)).status, 400)
    }
    assert.deepStrictEqual((await auditLog.list({ target: id })).entries, [])
    assert.strictEqual((await payments.get(id)).status, "pending")
  })

  it("is real where there is no sandbox", async () => {
    await using live = await controlServer(
      { operator: person("operator") },
      { sandbox: false, providers: [liveProvider], secret: "a secret of a test, with 32 characters", dashboard: {} }
    )
    const { id } = await live.of({ account: "shop_a", livemode: true }).payments.create(intent)
    const shown = await answer(live, `/live/payments/${id}`, "operator")
    assert.isFalse(shown.body.simulated)
    const refused = await answer(live, `/live/payments/${id}/simulate`, "operator", { decision: "approve" })
    assert.deepStrictEqual([refused.status, refused.body.code], [409, "operation_not_supported"])
  })

  it("does not choose its provider: viewers read why the rules did", async () => {
    const { payments, rules } = server.of(tenant)
    const { id } = await payments.create(card)
    const shown = await answer(server, `/test/payments/${id}/routing`, "viewer")
    assert.strictEqual(shown.status, 200)
    assert.deepStrictEqual<unknown>(shown.body, JSON.parse(JSON.stringify(await rules.explain({ paymentId: id }))))
    assert.isTrue(shown.body.explanation.rules.at(-1)?.matches)
  })
})
