import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import { coinbase } from "../src/index.ts"
import { readKey, tokenFor } from "../src/key.ts"
import { fake } from "../src/testing/fake.ts"
import { isFor, newEd25519, newP256, readToken } from "../src/testing/keys.ts"
import { createOperation, dollars, laterOperation, running } from "./operations.ts"
import { optionsOf } from "../src/testing/options.ts"

const request = { method: "POST", host: "api.cdp.coinbase.com", path: "/platform/v2/payment-sessions" }
const kinds: ReadonlyArray<readonly [string, string]> = [
  ["Ed25519", newEd25519()],
  ["ECDSA as EC PRIVATE KEY", newP256()],
  ["ECDSA as PRIVATE KEY", newP256("pkcs8")],
  ["ECDSA with line breaks written as \\n", newP256().replaceAll("\n", "\\n")]
]

describe("tokens", () => {
  for (const [kind, secret] of kinds) {
    it.effect(`by a key of ${kind} are for one request and two minutes`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(1_795_000_000_999)
        const key = readKey(secret)
        if (key === null) return assert.fail("it is a key")
        const made = Redacted.value(yield* tokenFor({ id: "a-key", key }, request))
        const token = readToken(`Bearer ${made}`, secret.replaceAll("\\n", "\n"))
        if (token === null) return assert.fail("it is not signed with the key")
        const url = "api.cdp.coinbase.com/platform/v2/payment-sessions"
        assert.isTrue(isFor(token, { id: "a-key", method: "POST", url }))
        assert.isFalse(isFor(token, { id: "a-key", method: "GET", url }))
        assert.strictEqual(token.header["alg"], kind === "Ed25519" ? "EdDSA" : "ES256")
        assert.deepInclude(token.claims, { iat: 1_794_999_970, nbf: 1_794_999_970, exp: 1_795_000_090 })
        const again = Redacted.value(yield* tokenFor({ id: "a-key", key }, request))
        assert.notStrictEqual(again, made)
      })
    )
  }

  it.live("are made anew for each request, without its query", () =>
    Effect.gen(function* () {
      const vendor = yield* fake.start({ mode: "test" })
      const instance = yield* running(coinbase(optionsOf(vendor)))
      yield* instance.inquire(yield* createOperation())
      yield* instance.create(yield* createOperation())
      const sent = yield* vendor.network.requests
      const tokens = sent.map(({ headers }) => readToken(headers["authorization"], vendor.credentials.apiKeySecret))
      const url = `${new URL(vendor.url).host}/platform/v2/payment-sessions`
      assert.deepStrictEqual(
        tokens.map((token) => token?.claims["uris"]),
        [[`GET ${url}`], [`POST ${url}`]]
      )
      assert.notStrictEqual(tokens[0]?.header["nonce"], tokens[1]?.header["nonce"])
    }).pipe(Effect.scoped)
  )
})

