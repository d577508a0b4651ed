import { assert, describe, it } from "@effect/vitest"
import { defineProvider } from "@paymux/core"
import type { ProviderMode } from "@paymux/core"
import { Effect, Result, Schema } from "effect"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { settingsOf } from "../src/options/PaymuxOptions.ts"
import type { PaymuxOptions, PaymuxSettings } from "../src/options/PaymuxOptions.ts"
import { providerInstance } from "../src/providers/providerInstance.ts"
import { startSummary, startWarnings } from "../src/startSummary.ts"

const provider = (id: string, mode: ProviderMode) =>
  defineProvider({
    id,
    options: Schema.Struct({}),
    mode: () => mode,
    capabilities: () => ({
      methods: { card: { currencies: "any", flows: { token: {} } } },
      operations: { create: { idempotency: { by: "none" }, inquiry: { by: "none" } } }
    }),
    make: () => Effect.die("it is not started")
  })({})

const settings = (options: PaymuxOptions<string>) => Result.getOrThrow(settingsOf(options))

/** As the configured instances run, if all of them but those called `evm` receive webhooks. */
const summary = (found: PaymuxSettings) => {
  const webhook = () => Effect.succeed([])
  const instances = found.providers.map((each) =>
    providerInstance(each, found.publicUrl, each.id === "evm" ? {} : { webhook })
  )
  return startSummary(found, "http://127.0.0.1:4310", instances)
}
const secret = "a secret of 32 characters or more"

describe("the summary of a start", () => {
  it("names address, public URL, mode, database, rules, and each provider with its webhook URL, if it sends any", () => {
    const options: PaymuxOptions<string> = {
      providers: [provider("stripe", "live"), provider("adyen", "live"), provider("evm", "live")],
      routing: { version: 1, default: { priority: ["stripe", "adyen"] } },
      database: "postgres://user:word@db.example:5432/shop",
      publicUrl: "https://pay.example",
      basePath: "/payments",
      secret
    }
    assert.deepStrictEqual(summary(settings(options)).split("\n"), [
      "API         http://127.0.0.1:4310/payments/v1",
      "Public URL  https://pay.example/payments",
      "Mode        live",
      "Database    postgres://db.example:5432/shop",
      "Rules       in the configuration",
      "Providers   stripe (live), webhooks to https://pay.example/payments/webhooks/stripe",
      "            adyen (live), webhooks to https://pay.example/payments/webhooks/adyen",
      "            evm (live), sends no webhooks"
    ])
  })

  it("omits a public URL that is the address, and names the sandbox", () => {
    const options = { sandbox: true, publicUrl: "http://127.0.0.1:4310", database: "sqlite:shop.db" }
    assert.deepStrictEqual(summary(settings(options)).split("\n"), [
      "API        http://127.0.0.1:4310/v1",
      "Mode       test",
      `Database   ${resolve("shop.db")} (SQLite)`,
      "Rules      none: providers in the order of the configuration",
      "Providers  sandbox (simulated, no money moves)"
    ])
  })
})

describe("the summary of a sandbox", () => {
  it("names the providers whose requirements the simulated ones have", () => {
    const last = (options: PaymuxOptions<string>) =>
      summary(settings({ database: ":memory:", ...options }))
        .split("\n")
        .at(-1)
        ?.replace(/^\S*\s+/, "")
    assert.strictEqual(
      last({ sandbox: { like: ["razorpay", "stripe"] } }),
      "sandbox (simulated, no money moves), with the requirements of razorpay, stripe"
    )
    assert.strictEqual(
      last({ sandbox: true, providers: [provider("acme", "test")] }),
      "sandbox (simulated, no money moves), with the requirements of acme"
    )
  })
})

describe("the warnings of a start", () => {
  const warnings = (database: string, ...modes: ReadonlyArray<ProviderMode>) =>
    startWarnings(settings({ providers: modes.map((mode, n) => provider(`p${n}`, mode)), database, secret }))

  it("say that live payments are stored in memory or in a temporary folder", () => {
    assert.match(warnings(":memory:", "live").join(), /^Live payments are stored in memory, and are lost/)
    assert.include(warnings(`sqlite:${join(tmpdir(), "shop.db")}`, "live").join(), "a temporary folder")
    assert.deepStrictEqual(warnings(`sqlite:${resolve(tmpdir(), "../shop/shop.db")}`, "live"), [])
    assert.deepStrictEqual(warnings(":memory:", "test"), [])
  })

  it("name the instances of each mode if both are configured", () => {
    assert.match(warnings("sqlite:shop.db", "live", "test").join(), /\(live: p0; test: p1\)/)
  })
})
