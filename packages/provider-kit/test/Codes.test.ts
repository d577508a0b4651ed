import { assert, describe, it } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import { Effect, Exit } from "effect"
import * as Headers from "effect/http/Headers"
import { Codes } from "../src/index.ts"
import { Answer } from "../src/HttpAnswer.ts"

const codes = Codes.table({
  declined: { card_declined: { code: "generic_decline", retry: "same_later" } },
  undecided: ["in_review"],
  duplicate: ["order_exists"],
  accountNotEnabled: {
    feature_not_enabled: { about: "kind", help: "Enable it.", source: "Acme" },
    address_missing: { about: "customer.address", help: "Send customer.address.", source: "Acme" }
  },
  credentials: ["account_closed"],
  request: ["amount_invalid"]
})

const answerOf = (status: number) =>
  new Answer({ status, headers: Headers.empty, body: new Uint8Array(), host: "acme", reusedConnection: false })

const read = (status: number, ...found: ReadonlyArray<string | null>) => {
  const exit = Effect.runSync(Effect.exit(Codes.outcome(codes, answerOf(status), found)))
  if (Exit.isSuccess(exit)) return exit.value
  const error = Effect.runSync(Effect.flip(Codes.outcome(codes, answerOf(status), found)))
  const { reason } = error
  return reason._tag === "AccountNotEnabled" ? [reason._tag, reason.code, reason.about] : [reason._tag]
}

describe("a table of vendor codes", () => {
  it("decides by the code whatever 4xx carries it", () => {
    for (const status of [400, 401, 403, 404, 409, 422]) {
      assert.deepStrictEqual(read(status, "feature_not_enabled"), ["AccountNotEnabled", "feature_not_enabled", "kind"])
      assert.deepStrictEqual(read(status, "address_missing"), [
        "AccountNotEnabled",
        "address_missing",
        "customer.address"
      ])
      assert.deepStrictEqual(read(status, "account_closed"), ["Misconfigured"])
      assert.deepStrictEqual(read(status, "amount_invalid"), ["InvalidRequest"])
      assert.deepStrictEqual(
        read(status, "card_declined"),
        Outcome.declined({ code: "generic_decline", retry: "same_later", vendorCode: "card_declined" })
      )
      assert.deepInclude(read(status, "in_review"), { _tag: "Unknown", reason: "in_progress" })
      assert.deepInclude(read(status, "order_exists"), { _tag: "Unknown", reason: "duplicate" })
    }
  })

  it("takes the first code that it knows, and reports the most specific one if it knows none", () => {
    assert.deepInclude(read(400, "news", "order_exists"), { reason: "duplicate", vendorCode: "order_exists" })
    assert.deepInclude(read(404, "news", "more_news"), { reason: "unmapped", vendorCode: "news" })
    assert.deepInclude(read(404, null), { reason: "unmapped", vendorCode: "http_404" })
  })

  it("leaves an unknown code to its status, and never reads a code of 429, 5xx or a success", () => {
    assert.deepStrictEqual(read(400, "news"), ["InvalidRequest"])
    assert.deepStrictEqual(read(403, "news"), ["Misconfigured"])
    assert.deepStrictEqual(read(429, "feature_not_enabled"), ["RateLimited"])
    for (const status of [200, 302, 500, 503]) {
      assert.strictEqual((read(status, "feature_not_enabled") as Outcome.Unknown)._tag, "Unknown")
      assert.strictEqual((read(status, "card_declined") as Outcome.Unknown)._tag, "Unknown")
    }
  })

  it("does not take the name of an object's own property for a code", () => {
    assert.deepStrictEqual(read(400, "toString"), ["InvalidRequest"])
    assert.isNull(Codes.declinedBy(codes, "constructor"))
  })

  it("refuses a code that stands in two classes", () => {
    const decline = { code: "do_not_honor", retry: "never" } as const
    const fault = { about: "kind", help: "", source: "" } as const
    for (const definition of [
      { declined: { twice: decline }, request: ["twice"] },
      { declined: { twice: decline }, accountNotEnabled: { twice: fault } },
      { duplicate: ["twice"], undecided: ["twice"] },
      { credentials: ["twice", "twice"] }
    ] satisfies ReadonlyArray<Codes.Definition>) {
      assert.throws(() => Codes.table(definition), 'The code "twice" stands twice')
    }
  })

  it("without its declines reads a decline by its status", () => {
    const exit = Effect.runSync(
      Effect.flip(Codes.outcome(Codes.withoutDeclines(codes), answerOf(400), ["card_declined"]))
    )
    assert.strictEqual(exit.reason._tag, "InvalidRequest")
  })

  it("gives the sentences for operators by code", () => {
    assert.deepStrictEqual(Codes.accountHelp(codes), {
      feature_not_enabled: "Enable it.",
      address_missing: "Send customer.address."
    })
  })
})