describe("options", () => {
  const options = {
    environment: "sandbox",
    apiKeyId: "a-key",
    apiKeySecret: newEd25519(),
    webhookSecrets: ["whs_1"],
    target: { accountId: "account_af2937b0-9846-4fe7-bfe9-ccc22d935114", asset: "usdc" }
  } as const

  it("a secret that is no key of Coinbase's is refused, and not shown", () => {
    const ed25519 = Buffer.from(options.apiKeySecret, "base64")
    const mixed = Buffer.concat([ed25519.subarray(0, 32), Buffer.from(newEd25519(), "base64").subarray(32)])
    for (const apiKeySecret of [
      "a-secret-that-is-no-key-at-all",
      options.apiKeySecret.slice(0, 40),
      mixed.toString("base64"),
      newP256().replace("MHc", "MHd"),
      `-----BEGIN EC PRIVATE KEY-----\n${options.apiKeySecret}\n-----END EC PRIVATE KEY-----`
    ]) {
      try {
        coinbase({ ...options, apiKeySecret })
        assert.fail("it was taken")
      } catch (error) {
        const said = `${String(error)} ${inspect(error, { depth: 9 })} ${JSON.stringify(error)}`
        assert.include(said, "apiKeySecret: not valid")
        assert.notInclude(said, apiKeySecret.slice(0, 20))
      }
    }
  })

  it("the environment is the mode, and says which assets and networks there are", () => {
    const sandbox = coinbase(options)
    const live = coinbase({ ...options, environment: "live" })
    assert.deepStrictEqual([sandbox.mode, live.mode], ["test", "live"])
    const networksOf = (instance: typeof live) =>
      (instance.capabilities.methods.stablecoin?.assets ?? []).map(({ network }) => network)
    assert.deepStrictEqual(networksOf(live), ["base", "ethereum", "arbitrum", "optimism", "polygon"])
    assert.include(networksOf(sandbox), "base-sepolia")
    const euros = coinbase({ ...options, asset: "eurc" }).capabilities.methods.stablecoin
    assert.deepStrictEqual(euros?.currencies, ["EUR"])
    assert.deepStrictEqual(euros?.assets?.[0], { asset: "EURC", network: "base" })
  })

  it("an address that is paid into is on Base, in USDC, and of a test network only in the sandbox", () => {
    const target = { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", network: "base-sepolia" } as const
    assert.strictEqual(coinbase({ ...options, target }).mode, "test")
    assert.throws(() => coinbase({ ...options, environment: "live", target }), /target\.network: not valid/)
    assert.throws(() => coinbase({ ...options, asset: "eurc", target }), /asset: not valid/)
    assert.throws(() => coinbase({ ...options, payWithinMinutes: 1 }), /payWithinMinutes/)
  })

  it.effect("an address without https is none to start with: each request carries a token", () =>
    Effect.gen(function* () {
      for (const environment of ["sandbox", "live"] as const) {
        const inClear = { ...options, environment, baseUrl: "http://cdp.example/platform" }
        const started = yield* Effect.exit(running(coinbase(inClear)))
        assert.include(inspect(started, { depth: 9 }), "not_https")
        assert.isTrue(Exit.isFailure(started))
      }
    })
  )

  it.live("the times of a session are counted from its operation, and refunds are paid from where it is said", () =>
    Effect.gen(function* () {
      const vendor = yield* fake.start({ mode: "test" })
      const refundFrom = { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" }
      const change = { payWithinMinutes: 10, refundWithinDays: 90, refundFrom }
      const instance = yield* running(coinbase({ ...optionsOf(vendor), ...change }))
      const operation = yield* createOperation()
      const { reference } = yield* instance.create(operation)
      yield* vendor.payersAct
      yield* instance.refund(yield* laterOperation("refund", operation, reference, { amount: dollars(1_005) }))
      const [session, refund] = (yield* vendor.network.requests).map(({ body }) => JSON.parse(body))
      assert.deepStrictEqual(session.expiries, {
        authorizationExpiresAt: new Date(operation.createdAt + 600_000).toISOString(),
        refundExpiresAt: new Date(operation.createdAt + 90 * 86_400_000).toISOString()
      })
      assert.deepStrictEqual(refund.source, refundFrom)
      // The account that was paid into, in what was paid.
      const usual = yield* running(coinbase(optionsOf(vendor)))
      yield* usual.refund(yield* laterOperation("refund", operation, reference, { amount: dollars(1_005) }))
      const last = (yield* vendor.network.requests).at(-1)?.body ?? ""
      assert.deepStrictEqual(JSON.parse(last).source, { ...options.target, asset: "usdc" })
    }).pipe(Effect.scoped)
  )

  it("the properties of an instance contain no secret", () => {
    const shown = inspect(coinbase(options), { depth: 9, showHidden: true })
    assert.notInclude(shown, options.apiKeySecret)
    assert.notInclude(shown, "whs_1")
  })
})
