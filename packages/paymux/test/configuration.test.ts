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

const long = "a secret of at least 32 characters"

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
    [
      "a retired instance with an option",
      // Boundary: a configuration file is not type-checked.
      { providers: [card("acme"), { id: "gone", retired: true, apiKey: "x" } as { id: string; retired: true }] },
      /The retired instance "gone" has no option "apiKey"/
    ],
    [
      "a retired instance with an id that is none",
      { providers: [card("acme"), { id: "Gone one", retired: true }] },
      /The id of a retired instance: use lower-case letters/
    ],
    [
      "an instance that is also retired",
      { providers: [card("acme"), { id: "acme", retired: true }] },
      /"acme" is used twice/
    ],
    ["a review of absent instances at once", { sandbox: true, absentReviewHours: 0 }, /absentReviewHours must be/],
    ["live mode without a secret", { providers: [card("acme", "live")] }, /needs a secret/],
    ["a short secret", { providers: [card("acme")], secret: "short" }, /at least 32 characters/],
    ["no secret in the list", { providers: [card("acme")], secret: [] }, /list of secrets is empty/],
    [
      "a short secret in the list",
      { providers: [card("acme")], secret: [long, "short"] },
      /Each secret must have at least 32 characters: number \d of the list has not/
    ],
    ["a secret twice", { providers: [card("acme")], secret: [long, `other ${long}`, long] }, /repeats one/],
    [
      "more secrets than are compared",
      { providers: [card("acme")], secret: [1, 2, 3, 4, 5, 6].map((n) => `${long} ${n}`) },
      /give at most 5/
    ],
    [
      "secrets that are no text",
      { providers: [card("acme")], ...JSON.parse(`{"secret":["${long}",5]}`) },
      /secret must be text, or a list of texts/
    ],
    ["a live provider beside the sandbox", { providers: [card("acme", "live")], sandbox: true }, /test providers only/],
    ["a sandbox in live mode", { sandbox: true, mode: "live" }, /sandbox has no live mode/],
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
    [
      "telemetry that goes nowhere",
      { providers: [card("acme")], telemetry: { otlpEndpoint: "collector:4318" } },
      /telemetry\.otlpEndpoint must be an http or https address/
    ],
    [
      "a token for metrics that can be guessed",
      { providers: [card("acme")], metricsToken: "short" },
      /metricsToken must have 16 to 512 visible ASCII characters/
    ],
    [
      "a token for metrics that no header can carry",
      { providers: [card("acme")], metricsToken: "sixteen characters\n" },
      /metricsToken must have 16 to 512 visible ASCII characters/
    ],
    [
      "a token for metrics that is no text",
      { providers: [card("acme")], ...JSON.parse('{"metricsToken":1234567890123456}') },
      /metricsToken must be text/
    ],
    [
      "logs of a format that is none",
      { providers: [card("acme")], ...JSON.parse('{"logs":"xml"}') },
      /logs must be pretty, json, logfmt or false/
    ],
    [
      "logs that are true",
      { providers: [card("acme")], ...JSON.parse('{"logs":true}') },
      /logs must be pretty, json, logfmt or false/
    ],
    [
      "rate limits that are no settings",
      { providers: [card("acme")], ...JSON.parse('{"rateLimit":true}') },
      /rateLimit must be an object/
    ],
    [
      "rate limits that are null",
      { providers: [card("acme")], ...JSON.parse('{"rateLimit":null}') },
      /rateLimit must be an object/
    ],
    [
      "a rate limit of zero",
      { providers: [card("acme")], rateLimit: { writesPerSecond: 0 } },
      /rateLimit.writesPerSecond must be a whole number from 1/
    ],
    [
      "rate limits that are no whole numbers, or are too many",
      { providers: [card("acme")], ...JSON.parse('{"rateLimit":{"writesPerSecond":"10","readsPerSecond":1e9}}') },
      /rateLimit.writesPerSecond must be[^]*rateLimit.readsPerSecond must be/
    ],
    [
      "a misspelt rate limit",
      { providers: [card("acme")], ...JSON.parse('{"rateLimit":{"writes":10}}') },
      /no option "rateLimit.writes"/
    ],
    [
      "a retention that is neither settings nor false",
      { providers: [card("acme")], ...JSON.parse('{"retention":null}') },
      /retention must be an object of settings, or false/
    ],
    [
      "days of retention that are none",
      {
        providers: [card("acme")],
        ...JSON.parse('{"retention":{"idempotencyAnswersDays":0,"inboxDays":"90","deliveriesDays":1.5}}')
      },
      /retention.idempotencyAnswersDays must be a whole number of days[^]*retention.inboxDays must[^]*retention.deliveriesDays must/
    ],
    [
      "a misspelt setting of retention",
      { providers: [card("acme")], ...JSON.parse('{"retention":{"answersDays":30}}') },
      /no option "retention.answersDays"/
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
    ["a list with no provider in it", { ...JSON.parse('{"providers":[null,"acme"]}') }, /providers must be a list of/],
    ["a provider that was made by hand", { ...JSON.parse('{"providers":[{"id":"acme"}]}') }, /with defineProvider/],
    ["a provider alone", { ...JSON.parse('{"providers":{"id":"acme"}}') }, /providers must be a list of providers/],
    [
      "settings of webhooks of another type",
      { providers: [card("acme")], ...JSON.parse('{"webhooks":{"allow":"localhost","disableAfterDays":"5","x":1}}') },
      /no option "webhooks.x"[^]*webhooks.allow must be a list[^]*disableAfterDays must be/
    ],
    [
      "keys of metadata that could not have an index",
      { providers: [card("acme")], indexedMetadata: ["a b", "", "k".repeat(41), "x", "x"] },
      /each key must have 1 to 40 letters[^]*duplicate key/
    ],
    [
      "more keys of metadata than every payment should pay for",
      { providers: [card("acme")], indexedMetadata: Array.from({ length: 11 }, (_, n) => `key_${n}`) },
      /at most 10 keys/
    ],
    [
      "a key of metadata alone",
      { providers: [card("acme")], ...JSON.parse('{"indexedMetadata":"order_id"}') },
      /indexedMetadata must be a list of keys/
    ],
    [
      "no key for order numbers",
      { providers: [card("acme")], orderNumberKeys: [] },
      /orderNumberKeys must have 1 to 10/
    ],
    [
      "keys for order numbers that metadata cannot have, that are card data, or stand twice",
      { providers: [card("acme")], orderNumberKeys: ["", "k".repeat(41), "card_number", "x", "x"] },
      /1 to 40 characters[^]*the name of card data[^]*duplicate key/
    ],
    [
      "more keys for order numbers than ten",
      { providers: [card("acme")], orderNumberKeys: Array.from({ length: 11 }, (_, n) => `key_${n}`) },
      /1 to 10 keys/
    ],
    [
      "a key for order numbers alone",
      { providers: [card("acme")], ...JSON.parse('{"orderNumberKeys":"order_id"}') },
      /orderNumberKeys must be a list of keys/
    ],
    [
      "keys for order numbers that are no text",
      { providers: [card("acme")], ...JSON.parse('{"orderNumberKeys":[5,null]}') },
      /orderNumberKeys: each key must have 1 to 40/
    ],
    [
      "keys of metadata that are no text",
      { providers: [card("acme")], ...JSON.parse('{"indexedMetadata":[5,null]}') },
      /each key must have 1 to 40 letters/
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
    ["a public address that is none", { providers: [card("acme")], publicUrl: "ftp://x" }, /publicUrl/],
    [
      "a public address that nothing can be put behind",
      { providers: [card("acme")], publicUrl: "https://pay.example/?shop=1" },
      /publicUrl must be an http or https address, without a user name or a query/
    ],
    [
      "a public address with a password, which every shopper would see",
      { providers: [card("acme")], publicUrl: "https://shop:hunter@pay.example" },
      /publicUrl must be an http or https address, without a user name or a query/
    ],
    [
      "a public address that has the base path already",
      { providers: [card("acme")], publicUrl: "https://shop.example/pay/", basePath: "/pay" },
      /publicUrl must not end in the basePath \/pay/
    ],
    [
      "a base path that is no text",
      { providers: [card("acme")], ...JSON.parse('{"basePath":5}') },
      /basePath must be text/
    ],
    ...[
      [["myapp"], /returnSchemes must be an object of lists by account/],
      [{ "a b": ["myapp"] }, /returnSchemes has an invalid account name/],
      [{ shop: "myapp" }, /returnSchemes\.shop must be a list of schemes/],
      [{ shop: [] }, /returnSchemes\.shop is empty: list a scheme/],
      ...["javascript", "data", "file", "vbscript", "blob", "about"].map((scheme) => [
        { shop: ["myapp", scheme] },
        new RegExp(`returnSchemes\\.shop: remove "${scheme}"\\. A browser would run it`)
      ]),
      [{ shop: ["https"] }, /returnSchemes\.shop: remove "https", which has rules of its own/],
      ...["JavaScript", "myapp:", "", "my app", "1app", 5, "a".repeat(65)].map((scheme) => [
        { shop: [scheme] },
        /returnSchemes\.shop must have schemes of 1 to 64 lower-case letters/
      ])
    ].map(
      ([returnSchemes, sentence]) =>
        [
          `the schemes ${JSON.stringify(returnSchemes).slice(0, 40)}`,
          { providers: [card("acme")], ...JSON.parse(JSON.stringify({ returnSchemes })) },
          sentence as RegExp
        ] as const
    ),
    ...[
      "payments",
      "/pay ments",
      "/pay//ments",
      "/../pay",
      "/pay%2f",
      "/pay?x",
      "/bezahlen/ö",
      `/${"a".repeat(200)}`
    ].map(
      (basePath) =>
        [
          `the base path ${basePath.slice(0, 20)}`,
          { providers: [card("acme")], basePath },
          /basePath must be a path such as "\/payments"/
        ] as const
    )
  ]
  for (const [what, options, sentence] of cases) {
    it(`is refused: ${what}`, async () => {
      assert.match(await refusal(options), sentence)
    })
  }

  it("no options at all are an empty object, and what is no object is said to be none", async () => {
    for (const wrong of ["null", "5", '"sandbox"']) {
      const reported = await createPaymux(JSON.parse(wrong)).then(
        () => "started",
        (error: unknown) => String(error)
      )
      assert.match(reported, /The options must be an object/)
    }
  })

  it("faults of providers and of rules are named with those of the options", async () => {
    const reported = await refusal({
      providers: [card("acme"), card("acme"), card("b", "live")],
      routing: { version: 1, default: { split: { acme: 0, b: 0 } } },
      secret: "hunter2",
      basePath: "here"
    })
    for (const part of [/"acme" is used twice/, /The routing rules: .*100/, /secret must have/, /basePath must be/]) {
      assert.match(reported, part)
    }
    assert.notMatch(reported, /hunter/)
  })

  it("an option of another type hides no fault of the others, and brings none of its own", async () => {
    const reported = await refusal({ ...JSON.parse('{"providers":{},"account":5,"mode":"Live"}'), secret: "hunter2" })
    for (const part of [/account must be text/, /providers must be a list/, /mode must be/, /secret must have/]) {
      assert.match(reported, part)
    }
    assert.notMatch(reported, /No provider|hunter/)
    assert.strictEqual(reported.split("\n").length, 5)
  })

  it("every fault is named at once, and no secret is shown", async () => {
    const reported = await refusal({
      secret: "hunter2",
      database: "mysql://u:hunter3@h/d",
      account: "no spaces",
      breaker: { openMs: 0 }
    })
    for (const part of [/secret must have/, /database must be/, /account must have/, /openMs/, /No provider/]) {
      assert.match(reported, part)
    }
    assert.notMatch(reported, /hunter/)
  })
})
