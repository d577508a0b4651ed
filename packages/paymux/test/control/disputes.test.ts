/** Disputes over the control API and in a program: recorded, refused, and what they leave to refund. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DisputeRefused } from "@paymux/core/store"
import type { Role } from "@paymux/dashboard"
import { card } from "../card.ts"
import { emptyDatabases } from "../emptyDatabases.ts"
import { report } from "../ProviderReports.ts"
import { ask, controlServer } from "./ControlServer.ts"
import type { ControlServer } from "./ControlServer.ts"

const tenant = { account: "shop_a", livemode: false }

const person = (role: Role, minutesAgo = 0) => ({
  id: `usr_${role}`,
  name: `${role}@shop.example`,
  memberships: [{ account: "shop_a", modes: ["test" as const], role }],
  authenticatedAt: Date.now() - minutesAgo * 60_000
})

const people = { operator: person("operator"), stale: person("operator", 11), viewer: person("viewer") }

const { postgres, sqlite } = await emptyDatabases()
const evidence = "Letter of the acquirer, 3 May, read by A. Rao"

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
])("disputes, on %s", (_, database) => {
  let server: ControlServer
  beforeAll(async () => {
    server = await controlServer(people, { database })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const post = async (
    path: string,
    body: unknown,
    headers: { readonly [name: string]: string },
    as: keyof typeof people = "operator"
  ) => {
    const response = await ask(server, {
      path: `/dashboard/api/shop_a/test/${path}`,
      as,
      method: "POST",
      body,
      headers
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }

  const paid = async () => (await server.of(tenant).payments.create(card)).id
  const versionOf = async (id: string) => (await server.of(tenant).payments.get(id)).version
  const record = async (id: string, body: unknown, as?: keyof typeof people) =>
    post(`payments/${id}/disputes`, body, { "if-match": `"${await versionOf(id)}"` }, as)

  const eventsOf = async (id: string) =>
    (await server.of(tenant).events.list({ paymentId: id })).data.map(({ type }) => type)

  const audited = async (id: string) =>
    (await server.of(tenant).auditLog.list({ target: id })).entries.map(({ action, after, outcome }) => [
      action,
      outcome,
      after
    ])

  it("are recorded by an operator, with an audit entry, and the payment shows them", async () => {
    const id = await paid()
    const opened = await record(id, { status: "open", reference: "dp_1", amount: 500, evidence })
    assert.strictEqual(opened.status, 200)
    const [dispute] = opened.body.payment.disputes
    assert.deepInclude(dispute, { reference: "dp_1", amount: 500, currency: "EUR", status: "open", source: "operator" })
    assert.deepInclude(opened.body.payment, { amount_disputed: 500, amount_captured: 1200 })
    const won = await server.of(tenant).disputes.record(id, { status: "won", reference: "dp_1", evidence })
    assert.notProperty(won.payment, "amount_disputed")
    assert.deepStrictEqual(
      won.payment.disputes?.map(({ amount, status }) => [amount, status]),
      [[500, "won"]]
    )
    assert.includeMembers(await eventsOf(id), ["payment.disputed", "payment.dispute_closed"])
    const after = { status: "open", reference: "dp_1", amount: 500, provider: null }
    assert.deepInclude(await audited(id), ["dispute.record", "requested", after])
    const { items } = await server.of(tenant).payments.timeline(id)
    const said = items.flatMap((item) => (item.kind === "evidence" ? [item.document] : []))
    assert.deepStrictEqual(said, [evidence, evidence])
  })

  it("are refused where the statement cannot be true, with the field, and nothing is written", async () => {
    const id = await paid()
    const version = await versionOf(id)
    const refusals: ReadonlyArray<readonly [object, string]> = [
      [{ status: "open", amount: 1201, evidence }, "/amount"],
      [{ status: "open", amount: 0, evidence }, "/amount"],
      [{ status: "open", currency: "USD", evidence }, "/currency"],
      [{ status: "won", evidence }, "/status"],
      [{ status: "open", evidence: " " }, "/evidence"],
      [{ status: "open", reference: "", evidence }, "/reference"],
      [{ status: "open", provider: "nobody", evidence }, "/provider"],
      [{ status: "draw", evidence }, "/status"]
    ]
    for (const [body, pointer] of refusals) {
      const { body: problem, status } = await record(id, body)
      assert.strictEqual(status, 400, JSON.stringify(body))
      assert.strictEqual(problem.errors[0].pointer, pointer, JSON.stringify(problem))
      assert.isAbove(problem.errors[0].message.length, 10)
    }
    assert.strictEqual((await record(id, { status: "open", evidence }, "viewer")).status, 403)
    assert.strictEqual((await record(id, { status: "open", evidence }, "stale")).body.code, "reauthentication_required")
    assert.strictEqual((await post(`payments/${id}/disputes`, { status: "open", evidence }, {})).status, 428)
    const outdated = await post(
      `payments/${id}/disputes`,
      { status: "open", evidence },
      { "if-match": `"${version - 1}"` }
    )
    assert.deepStrictEqual([outdated.body.code, outdated.body.current.version], ["version_conflict", version])
    assert.strictEqual(
      (await record("pay_none", { status: "open", evidence }).catch(() => ({ status: 404 }))).status,
      404
    )
    const refused = await server
      .of(tenant)
      .disputes.record(id, { status: "open", amount: 1201, evidence })
      .catch((error: unknown) => error)
    if (!(refused instanceof DisputeRefused)) return assert.fail("it was accepted")
    assert.deepStrictEqual([refused.reason, refused.most], ["above_charge", 1200])
    const now = await server.of(tenant).payments.get(id)
    assert.deepStrictEqual([now.version, now.disputes], [version, undefined])
  })

  it("and refunds made elsewhere leave less to refund; an operator may override with evidence, which is kept", async () => {
    const id = await paid()
    await report(database, id, (amount) => ({
      _tag: "RefundSucceeded",
      amount: { ...amount, minorUnits: 100 },
      reference: "re_dashboard"
    }))
    await report(database, id, (amount) => ({
      _tag: "Disputed",
      amount: { ...amount, minorUnits: 700 },
      reference: "dp_1"
    }))
    const version = await versionOf(id)
    const refund = (body: object, key: string) =>
      post(`payments/${id}/refunds`, body, { "if-match": `"${version}"`, "idempotency-key": key })
    const { body, status } = await refund({ amount: 401 }, "a")
    assert.deepStrictEqual([status, body.code], [409, "refund_exceeds_available"])
    assert.deepStrictEqual(body.refundable, {
      captured: 1200,
      refunded: 0,
      pending: 0,
      refunded_elsewhere: 100,
      disputed: 700,
      available: 400
    })
    assert.include(body.detail, "At most 400 can be refunded")
    assert.strictEqual(await versionOf(id), version, "nothing was written")
    for (const override of ["", "\n ", "x".repeat(10_001)]) {
      assert.strictEqual((await refund({ amount: 401, override }, "b")).body.errors[0].pointer, "/override")
    }
    const read = await ask(server, { path: `/dashboard/api/shop_a/test/payments/${id}`, as: "operator" })
    const { actions } = JSON.parse(await read.text())
    assert.deepStrictEqual(
      actions.find(({ kind }: { readonly kind: string }) => kind === "refund"),
      {
        kind: "refund",
        amount: 400,
        partial: true,
        refusal: null,
        override: {
          amount: 1200,
          partial: true,
          refundable: { captured: 1200, refunded: 0, pending: 0, refundedElsewhere: 100, disputed: 700, available: 400 }
        }
      }
    )
    const done = await refund({ amount: 401, override: evidence }, "c")
    assert.deepStrictEqual([done.status, done.body.amount], [201, 401])
    const { items } = await server.of(tenant).payments.timeline(id)
    assert.deepInclude(
      items.flatMap((item) => (item.kind === "evidence" ? [[item.outcome, item.document]] : [])),
      ["refund_override", evidence]
    )
    assert.deepInclude(await audited(id), ["payment.refund", "requested", { amount: 401, override: true }])
    // What the payment itself has left is no matter of evidence.
    const most = await server
      .of(tenant)
      .refunds.create(id, { amount: 800, override: evidence })
      .catch((error: { readonly reason?: { readonly _tag: string } }) => error.reason?._tag)
    assert.strictEqual(most, "InvalidPayment")
  })
})
