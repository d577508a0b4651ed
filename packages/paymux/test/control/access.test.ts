/**
 * Who may call what: every endpoint of the control API, by every role, for every situation of the caller. The cases are
 * generated from the API, so a new endpoint is tested as soon as it is declared.
 */
import { assert, beforeAll, afterAll, describe, it } from "@effect/vitest"
import { controlApiDocument, controlEndpoints, roles } from "@paymux/dashboard"
import type { ControlEndpoint, Identity, Role } from "@paymux/dashboard"
import { isPaymentId } from "@paymux/core/wire"
import { ask, controlServer, publicUrl } from "./ControlServer.ts"
import type { Ask, ControlServer } from "./ControlServer.ts"
import { liveProvider } from "./liveProvider.ts"
import { seeds } from "./seeds.ts"

const own = "shop_a"
const minute = 60_000

const person = (
  role: Role,
  authenticatedAt: number,
  account: string | null = own,
  others: Identity["memberships"] = []
): Identity => ({
  id: `usr_${role}`,
  name: `${role}@shop.example`,
  memberships: [{ account, modes: ["test"], role }, ...others],
  authenticatedAt
})

/** `every_`: with the role in all accounts. `almost_`: but for one. */
const people = Object.fromEntries(
  roles.flatMap((role) => [
    ...([["", own] as const, ["every_", null] as const] as const).flatMap(([of, account]) => [
      [`${of}${role}`, person(role, Date.now() - minute, account)] as const,
      [`stale_${of}${role}`, person(role, Date.now() - 11 * minute, account)] as const,
      [`future_${of}${role}`, person(role, Date.now() + 60 * minute, account)] as const
    ]),
    [
      `almost_${role}`,
      person(role, Date.now() - minute, null, [{ account: "shop_b", modes: ["live"], role: "owner" }])
    ] as const
  ])
)

const needsEveryAccount = ({ permission }: ControlEndpoint) =>
  permission?._tag === "Member" && permission.scope !== "account"

/** Who may call it, with this role. */
const fitting = (endpoint: ControlEndpoint, role: Role) => `${needsEveryAccount(endpoint) ? "every_" : ""}${role}`

const endpoints = controlEndpoints()
const member = endpoints.filter(({ permission }) => permission?._tag === "Member")
const personal = endpoints.filter(({ permission }) => permission?._tag === "SignedIn")
const guarded = [...member, ...personal]
const writes = endpoints.filter(({ method }) => method !== "GET")

/** `{account}` and `{mode}` of the caller unless said otherwise; an id of nothing. */
const addressOf = ({ path }: ControlEndpoint, { account = own, id = "x_1", mode = "test" } = {}) =>
  path.replace(":account", account).replace(":mode", mode).replaceAll(/:\w+/g, id)

const nameOf = ({ group, name }: ControlEndpoint) => `${group}.${name}`

