/** Providers and circuit breakers over the control API, against the library. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { accountNotEnabled, defineProvider, Outcome } from "@paymux/core"
import { Effect, Schema } from "effect"
import { ask, controlServer } from "./ControlServer.ts"
import type { ControlServer } from "./ControlServer.ts"

const tenant = { account: "shop_a", livemode: false }
const owner = {
  id: "usr_owner",
  name: "owner@shop.example",
  memberships: [{ account: null, modes: ["test" as const, "live" as const], role: "owner" as const }],
  authenticatedAt: Date.now()
}
const viewer = {
  ...owner,
  id: "usr_viewer",
  memberships: [{ account: "shop_a", modes: ["test" as const], role: "viewer" as const }]
}

describe("providers and breakers over the control API", () => {
  let server: ControlServer
  beforeAll(async () => {
    server = await controlServer({ owner, viewer }, { publicUrl: "http://127.0.0.1:1" })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const answer = async (path: string, { as = "owner", method = "GET" } = {}) => {
    const response = await ask(server, {
      path: `/dashboard/api/shop_a/${path}`,
      as,
      method,
      origin: "http://127.0.0.1:1",
      headers: { host: "127.0.0.1:1" }
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }

  it("show what the library shows, by mode", async () => {
    const paymux = server.of(tenant)
    const instances = await paymux.providers.list()
    assert.isNotEmpty(instances)
    assert.deepStrictEqual(await answer("test/providers", { as: "viewer" }), {
      status: 200,
      body: { data: instances }
    })
    assert.deepStrictEqual((await answer("live/providers")).body, { data: [] })

    await paymux.payments.create({
      amount: 1200,
      currency: "EUR",
      payment_method: "card",
      payment_method_details: { card: { token: "tok_success" } },
      customer: { email: "asha@example.com", phone: "+4915112345678" }
    })
    const [breaker] = await paymux.breakers.list({ operation: "create" })
    const { data } = (await answer("test/breakers?operation=create")).body
    assert.isAbove(data.length, 0)
    assert.deepStrictEqual({ ...data[0], seenAt: 0 }, { ...breaker, seenAt: 0 })
    assert.deepStrictEqual((await answer("live/breakers")).body, { data: [] })
    assert.deepStrictEqual((await answer("test/breakers/history?state=open&limit=1")).body, { data: [], next: null })
    const refused = await answer("test/breakers/history?after=x")
    assert.deepStrictEqual([refused.status, refused.body.errors[0].pointer], [400, "after"])
    assert.strictEqual((await answer("test/breakers?state=ajar")).status, 400)
  })

  it("are checked by developers, and not by viewers", async () => {
    const checked = await answer("test/providers/sandbox_card_a/check", { method: "POST" })
    assert.deepStrictEqual(
      [checked.status, checked.body.data],
      [200, await server.of(tenant).providers.check("sandbox_card_a")]
    )
    for (const path of ["test/providers/acme/check", "live/providers/sandbox_card_a/check"]) {
      assert.strictEqual((await answer(path, { method: "POST" })).status, 404)
    }
    const doctor = await answer("test/doctor", { method: "POST" })
    assert.strictEqual(doctor.status, 200)
    assert.include(
      doctor.body.data.map(({ name }: { readonly name: string }) => name),
      "database"
    )
    for (const path of ["test/doctor", "test/providers/sandbox_card_a/check"]) {
      assert.strictEqual((await answer(path, { method: "POST", as: "viewer" })).status, 403)
    }
  })
})

it("a check of a running server makes no second instance of a provider, and uses the one that runs", async () => {
  const state = { made: 0, released: 0, asked: [] as ReadonlyArray<number>, broken: false }
  const acme = defineProvider({
    id: "acme",
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { card: { currencies: ["EUR"], flows: { token: {} } } },
      operations: { create: { idempotency: { by: "header", lifetime: "24 hours" }, inquiry: { by: "reference" } } }
    }),
    make: () =>
      Effect.gen(function* () {
        const instance = ++state.made
        yield* Effect.addFinalizer(() => Effect.sync(() => state.released++))
        return {
          create: () => Effect.succeed(Outcome.succeeded()),
          inquire: () => {
            if (state.broken) throw new Error("of the adapter")
            state.asked = [...state.asked, instance]
            return Effect.succeed(Outcome.notFound())
          }
        }
      })
  })({ id: "acme" })
  const server = await controlServer({ owner }, { sandbox: false, providers: [acme], publicUrl: "http://127.0.0.1:1" })
  const paymux = server.of(tenant)
  await paymux.providers.list()
  await paymux.providers.check("acme")
  await paymux.doctor()
  for (const path of ["providers/acme/check", "doctor"]) {
    const { status } = await ask(server, {
      path: `/dashboard/api/shop_a/test/${path}`,
      as: "owner",
      method: "POST",
      origin: "http://127.0.0.1:1",
      headers: { host: "127.0.0.1:1" }
    })
    assert.strictEqual(status, 200)
  }
  assert.deepStrictEqual(state, { made: 1, released: 0, asked: [1, 1, 1, 1], broken: false })
  state.broken = true
  const [finding] = (await paymux.providers.check("acme")) ?? []
  assert.deepInclude(finding, { grade: "fault", name: "acme" })
  await server[Symbol.asyncDispose]()
  assert.deepStrictEqual([state.made, state.released], [1, 1])
})

it("what the account at a provider is not enabled for is shown with what helps, everywhere", async () => {
  const exporter = defineProvider({
    id: "acme",
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { card: { currencies: "any", flows: { token: {} } } },
      operations: { create: { idempotency: { by: "header", lifetime: "24 hours" } } },
      accountHelp: { export_off: "Enable exports at Acme." }
    }),
    make: () => Effect.succeed({ create: () => Effect.fail(accountNotEnabled("export_off", "kind")) })
  })
  await using server = await controlServer(
    { owner, viewer },
    {
      providers: [exporter({})],
      routing: { version: 1, default: { priority: ["acme"] } },
      publicUrl: "http://127.0.0.1:1"
    }
  )
  const paymux = server.of(tenant)
  const { attempts, failure } = await paymux.payments.create({
    amount: 1200,
    currency: "USD",
    payment_method: "card",
    payment_method_details: { card: { token: "tok" } },
    customer: { email: "asha@example.com" }
  })
  assert.strictEqual(failure?.code, "account_not_enabled")
  assert.deepStrictEqual([attempts[0]?.code, attempts[0]?.vendor_code], ["account_not_enabled", "export_off"])

  const response = await ask(server, {
    path: "/dashboard/api/shop_a/test/providers/acme/account",
    as: "viewer",
    method: "GET",
    origin: "http://127.0.0.1:1",
    headers: { host: "127.0.0.1:1" }
  })
  const { data } = JSON.parse(await response.text())
  const refusal = {
    flow: "token",
    currency: "USD",
    code: "account_not_enabled",
    vendorCode: "export_off",
    help: "Enable exports at Acme.",
    count: 1
  } as const
  assert.deepStrictEqual(data, [{ paymentMethod: "card", ...refusal, lastAt: data[0].lastAt }])
  const [library] = (await paymux.providers.accountRefusals("acme")) ?? []
  assert.deepStrictEqual(library, { provider: "acme", rail: "card", ...refusal, lastAt: data[0].lastAt })
  assert.isNull(await paymux.providers.accountRefusals("other"))
  const findings = await paymux.doctor()
  assert.deepInclude(findings, {
    grade: "warning",
    name: "acme",
    text: "refuses card payments (token) in USD to this account: export_off, once in 7 days, last just now. Enable exports at Acme."
  })
})
