/** Reviews over the control API: by two operators at once, by amount, and refused. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { PaymentError, ReviewRefused } from "@paymux/core"
import type { Role } from "@paymux/dashboard"
import { emptyDatabases } from "../emptyDatabases.ts"
import { card } from "../card.ts"
import { report, reportDuplicate } from "../ProviderReports.ts"
import { ask, controlServer } from "./ControlServer.ts"
import type { ControlServer } from "./ControlServer.ts"

const tenant = { account: "shop_a", livemode: false }

const person = (role: Role, minutesAgo = 0, account = "shop_a") => ({
  id: `usr_${role}`,
  name: `${role}@shop.example`,
  memberships: [{ account, modes: ["test" as const, "live" as const], role }],
  authenticatedAt: Date.now() - minutesAgo * 60_000
})

const people = {
  operator: person("operator"),
  stale: person("operator", 11),
  viewer: person("viewer"),
  other: person("owner", 0, "shop_b")
}

const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("It was not refused"),
    (error: unknown) => error
  )

interface Fault {
  readonly pointer: string
  readonly message: string
}

/** A parameter has its name for a pointer, and a field of a call `/` before it. */
const sentenceOf = ({ message, pointer }: Fault): string => `${pointer.replace(/^\//, "")} ${message}`

/** The call refuses the same input as the control API, in the same words. A `ReviewRefused` names no field. */
const assertSameFaults = (error: unknown, faults: ReadonlyArray<Fault>, of: string) => {
  if (error instanceof ReviewRefused) {
    return assert.deepStrictEqual(
      [error.message],
      faults.map(({ message }) => message),
      of
    )
  }
  assert.instanceOf(error, PaymentError, of)
  const given = error.reason._tag === "InvalidPayment" ? error.reason.errors : []
  assert.deepStrictEqual(given.map(sentenceOf), faults.map(sentenceOf), of)
}

/** The parameters of a query as a program gives them. */
const valuesOf = (query: string) =>
  Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, value]) => [name, /^-?[\d.]+$/.test(value) ? Number(value) : value])
  )