describe("access to the control API", () => {
  let server: ControlServer
  beforeAll(async () => {
    server = await controlServer(people)
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const answer = async (endpoint: ControlEndpoint, asked: Partial<Ask> = {}) => {
    const { method } = endpoint
    const response = await ask(server, {
      method,
      path: addressOf(endpoint),
      as: fitting(endpoint, "owner"),
      ...(method === "GET" || method === "DELETE" ? {} : { body: {} }),
      ...asked
    })
    const text = await response.text()
    const code: string | null = text.startsWith("{") ? (JSON.parse(text).code ?? null) : null
    return { status: response.status, code, text, headers: response.headers }
  }

  it("each endpoint has a rule, and every address with an account is for members alone", () => {
    assert.isNotEmpty(endpoints)
    for (const { group, name, path, permission } of endpoints) {
      assert.isDefined(permission, `${group}.${name}`)
      assert.strictEqual(path.includes("/:account/:mode"), permission?._tag === "Member", path)
    }
  })

  it("what shows the installation or money of no account requires a role in every account, as the document says", () => {
    const names = member.filter(needsEveryAccount).map(nameOf)
    assert.sameMembers(names, [
      "reports.list",
      "reports.get",
      "reports.match",
      "reports.dismiss",
      "statements.list",
      "statements.runs",
      "statements.differences",
      "statements.movements",
      "statements.payout",
      "breakers.list",
      "breakers.history",
      "providers.doctor",
      "rules.publish",
      "rules.rollback"
    ])
    const marked = JSON.stringify(controlApiDocument("")).split('"x-every-account":true').length - 1
    assert.strictEqual(marked, names.length)
  })

  it("rules route live payments too, so who may only test publishes them in a sandbox alone", async () => {
    const everyMode = member.filter(
      ({ permission }) => permission?._tag === "Member" && permission.scope === "every_mode"
    )
    assert.sameMembers(everyMode.map(nameOf), ["rules.publish", "rules.rollback"])
    const marked = JSON.stringify(controlApiDocument("")).split('"x-every-mode":true').length - 1
    assert.strictEqual(marked, everyMode.length)
    const everywhere = person("routing", Date.now() - minute, null)
    const inBoth = {
      ...everywhere,
      memberships: [{ account: null, modes: ["test", "live"], role: "routing" }]
    } as const
    await using live = await controlServer(
      { tester: everywhere, routing: inBoth },
      { sandbox: false, providers: [liveProvider], secret: "a secret of a test, with 32 characters", dashboard: {} }
    )
    for (const { method, ...endpoint } of everyMode) {
      const path = addressOf({ method, ...endpoint })
      const statusOf = async (as: string) => (await ask(live, { method, path, as, body: {} })).status
      assert.strictEqual(await statusOf("tester"), 403)
      assert.notInclude([401, 403, 404, 500], await statusOf("routing"))
    }
  })

  it("the document has the header of each write that names a version, and its refusals", () => {
    const document = controlApiDocument("")
    const versioned = endpoints.filter(({ isVersioned }) => isVersioned)
    assert.sameMembers(versioned.map(nameOf), [
      "payments.capture",
      "payments.cancel",
      "payments.refund",
      "disputes.record",
      "reviews.resolve",
      "rules.publish",
      "rules.rollback"
    ])
    for (const { method, path } of versioned) {
      const paths = document["paths"] as { readonly [path: string]: { readonly [method: string]: unknown } }
      const operation = JSON.stringify(paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()])
      for (const part of ['"If-Match"', '"409"', '"428"']) assert.include(operation, part, path)
    }
  })

  it("a write is for some roles, and never for viewers", () => {
    for (const endpoint of member.filter(({ method }) => method !== "GET")) {
      const { permission } = endpoint
      assert.isFalse(permission?._tag === "Member" && permission.roles.includes("viewer"), nameOf(endpoint))
    }
  })

  describe.each(member.map((endpoint) => [nameOf(endpoint), endpoint] as const))("%s", (_, endpoint) => {
    const { permission } = endpoint
    const allowed = permission?._tag === "Member" ? permission.roles : []
    const recent = permission?._tag === "Member" && permission.recent

    it.each(roles)("as %s", async (role) => {
      const caller = fitting(endpoint, role)
      const fresh = await answer(endpoint, { as: caller })
      if (!allowed.includes(role)) {
        assert.deepStrictEqual([fresh.status, fresh.code], [403, "forbidden"])
        return
      }
      assert.notInclude([401, 403, 405, 500], fresh.status, fresh.text)
      for (const session of [`stale_${caller}`, `future_${caller}`]) {
        const stale = await answer(endpoint, { as: session })
        if (recent) assert.deepStrictEqual([stale.status, stale.code], [403, "reauthentication_required"], session)
        else assert.notInclude([401, 403, 500], stale.status, stale.text)
      }
    })

    it.each(roles)("as %s, another account and the other mode are as one that does not exist", async (role) => {
      const none = await answer(endpoint, { as: role, path: addressOf(endpoint, { account: "no_such" }) })
      assert.deepStrictEqual([none.status, none.code], [404, "not_found"])
      // Without the %2F the client itself would make it an address outside of the API.
      for (const other of [{ account: "shop_b" }, { mode: "live" }, { mode: "Test" }, { account: "..%2Fshop_b" }]) {
        const refused = await answer(endpoint, { as: role, path: addressOf(endpoint, other) })
        assert.strictEqual(withoutId(refused.text), withoutId(none.text), JSON.stringify(other))
      }
    })
  })

  it.each(member.filter(needsEveryAccount).map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    "%s: not for people of one account, nor of all but one",
    async (_, endpoint) => {
      for (const as of roles.flatMap((role) => [role, `almost_${role}`])) {
        const refused = await answer(endpoint, { as })
        assert.deepStrictEqual([refused.status, refused.code], [403, "forbidden"], as)
      }
    }
  )

  it.each(guarded.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    "%s: no session, an unknown one and an API key are 401",
    async (_, endpoint) => {
      const headers = { authorization: `Bearer ${server.testKey}` }
      for (const asked of [{ as: null }, { as: "unknown" }, { as: null, headers }]) {
        const refused = await answer(endpoint, asked)
        assert.deepStrictEqual([refused.status, refused.code], [401, "sign_in_required"])
        assert.isNull(refused.headers.get("www-authenticate"))
      }
    }
  )

  it.each(writes.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    "%s: another origin, none, and null are 403",
    async (_, endpoint) => {
      for (const origin of ["https://evil.example", "null", null, `${publicUrl}.evil.example`, "http://pay.example"]) {
        const refused = await answer(endpoint, { origin })
        assert.deepStrictEqual([refused.status, refused.code], [403, "origin_not_allowed"], String(origin))
      }
    }
  )

  it.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    "%s: nothing is cached, and no other site may read it",
    async (_, endpoint) => {
      const { headers } = await answer(endpoint, { headers: { "access-control-request-method": "POST" } })
      assert.strictEqual(headers.get("cache-control"), "no-store")
      for (const [name] of headers) assert.notMatch(name, /^access-control/)
    }
  )

  it.each(member.filter(({ path }) => path.includes(":id")).map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    "%s: an id of another account is as one that does not exist",
    async (_, endpoint) => {
      const seed = seeds[nameOf(endpoint)] ?? seeds[endpoint.group]
      assert.isOk(seed, `seeds.ts has no object for ${endpoint.group}`)
      const tenant = { account: `other_${endpoint.group}_${endpoint.name}`, livemode: false }
      const id = await seed(server.of(tenant), server, tenant.account)
      const { body, query = "" } = reaching[nameOf(endpoint)] ?? {}
      // Where a key and a version are required, these would be accepted.
      const version = isPaymentId(id) ? (await server.of(tenant).payments.get(id)).version : 1
      const headers = { "if-match": `"${version}"`, "idempotency-key": "access-1" }
      const asked = { headers, ...(body !== undefined && { body }) }
      const missing = await answer(endpoint, { ...asked, path: addressOf(endpoint, { id: changed(id) }) + query })
      // Otherwise it was refused before anything was looked for, and says nothing about the lookup.
      assert.deepStrictEqual([missing.status, missing.code], [404, "not_found"], missing.text)
      assert.include(missing.text, "There is no such")
      if (ofNoAccount[nameOf(endpoint)] !== undefined) return
      const foreign = await answer(endpoint, { ...asked, path: addressOf(endpoint, { id }) + query })
      assert.strictEqual(withoutId(foreign.text), withoutId(missing.text).replaceAll(changed(id), id))
      assert.strictEqual(foreign.status, missing.status)
    }
  )

  it("a session does not open /v1", async () => {
    const response = await ask(server, { path: "/v1/payments", as: "owner" })
    assert.strictEqual(response.status, 401)
  })

  it("unknown parameters and malformed values are refused by name", async () => {
    for (const endpoint of member.filter(({ method }) => method === "GET")) {
      const { code, status, text } = await answer(endpoint, { path: `${addressOf(endpoint)}?nonsense=1` })
      if (status === 404) continue
      assert.deepStrictEqual([status, code], [400, "invalid_request"], text)
      assert.include(text, "nonsense")
    }
  })
})

