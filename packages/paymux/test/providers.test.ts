/** The provider instances through the library and the commands. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { defineProvider, Outcome } from "@paymux/core"
import { Effect, Schema } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createPaymux } from "../src/index.ts"
import { startCommands } from "./Commands.ts"
import type { Commands } from "./Commands.ts"

const adapters = join(import.meta.dirname, "../../adapters")
let folder = ""
let commands: Commands

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "paymux-providers-"))
  commands = startCommands()
})

afterAll(() => {
  commands.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** `chain` receives no webhooks. */
const instance = (id: string, receives: boolean) =>
  defineProvider({
    id: "acme",
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { card: { currencies: ["EUR"], flows: { token: {} } } },
      operations: {
        create: { idempotency: { by: "header", lifetime: "24 hours" }, inquiry: { by: "reference" } },
        refund: { partial: true }
      }
    }),
    make: () =>
      Effect.succeed({
        create: () => Effect.succeed(Outcome.succeeded()),
        refund: () => Effect.succeed(Outcome.succeeded()),
        inquire: () => Effect.succeed(Outcome.notFound()),
        ...(receives && { webhook: () => Effect.succeed([]) })
      })
  })({ id })

describe("the providers of a running server", () => {
  it("are listed by mode, with adapter, webhook address and what they declare, and each can be checked", async () => {
    await using paymux = await createPaymux<string>({
      providers: [instance("acme_eu", true), instance("chain", false)],
      database: ":memory:",
      publicUrl: "http://127.0.0.1:1",
      basePath: "/payments"
    })
    const instances = await paymux.providers.list()
    const [eu, chain, ...others] = instances
    assert.deepStrictEqual(others, [])
    if (eu === undefined) return assert.fail("The list is empty.")
    assert.strictEqual(eu.id, "acme_eu")
    assert.strictEqual(eu.adapter, "acme")
    assert.strictEqual(eu.mode, "test")
    assert.strictEqual(eu.webhookUrl, "http://127.0.0.1:1/payments/webhooks/acme_eu")
    assert.strictEqual(eu.operations.create?.idempotency.lifetimeMs, 86_400_000)
    assert.isTrue(eu.operations.refund?.partial)
    assert.notProperty(eu.operations, "capture")
    assert.deepStrictEqual(eu.methods, { card: { currencies: ["EUR"], flows: { token: {} } } })
    assert.isNull(chain?.webhookUrl ?? null)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(instances)), instances)
    assert.deepStrictEqual(await paymux.forAccount("default", { mode: "live" }).providers.list(), [])

    assert.deepStrictEqual(await paymux.providers.check("acme_eu"), [
      { grade: "ok", name: "acme_eu", text: "test mode, reached, credentials accepted" },
      { grade: "ok", name: "acme_eu", text: "send its webhooks to http://127.0.0.1:1/payments/webhooks/acme_eu" }
    ])
    assert.strictEqual((await paymux.providers.check("chain"))?.[1]?.text, "sends no webhooks")
    assert.isNull(await paymux.providers.check("acme"))
    assert.isNull(await paymux.forAccount("default", { mode: "live" }).providers.check("acme_eu"))
    const findings = await paymux.doctor()
    const names = new Set(findings.map(({ name }) => name))
    for (const name of ["options", "database", "clock", "endpoints", "rules", "acme_eu", "chain", "public URL"]) {
      assert.isTrue(names.has(name), name)
    }
    assert.deepStrictEqual(
      findings.filter(({ grade }) => grade === "fault"),
      []
    )
    const [elsewhere] = await paymux.forAccount("other", { mode: "live" }).doctor()
    assert.strictEqual(elsewhere?.text, "live mode, account other")
  })

  it("with the simulated ones of the sandbox, which send no webhooks", async () => {
    await using paymux = await createPaymux({ sandbox: true, database: ":memory:" })
    const instances = await paymux.providers.list()
    assert.include(
      instances.map(({ id }) => id),
      "sandbox_card_a"
    )
    for (const { webhookUrl } of instances) assert.isNull(webhookUrl)
    assert.strictEqual((await paymux.providers.check("sandbox_card_a"))?.[0]?.grade, "ok")
    assert.include(String(await paymux.providers.check(1 as never).catch((error: unknown) => error)), "not valid")
  })
})

describe("paymux providers list", () => {
  it("shows where each instance sends its webhooks, and checks one of them", async () => {
    const file = join(folder, "paymux.config.ts")
    writeFileSync(
      file,
      `import { stripe } from "${adapters}/stripe/src/index.ts"
import { fakeStripe } from "${adapters}/stripe/src/testing/index.ts"
const fake = await fakeStripe()
export default { providers: [stripe({ ...fake.options, id: "stripe_eu" })], publicUrl: "https://pay.example" }\n`
    )
    const { stdout } = await commands.run(folder, "providers", "list")
    assert.match(stdout, /stripe_eu +test +stripe .*https:\/\/pay\.example\/webhooks\/stripe_eu *$/m)
    const one = await commands.run(folder, "doctor", "--provider", "stripe_eu", "--json")
    assert.strictEqual(JSON.parse(one.stdout).length, 2)
    assert.include((await commands.run(folder, "doctor", "--provider", "x")).stderr, "has no provider x")
  })
})
