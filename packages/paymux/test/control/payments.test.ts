/** Payments in the control API: found as the library finds them, and changed by people, once for each key. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { PaymentJson } from "@paymux/core/wire"
import { controlApiDocument, controlEndpoints } from "@paymux/dashboard"
import { card } from "../card.ts"
import { ask, controlServer } from "./ControlServer.ts"
import type { Ask, ControlServer } from "./ControlServer.ts"

const tenant = { account: "shop_a", livemode: false }
const person = (role: "operator" | "viewer") => ({
  id: `usr_${role}`,
  name: `${role}@shop.example`,
  memberships: [{ account: "shop_a", modes: ["test" as const, "live" as const], role }],
  authenticatedAt: Date.now()
})

interface Body {
  readonly data: ReadonlyArray<PaymentJson>
  readonly next: string | null
  readonly payment: PaymentJson
  readonly version: number
  readonly balance: { readonly [name: string]: unknown }
  readonly actions: ReadonlyArray<{ readonly kind: string; readonly amount: number | null; readonly refusal: string }>
  readonly current: { readonly payment: PaymentJson; readonly version: number; readonly actions: unknown }
  readonly id: string
  readonly status: string
  readonly code: string
  readonly detail: string
  readonly errors: ReadonlyArray<{ readonly pointer: string; readonly message: string }>
}

describe("payments in the control API", () => {
  let server: ControlServer
  beforeAll(async () => {
    const colleague = { ...person("operator"), id: "usr_colleague", name: "colleague@shop.example" }
    server = await controlServer({ operator: person("operator"), viewer: person("viewer"), colleague })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const answer = async (path: string, asked: Partial<Ask> = {}) => {
    const response = await ask(server, { path: `/dashboard/api/shop_a/test${path}`, as: "operator", ...asked })
    // Boundary: what this test reads of a page, a payment or a problem.
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
  }

  /** For the version that the payment is at. */
  const change = async (path: string, key: string | null, body: unknown = {}, asked: Partial<Ask> = {}) => {
    const etag = (await answer(path.slice(0, path.lastIndexOf("/")))).headers.get("etag") ?? '"1"'
    const headers = { "if-match": etag, ...(key !== null && { "idempotency-key": key }) }
    return answer(path, { method: "POST", body, headers, ...asked })
  }

  const held = () => server.of(tenant).payments.create({ ...card, capture_method: "manual" })

  it("are listed by every filter and page as the library lists them", async () => {
    const { payments } = server.of({ ...tenant, account: "shop_a" })
    const paid = await payments.create({
      ...card,
      customer: { ...card.customer, email: "filters@example.com" },
      metadata: { order_id: "1 = one", channel: "web" }
    })
    const failed = await payments.create({
      ...card,
      amount: 4_999,
      payment_method_details: { card: { token: "tok_insufficient_funds", fingerprint: "fp_1" } }
    })
    await payments.create({ amount: 700, currency: "INR", payment_method: "upi", customer: card.customer })
    await held()
    const reference = paid.attempts[0]?.reference ?? assert.fail("the sandbox has references")
    const all = await payments.list({ limit: 100 })
    const ids = (page: ReadonlyArray<PaymentJson>) => page.map(({ id }) => id)
    assert.deepStrictEqual<unknown>((await answer("/payments?limit=100")).body, { data: all.data, next: null })

    const first = await answer("/payments?limit=1")
    const others = await answer(`/payments?limit=100&after=${first.body.next}`)
    assert.deepStrictEqual([...first.body.data, ...others.body.data], all.data)

    const filters: ReadonlyArray<readonly [string, Parameters<typeof payments.list>[0]]> = [
      ["status=failed&status=authorized", { status: ["failed", "authorized"] }],
      ["paymentMethod=upi", { payment_method: "upi" }],
      ["currency=INR", { currency: "INR" }],
      [`provider=${paid.provider}`, { provider: paid.provider }],
      ["customerEmail=filters%40example.com", { customer_email: "filters@example.com" }],
      [`providerReference=${reference}&providerReference=pi_x`, { provider_reference: [reference, "pi_x"] }],
      ["failureCode=insufficient_funds", { failure_code: "insufficient_funds" }],
      ["cardFingerprint=fp_1", { card_fingerprint: "fp_1" }],
      ["currency=EUR&amountMin=4999&amountMax=4999", { currency: "EUR", amount_min: 4_999, amount_max: 4_999 }],
      [
        `metadata=${encodeURIComponent("order_id=1 = one")}&metadata=channel=web`,
        { metadata: { order_id: "1 = one", channel: "web" } }
      ],
      ["metadata=order_id%3D2", { metadata: { order_id: "2" } }],
      [`until=${Date.parse(failed.created_at)}`, { created_before: failed.created_at }],
      [`from=${Date.parse(failed.created_at) + 1}`, { created_after: failed.created_at }],
      ["from=0&until=8640000000000000", {}],
      ["from=8640000000000000", { created_after: "9999-12-31T23:59:59Z" }]
    ]
    for (const [query, parameters] of filters) {
      const expected = await payments.list({ limit: 100, ...parameters })
      const { body, status } = await answer(`/payments?limit=100&${query}`)
      assert.strictEqual(status, 200, query)
      assert.deepStrictEqual(ids(body.data), ids(expected.data), query)
      if (query !== "metadata=order_id%3D2" && !query.startsWith("from=8")) assert.isNotEmpty(body.data, query)
    }
    assert.deepStrictEqual((await answer("/payments?inReview=true")).body.data, [])
    for (const mode of ["live", "test"]) {
      const path = `/dashboard/api/shop_a/${mode}/payments?after=${first.body.next}`
      const { body } = await answer("", { path })
      assert.strictEqual(body.data.length, mode === "live" ? 0 : all.data.length - 1)
    }
  })

  it.each([
    ["status=done", "status"],
    ["payment_method=upi", "payment_method"],
    ["currency=eur", "currency"],
    ["failureCode=unlucky", "failureCode"],
    ["amountMin=5", "amountMin"],
    ["currency=EUR&currency=USD&amountMax=5", "amountMax"],
    ["currency=EUR&amountMin=6&amountMax=5", "amountMin"],
    ["amountMax=-1", "amountMax"],
    ["metadata=order_id", "metadata"],
    ["metadata=%3D1", "metadata"],
    ["inReview=yes", "inReview"],
    ["from=yesterday", "from"],
    ["limit=101", "limit"],
    ["after=pay_1", "after"],
    ["providerReference=", "providerReference"],
    ["provider=p".concat("&provider=p".repeat(100)), "provider"]
  ])("refuse the filter %.40s by its name", async (query, name) => {
    const { body, status } = await answer(`/payments?${query}`)
    assert.deepStrictEqual([status, body.code], [400, "invalid_request"])
    assert.strictEqual(body.errors[0]?.pointer.split("/")[0], name)
    assert.notMatch(JSON.stringify(body.errors), /amount_m/)
  })

  it("are shown with their books, their version and what may be requested", async () => {
    const { id } = await held()
    const open = await answer(`/payments/${id}`)
    assert.deepStrictEqual(open.body.payment, await server.of(tenant).payments.get(id))
    assert.deepStrictEqual(
      [open.headers.get("etag"), open.body.version],
      [`"${open.body.version}"`, open.body.payment.version]
    )
    const nothing = {
      currency: "EUR",
      captured: 0,
      refunded: 0,
      refunding: 0,
      refundedElsewhere: 0,
      held: 0,
      overpaid: 0,
      returning: 0
    }
    assert.deepStrictEqual(open.body.balance, { ...nothing, held: 1200, inQuestion: [] })
    assert.deepStrictEqual(
      open.body.actions.map(({ amount, kind }) => [kind, amount]),
      [
        ["capture", 1200],
        ["cancel", 1200],
        ["refund", null]
      ]
    )
    assert.match(open.body.actions[2]?.refusal ?? "", /authorized cannot be refunded/)

    await change(`/payments/${id}/capture`, "show-1", { amount: 1000 })
    await change(`/payments/${id}/refunds`, "show-2", { amount: 300 })
    const paid = await answer(`/payments/${id}`)
    assert.deepStrictEqual(paid.body.balance, { ...nothing, captured: 1000, refunded: 300, inQuestion: [] })
    assert.deepStrictEqual(
      paid.body.actions.map(({ amount }) => amount),
      [null, null, 700]
    )
    assert.isAbove(paid.body.version, open.body.version)

    const released = await held()
    await change(`/payments/${released.id}/cancel`, "show-3")
    const canceled = await answer(`/payments/${released.id}`)
    assert.deepStrictEqual(canceled.body.balance, { ...nothing, inQuestion: [] })
  })

  it("have a timeline, which is that of the library, in pages and by role", async () => {
    const { id } = await held()
    await change(`/payments/${id}/capture`, "timeline-1", { amount: 1000 })
    const { items } = await server.of(tenant).payments.timeline(id)
    const whole = await answer(`/payments/${id}/timeline`, { as: "viewer" })
    assert.deepStrictEqual<unknown>(whole.body, { data: items, next: null })
    const first = await answer(`/payments/${id}/timeline?limit=2`)
    const rest = await answer(`/payments/${id}/timeline?after=${first.body.next}`)
    assert.deepStrictEqual<unknown>([...first.body.data, ...rest.body.data], items)
    for (const [query, name] of [
      ["limit=501", "limit"],
      ["after=x", "after"],
      ["from=1", "from"]
    ]) {
      const { body, status } = await answer(`/payments/${id}/timeline?${query}`)
      assert.deepStrictEqual([status, body.errors[0]?.pointer], [400, name])
    }
    const missing = await answer("", { path: `/dashboard/api/shop_a/live/payments/${id}/timeline` })
    assert.deepStrictEqual([missing.status, missing.body.detail], [404, "There is no such payment."])
  })

  it("have the required key in the document of what moves money, and nowhere else", () => {
    const withKey = controlEndpoints().filter(({ requiresKey }) => requiresKey)
    assert.deepStrictEqual(
      withKey.map(({ group, name }) => `${group}.${name}`),
      ["payments.capture", "payments.cancel", "payments.refund"]
    )
    const text = JSON.stringify(controlApiDocument(""))
    assert.lengthOf(text.match(/"Idempotency-Key"/g) ?? [], withKey.length)
    assert.include(text, "idempotency_key_reused")
  })

  it("are captured and canceled once for each key, in the name of the person", async () => {
    const [one, other] = [await held(), await held()]
    const twice = await Promise.all(
      [1, 2].map(() => change(`/payments/${one.id}/capture`, "capture-1", { amount: 1000 }))
    )
    const done = twice.filter(({ status }) => status === 200)
    assert.isNotEmpty(done)
    for (const { body, status } of twice) {
      if (status === 200) assert.deepInclude<unknown>(body, { id: one.id, status: "succeeded", amount_captured: 1000 })
      else assert.strictEqual(body.code, "idempotency_in_flight")
    }
    const again = await change(`/payments/${one.id}/capture`, "capture-1", { amount: 1000 })
    assert.deepStrictEqual([again.status, again.body], [200, done[0]?.body])
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    assert.lengthOf((await server.of(tenant).payments.get(one.id)).operations, 1)

    const canceled = await change(`/payments/${other.id}/cancel`, "cancel-1")
    assert.deepInclude(canceled.body, { id: other.id, status: "canceled" })
    const repeated = await change(`/payments/${other.id}/cancel`, "cancel-1")
    assert.deepStrictEqual(repeated.body, canceled.body)

    const reused = await change(`/payments/${one.id}/capture`, "capture-1", { amount: 999 })
    assert.deepStrictEqual([reused.status, reused.body.code], [422, "idempotency_key_reused"])
    const late = await change(`/payments/${other.id}/capture`, "capture-2")
    assert.deepStrictEqual([late.status, late.body.code], [409, "operation_not_supported"])
    const { entries } = await server.of(tenant).auditLog.list({ target: other.id })
    assert.deepStrictEqual(
      entries.map(({ action, actor, outcome }) => [action, actor.id, outcome]),
      [
        ["payment.capture", "usr_operator", "refused"],
        ["payment.capture", "usr_operator", "requested"],
        ["payment.cancel", "usr_operator", "repeated"],
        ["payment.cancel", "usr_operator", "requested"],
        ["payment.cancel", "usr_operator", "requested"]
      ]
    )
    const ofOne = (await server.of(tenant).auditLog.list({ target: one.id })).entries.map(({ outcome }) => outcome)
    // Twice at once, once again, and once with another amount.
    assert.deepStrictEqual(ofOne.toSorted(), [
      "refused",
      "repeated",
      "repeated",
      ...Array.from({ length: 4 }, () => "requested")
    ])
  })

  it("are refunded once by two people who both saw the same version, each with a key of their own", async () => {
    const { id } = await server.of(tenant).payments.create(card)
    const etag = (await answer(`/payments/${id}`)).headers.get("etag") ?? assert.fail("no ETag")
    const refund = (key: string, asked: Partial<Ask> = {}) =>
      answer(`/payments/${id}/refunds`, {
        method: "POST",
        body: { amount: 500 },
        headers: { "if-match": etag, "idempotency-key": key },
        ...asked
      })
    const both = await Promise.all([refund("asha-1"), refund("ben-1")])
    assert.sameMembers(
      both.map(({ status }) => status),
      [201, 409]
    )
    const late = await refund("cleo-1")
    for (const { body, status } of [...both.filter(({ status }) => status === 409), late]) {
      assert.deepStrictEqual([status, body.code], [409, "version_conflict"])
      assert.strictEqual(body.current.payment.id, id)
      assert.isAbove(body.current.version, Number(JSON.parse(etag)))
    }
    const now = await answer(`/payments/${id}`)
    assert.deepStrictEqual<unknown>(late.body.current, now.body)
    assert.deepStrictEqual(
      [now.body.payment.amount_refunded, now.body.payment.version],
      [500, late.body.current.version]
    )
    const again = await refund(both[0]?.status === 201 ? "asha-1" : "ben-1")
    assert.deepStrictEqual([again.status, again.headers.get("idempotent-replayed")], [201, "true"])
    assert.lengthOf((await server.of(tenant).refunds.list(id)).data, 1)
  })

  it("are not refunded for one person under the key of another, nor is it recorded so", async () => {
    const { id } = await server.of(tenant).payments.create(card)
    const first = await change(`/payments/${id}/refunds`, "shared-key", { amount: 500 })
    const { version } = await server.of(tenant).payments.get(id)
    const headers = { "if-match": `"${version}"`, "idempotency-key": "shared-key" }
    const second = await change(`/payments/${id}/refunds`, null, { amount: 500 }, { headers, as: "colleague" })
    assert.deepStrictEqual([first.status, second.status], [201, 201])
    assert.isNull(second.headers.get("idempotent-replayed"))
    assert.notStrictEqual(second.body.id, first.body.id)
    assert.strictEqual((await server.of(tenant).payments.get(id)).amount_refunded, 1000)
    const { entries } = await server.of(tenant).auditLog.list({ target: id })
    assert.deepStrictEqual(
      entries.map(({ actor, outcome }) => [actor.id, outcome]),
      [
        ["usr_colleague", "requested"],
        ["usr_operator", "requested"]
      ]
    )
  })

  it.each(["capture", "cancel", "refunds"])("%s requires the version that was seen", async (act) => {
    const { id } = await held()
    const path = `/payments/${id}/${act}`
    const before = (await server.of(tenant).auditLog.list({ limit: 1000 })).entries
    const headers = { "idempotency-key": `version-${act}` }
    const without = await change(path, null, {}, { headers })
    assert.deepStrictEqual([without.status, without.body.code], [428, "precondition_required"])
    for (const etag of ["1", "*", "W/1", '"1", "2"', '"x"', ""]) {
      const { body, status } = await change(path, null, {}, { headers: { ...headers, "if-match": etag } })
      assert.deepStrictEqual([status, body.code], [400, "invalid_request"], etag)
    }
    assert.deepStrictEqual((await server.of(tenant).auditLog.list({ limit: 1000 })).entries, before)
    const { version } = await server.of(tenant).payments.get(id)
    for (const other of [0, version - 1, version + 1, 999_999_999_999_999]) {
      const { body, status } = await change(path, null, {}, { headers: { ...headers, "if-match": `"${other}"` } })
      assert.deepStrictEqual([status, body.code, body.current.version], [409, "version_conflict", version])
    }
    assert.lengthOf((await server.of(tenant).payments.get(id)).operations, 0)
  })

  it.each(["capture", "cancel", "refunds"])(
    "%s requires a key and a strict body, and writes nothing without",
    async (act) => {
      const { id } = await held()
      const path = `/payments/${id}/${act}`
      const before = (await server.of(tenant).auditLog.list({ limit: 1000 })).entries
      for (const key of [null, "", "with space", "two, keys", "x".repeat(256)]) {
        const { body, status } = await change(path, key)
        assert.deepStrictEqual([status, body.code], [400, "idempotency_key_invalid"], String(key))
      }
      const bodies: ReadonlyArray<readonly [unknown, string]> = [
        [{ nonsense: 1 }, "/nonsense"],
        ...(act === "cancel"
          ? []
          : [0, -1, 1.5, null, "5", 1e300].map((amount): readonly [unknown, string] => [{ amount }, "/amount"])),
        ...(act === "refunds" ? ([[{ reason: "x".repeat(501) }, "/reason"]] as const) : [])
      ]
      for (const [body, pointer] of bodies) {
        const refused = await change(path, "key-1", body)
        assert.deepStrictEqual([refused.status, refused.body.errors[0]?.pointer], [400, pointer], JSON.stringify(body))
      }
      const secret = await change(path, "key-1", { reason: "card 4242 4242 4242 4242" })
      assert.deepStrictEqual([secret.status, secret.body.code], [400, "raw_card_data_not_accepted"])
      assert.strictEqual((await change(path, "key-1", {}, { as: "viewer" })).status, 403)
      assert.deepStrictEqual((await server.of(tenant).auditLog.list({ limit: 1000 })).entries, before)
      const foreign = await change(`/payments/${id.slice(0, -3)}000/${act}`, "key-1")
      assert.strictEqual(foreign.status, 404)
      assert.strictEqual((await server.of(tenant).payments.get(id)).status, "authorized")
    }
  )
})