/** Of endpoints that refuse an empty body or query before they look for the object. */
const reaching: { readonly [endpoint: string]: { readonly body?: object; readonly query?: string } } = {
  "statements.movements": { query: "?of=foreign" },
  "statements.payout": { query: "?payout=po_1" },
  "payments.simulate": { body: { decision: "approve" } },
  "deliveries.attempts": { query: "?endpointId=we_1" },
  "disputes.record": { body: { status: "open", amount: 100, evidence: "x" } },
  "reviews.consequences": { query: "?review=rev_1&resolution=dismissed" },
  "reviews.resolve": { body: { review: "rev_1", resolution: "dismissed", evidence: "x" } },
  "reports.match": { body: { paymentId: "pay_01jd8w6x2vh6k9v0q3f7m5t1ac" } },
  "reports.dismiss": { body: { note: "x" } },
  "team.setRole": { body: { role: "viewer" } }
}

const ofEveryAccount = "It is of no account: a role in every account is required, and reaches all of them."

/** Why there is no object of another account. */
const ofNoAccount: { readonly [endpoint: string]: string } = {
  // Of the other mode: `reports.test.ts`.
  "reports.get": ofEveryAccount,
  "reports.match": ofEveryAccount,
  "reports.dismiss": ofEveryAccount,
  // Of the other mode: `statements.test.ts`.
  "statements.movements": ofEveryAccount,
  "statements.payout": ofEveryAccount,
  "providers.check": "Provider instances are of the installation, and the same for each account of a mode.",
  "rules.get": "Rules are of the installation, and the same for each account."
}

const withoutId = (text: string): string => text.replace(/"request_id":"[^"]*"/, "")

/** An id of the same shape that nothing has. */
const changed = (id: string): string => `${id.slice(0, -3)}${id.endsWith("000") ? "111" : "000"}`
