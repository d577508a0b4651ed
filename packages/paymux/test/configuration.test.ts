/** A configuration that cannot be right is refused at the start: one message that names every fault and shows no secret. */
import { defineProvider, Outcome } from "@paymux/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { createPaymux } from "../src/index.ts"
import type { PaymuxOptions } from "../src/index.ts"

const card = (id: string, mode: "test" | "live" = "test") =>
  defineProvider({
    id,
    options: Schema.Struct({}),
    mode: () => mode,
    capabilities: () => ({
      methods: { card: { currencies: "any", flows: { hosted: {} } } },
      operations: { create: {} }
    }),
    make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.succeeded()) })
  })({})

const refusal = async (options: PaymuxOptions): Promise<string> => {
  try {
    await using _paymux = await createPaymux({ database: ":memory:", ...options })
    return "started"
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe("a configuration that is refused", () => {
  const cases: ReadonlyArray<readonly [string, PaymuxOptions, RegExp]> = [
    ["a provider id that is used twice", { providers: [card("acme"), card("acme")] }, /"acme" is used twice/],
    ["no provider", {}, /No provider is configured/],
    ["live mode without a secret", { providers: [card("acme", "live")] }, /needs a secret/],
    ["a short secret", { providers: [card("acme")], secret: "short" }, /at least 32 characters/],
    ["a live provider beside the sandbox", { providers: [card("acme", "live")], sandbox: true }, /test providers only/],
    [
      "a split of all zeroes",
      { providers: [card("a"), card("b")], routing: { version: 1, default: { split: { a: 0, b: 0 } } } },
      /add up to 100|adds? to 100|100/
    ],
    [
      "a breaker that gives up a probe while it may still answer",
      { providers: [card("acme")], breaker: { probeLeaseMs: 5_000 } },
      /probeLeaseMs must be longer than an attempt, which may take 30000 ms/
    ],
    ["a breaker that never opens", { providers: [card("acme")], breaker: { failurePercent: 0 } }, /failurePercent/],
    [
      "a misspelt setting of the breaker",
      { providers: [card("acme")], breaker: { probeLease: 5 } as PaymuxOptions["breaker"] & object },
      /no setting "probeLease"/
    ],
    [
      "a limit of a card network that is none",
      { providers: [card("acme")], cardRetries: { limits: { Visa: { declines: 0, within: "30 days" } } } },
      /"Visa" must be a card network[^]*declines must be a whole number/
    ],
    ["a mode that is none", { providers: [card("acme", "live")], ...JSON.parse('{"mode":"Live"}') }, /mode must be/],
    ["a mode that is no text", { providers: [card("acme")], ...JSON.parse('{"mode":5}') }, /mode must be/],
    [
      "settings of cards that are null",
      { providers: [card("acme")], ...JSON.parse('{"cardRetries":null}') },
      /cardRetries/
    ],
    [
      "an account that is no text",
      { providers: [card("acme")], ...JSON.parse('{"account":5}') },
      /account must be text/
    ],
    [
      "a secret and an address that are no text",
      { providers: [card("acme")], ...JSON.parse('{"secret":5,"publicUrl":{}}') },
      /publicUrl must be text[^]*secret must be text/
    ],
    ["a provider alone", { ...JSON.parse('{"providers":{"id":"acme"}}') }, /providers must be a list of providers/],
    [
      "settings of webhooks of another type",
      { providers: [card("acme")], ...JSON.parse('{"webhooks":{"allow":"localhost","disableAfterDays":"5","x":1}}') },
      /no option "webhooks.x"[^]*webhooks.allow must be a list[^]*disableAfterDays must be/
    ],
    ["a database of another kind", { providers: [card("acme")], database: "mysql://localhost/x" }, /sqlite:<file>/],
    [
      "a PostgreSQL address without a database",
      { providers: [card("acme")], database: "postgres://localhost" },
      /postgres:\/\//
    ],
    [
      "rules that are nothing",
      { providers: [card("acme")], ...JSON.parse('{"routing":null}') },
      /routing must be rules/
    ],
    ["the text of rules", { providers: [card("acme")], routing: "version: 1\ndefault: {}" }, /not the text of a file/],
    ["a public address that is none", { providers: [card("acme")], publicUrl: "ftp://x" }, /publicUrl/]
  ]
  for (const [what, options, sentence] of cases) {
    it(`is refused: ${what}`, async () => {
      assert.match(await refusal(options), sentence)
    })
  }

  it("no options at all are an empty object, and what is no object is said to be none", async () => {
    for (const wrong of ["null", "5", '"sandbox"']) {
      const told = await createPaymux(JSON.parse(wrong)).then(
        () => "started",
        (error: unknown) => String(error)
      )
      assert.match(told, /The options must be an object/)
    }
  })

  it("every fault is named at once, and no secret is shown", async () => {
    const told = await refusal({
      secret: "hunter2",
      database: "mysql://u:hunter3@h/d",
      account: "no spaces",
      breaker: { openMs: 0 }
    })
    for (const part of [/secret must have/, /database must be/, /account must have/, /openMs/, /No provider/]) {
      assert.match(told, part)
    }
    assert.notMatch(told, /hunter/)
  })
})