const { postgres, sqlite } = await emptyDatabases()
const proof = "Refunded in the dashboard, re_88, A. Rao"

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
])("reviews over the control API, on %s", (_, database) => {
  let server: ControlServer
  beforeAll(async () => {
    server = await controlServer(people, { database })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  interface Asked {
    readonly as?: keyof typeof people
    readonly body?: unknown
    readonly version?: number
  }

  const answer = async (path: string, { as = "operator", body, version }: Asked = {}) => {
    const response = await ask(server, {
      path: `/dashboard/api/${path}`,
      as,
      ...(body !== undefined && { method: "POST", body }),
      ...(version !== undefined && { headers: { "if-match": `"${version}"` } })
    })
    return { status: response.status, etag: response.headers.get("etag"), body: JSON.parse(await response.text()) }
  }

  const own = "shop_a/test/reviews"
  const givenBack = (review: string) => ({ review, resolution: "given_back", evidence: proof })

  /** A paid payment of which the provider reports two more charges. */
  const inReview = async () => {
    const { id } = await server.of(tenant).payments.create(card)
    await reportDuplicate(database, id, `ch_${id}_second`, 1200)
    await reportDuplicate(database, id, `ch_${id}_third`, 700)
    const { reviews, version } = await server.of(tenant).reviews.get(id)
    const [whole = "", part = ""] = reviews.map((review) => review.id)
    return { id, version, whole, part }
  }

  const audited = async (id: string) =>
    (await server.of(tenant).auditLog.list({ target: id })).entries
      .map(({ action, actor, outcome }) => `${action} ${outcome} ${actor.id}`)
      .toSorted((a, b) => a.localeCompare(b))

  it("are listed and shown as by the library, to viewers too, and not to other accounts and modes", async () => {
    const { id, version } = await inReview()
    const { reviews } = server.of(tenant)
    const listed = await answer(`${own}?order=amount&currency=EUR&reason=duplicate_capture&limit=1`, { as: "viewer" })
    const page = await reviews.list({ order: "amount", currency: "EUR", reason: "duplicate_capture", limit: 1 })
    assert.deepStrictEqual(listed.body, page)
    const rest = await answer(`${own}?order=amount&currency=EUR&after=${page.next}`)
    assert.deepStrictEqual([listed.body.data[0].amount, rest.body.data.at(-1).amount], [1200, 700])
    const shown = await answer(`${own}/${id}`, { as: "viewer" })
    assert.deepStrictEqual([shown.status, shown.etag], [200, `"${version}"`])
    assert.deepStrictEqual(shown.body, JSON.parse(JSON.stringify(await reviews.get(id))))
    const none = (await answer(`${own}/pay_none`)).body.detail
    for (const [path, as] of [
      ["shop_b/test/reviews", "other"],
      ["shop_a/live/reviews", "operator"]
    ] as const) {
      assert.deepStrictEqual((await answer(path, { as })).body.data, [])
      const foreign = await answer(`${path}/${id}`, { as })
      assert.deepStrictEqual([foreign.status, foreign.body.detail], [404, none])
    }
  })

  it("resolved by a double click act once: the other answer has the payment as it is now", async () => {
    const { id, version, whole } = await inReview()
    const before = await server.of(tenant).payments.get(id)
    const click = () => answer(`${own}/${id}/resolve`, { version, body: givenBack(whole) })
    const answers = await Promise.all([click(), click()])
    const done = answers.find(({ status }) => status === 200) ?? assert.fail("none was accepted")
    const refused = answers.find(({ status }) => status === 409) ?? assert.fail("none was refused")
    assert.strictEqual(refused.body.code, "version_conflict")
    const now = await answer(`${own}/${id}`)
    const { evidence, ...current } = now.body
    assert.isNotEmpty(evidence)
    assert.deepStrictEqual(refused.body.current, current)
    assert.deepStrictEqual([done.etag, done.body.version], [now.etag, now.body.version])
    assert.deepStrictEqual(done.body.payment, now.body.payment)
    assert.deepStrictEqual([before.overpayment, now.body.payment.overpayment], [1900, 700])
    const statements = now.body.evidence.filter(({ source }: { readonly source: string }) => source === "operator")
    assert.strictEqual(statements.length, 1)
    assert.deepStrictEqual(await audited(id), [
      "review.resolve refused usr_operator",
      "review.resolve requested usr_operator",
      "review.resolve requested usr_operator"
    ])
  })

  it("are resolved one by one, each with its own amount", async () => {
    const { id, part, version, whole } = await inReview()
    const first = await answer(`${own}/${id}/resolve`, { version, body: givenBack(part) })
    assert.deepStrictEqual([first.status, first.body.payment.overpayment], [200, 1200])
    const second = await answer(`${own}/${id}/resolve`, { version: first.body.version, body: givenBack(whole) })
    assert.strictEqual(second.status, 200)
    assert.notProperty(second.body.payment, "overpayment")
    assert.deepStrictEqual(second.body.payment.reviews, [])
    assert.strictEqual(second.body.payment.amount_captured, 1200)
  })

  it("of an amount that was not requested take the amount that the operator saw", async () => {
    const { id } = await server.of(tenant).payments.create({
      ...card,
      payment_method_details: { card: { token: "tok_3ds" } }
    })
    await report(database, id, (amount) => ({
      _tag: "Succeeded",
      amount: { ...amount, minorUnits: 500 },
      reference: `ch_${id}`
    }))
    const { reviews, version } = (await answer(`${own}/${id}`)).body
    assert.deepInclude(reviews[0], { reason: "amount_mismatch", amount: 500 })
    const statement = { review: reviews[0].id, resolution: "succeeded", evidence: proof }
    for (const amount of [0, -1, 1.5, 2 ** 53, "900", null]) {
      const refused = await answer(`${own}/${id}/resolve`, { version, body: { ...statement, amount } })
      assert.deepStrictEqual([refused.status, refused.body.errors[0].pointer], [400, "/amount"], String(amount))
    }
    const named = await answer(`${own}/${id}/consequences?review=${statement.review}&resolution=succeeded&amount=900`, {
      as: "viewer"
    })
    assert.deepStrictEqual([named.status, named.etag], [200, `"${version}"`])
    assert.deepInclude(named.body.consequences, {
      status: { before: "pending", after: "succeeded" },
      events: ["payment.succeeded", "payment.review_resolved"],
      captured: { before: 0, after: 900 },
      received: 900,
      acceptance: { amount: 900, requested: 1200 }
    })
    const reason = "The rest was paid in cash"
    for (const [acceptance, pointer] of [
      [undefined, "/acceptance"],
      [{ amount: 1200, reason }, "/acceptance/amount"],
      [{ amount: 900, reason: " " }, "/acceptance/reason"],
      [{ amount: 900, reason: `${card.customer.email} agreed` }, "/acceptance/reason"],
      [{ amount: "900", reason }, "/acceptance/amount"],
      [{ amount: 900 }, "/acceptance/reason"],
      [{ amount: 900, reason, currency: "EUR" }, "/acceptance/currency"]
    ] as const) {
      const body = { ...statement, amount: 900, ...(acceptance !== undefined && { acceptance }) }
      const refused = await answer(`${own}/${id}/resolve`, { version, body })
      assert.deepStrictEqual([refused.status, refused.body.errors[0].pointer], [400, pointer])
    }
    const body = { ...statement, amount: 900, acceptance: { amount: 900, reason } }
    const resolved = await answer(`${own}/${id}/resolve`, { version, body })
    assert.deepStrictEqual(
      [resolved.status, resolved.body.payment.amount_captured, resolved.body.payment.amount_received],
      [200, 900, 900]
    )
    const { entries } = await server.of(tenant).auditLog.list({ target: id })
    const kept = entries.map(({ after }) => JSON.stringify(after))
    assert.include(kept[0], `"amount":900,"accepted":900,"reason":"${reason}"`)
    assert.deepStrictEqual(
      kept.filter((text) => text.includes("reason")),
      [kept[0]],
      "what was refused is not kept"
    )
  })

  it("are not resolved by viewers, by a stale session, without a version or on an old one", async () => {
    const { id, part, version, whole } = await inReview()
    const resolve = (asked: Asked) => answer(`${own}/${id}/resolve`, { body: givenBack(part), ...asked })
    const refusals: ReadonlyArray<readonly [Asked, number, string]> = [
      [{ version, as: "viewer" }, 403, "forbidden"],
      [{ version, as: "stale" }, 403, "reauthentication_required"],
      [{ version, as: "other" }, 404, "not_found"],
      [{}, 428, "precondition_required"],
      [{ version: version - 1 }, 409, "version_conflict"],
      [{ version: version - 1, body: givenBack("rev_none") }, 409, "version_conflict"]
    ]
    for (const [asked, status, code] of refusals) {
      const refused = await resolve(asked)
      assert.deepStrictEqual([refused.status, refused.body.code], [status, code])
    }
    const after = await server.of(tenant).reviews.get(id)
    assert.deepStrictEqual([after.version, after.reviews.map((review) => review.id)], [version, [whole, part]])
  })

  it("refuse a statement and a query that make no sense, at the place of the fault", async () => {
    const { id, part, version } = await inReview()
    const { reviews } = server.of(tenant)
    const valid = givenBack(part)
    const { review: _review, ...without } = valid
    const statements: ReadonlyArray<readonly [object, string]> = [
      [without, "/review"],
      [{ ...valid, operation: "op_1" }, "/review"],
      [{ ...valid, review: "rev_none" }, "/review"],
      [{ ...valid, review: "\u0000" }, "/review"],
      [{ ...without, operation: "op_none" }, "/operation"],
      [{ ...valid, evidence: " " }, "/evidence"],
      [{ ...valid, evidence: "a\u0000b" }, "/evidence"],
      [{ ...valid, evidence: "x".repeat(10_001) }, "/evidence"],
      [{ review: part, resolution: "given_back" }, "/evidence"],
      [{ ...valid, amount: 700 }, "/amount"],
      [{ ...valid, resolution: "refunded" }, "/resolution"],
      [{ ...valid, resolution: "dismissed" }, "/resolution"],
      [{ ...valid, version }, "/version"]
    ]
    for (const [body, pointer] of statements) {
      const refused = await answer(`${own}/${id}/resolve`, { version, body })
      assert.deepStrictEqual([refused.status, refused.body.errors?.[0].pointer], [400, pointer], JSON.stringify(body))
      // The version is a field of a call. The rules of JSON texts are those of HTTP alone.
      if (pointer === "/version" || JSON.stringify(body).includes("u0000")) continue
      const byCall = await refusal(reviews.resolve(id, { ...body, version } as never))
      assertSameFaults(byCall, refused.body.errors, JSON.stringify(body))
    }
    for (const [query, pointer] of [
      ["resolution=given_back", "review"],
      [`review=${part}&operation=op_1&resolution=given_back`, "review"],
      ["review=rev_none&resolution=given_back", "review"],
      ["operation=op_none&resolution=succeeded", "operation"],
      [`review=${part}&resolution=dismissed`, "resolution"],
      [`review=${part}&resolution=refunded`, "resolution"],
      [`review=${part}`, "resolution"],
      [`review=${part}&resolution=given_back&amount=700`, "amount"],
      [`review=${part}&resolution=given_back&amount=0`, "amount"],
      [`review=${part}&resolution=given_back&amount=7.5`, "amount"]
    ] as const) {
      const refused = await answer(`${own}/${id}/consequences?${query}`)
      assert.deepStrictEqual([refused.status, refused.body.errors?.[0].pointer], [400, pointer], query)
      const byCall = await refusal(reviews.consequences(id, valuesOf(query) as never))
      assertSameFaults(byCall, refused.body.errors, query)
    }
    for (const [query, pointer] of [
      ["order=amount", "currency"],
      ["order=newest", "order"],
      ["reason=x", "reason"],
      ["after=x", "after"],
      ["limit=0", "limit"],
      ["from=-1", "from"],
      ["provider=", "provider"]
    ] as const) {
      const refused = await answer(`${own}?${query}`)
      assert.deepStrictEqual([refused.status, refused.body.errors[0].pointer], [400, pointer], query)
      const byCall = await refusal(reviews.list(valuesOf(query)))
      assertSameFaults(byCall, refused.body.errors, query)
    }
    assert.strictEqual((await answer(`${own}/${id}`)).body.version, version)
  })
})
