/**
 * Answers and webhooks that Cashfree's documents, issue threads and other integrations show, with what each must mean. The expectations
 * were written before the adapter was run. The body of a `composed` one is ours: its source has the code or a table row only.
 */
import { assert, describe, it } from "@effect/vitest"
import type { InquiryOutcome, ProviderError } from "@paymux/core"
import { Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import { cashfree } from "../src/index.ts"
import { fake, s2sFake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"
import { signed } from "../src/testing/posted.ts"
import { byPage, createOperation, running } from "./operations.ts"

const Body = Schema.Struct({
  id: Schema.String,
  source: Schema.String,
  composed: Schema.optionalKey(Schema.Boolean),
  call: Schema.Literals(["order", "session", "link", "inquire", "webhook"]),
  status: Schema.Int,
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  body: Schema.Json,
  expected: Schema.Struct({
    class: Schema.String,
    code: Schema.String,
    scope: Schema.optionalKey(Schema.String),
    field: Schema.optionalKey(Schema.String),
    retry: Schema.optionalKey(Schema.String)
  }),
  /** The error's type, if the expected code alone has no meaning and the type decides. */
  reportedAs: Schema.optionalKey(Schema.String)
})
type Body = typeof Body.Type

const bodies = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Body)))(
  readFileSync(new URL("foreign/bodies.json", import.meta.url), "utf8")
)

describe("Cashfree's answers and webhooks, as others report them", () => {
  it("at least 16 of them were not composed here", () => {
    assert.isAtLeast(bodies.filter(({ composed }) => composed !== true).length, 16)
  })

  for (const body of bodies) {
    it.live(`${body.id}: ${body.call} ${body.status} is ${body.expected.class} ${body.expected.code}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* body.call === "webhook" ? received(body) : answered(body), expectedOf(body))
      }).pipe(Effect.scoped)
    )
  }
})

/** What a call makes of the body as the answer to its request. */
const answered = Effect.fnUntraced(function* ({ body, call, expected, headers = {}, status }: Body) {
  const isPage = call === "link" || (call === "inquire" && status === 404)
  const vendor = yield* (isPage ? fake : s2sFake).start({ mode: "test" })
  const instance = yield* running(cashfree({ ...optionsOf(vendor), s2s: !isPage }))
  const operation = yield* createOperation(isPage ? { method: byPage } : {})
  // The first request of a repeated id was executed.
  const executed = expected.class === "duplicate"
  const reply = { status, headers, json: body }
  if (call !== "inquire") {
    yield* vendor.network.failNext({ executed, reply }, call === "session" ? 1 : 0)
    return yield* meaningOf(instance.create(operation))
  }
  // The payments of an order that has ended, or a link that was never made.
  if (!isPage) yield* instance.create(operation)
  yield* vendor.expire ?? Effect.void
  yield* vendor.network.failNext({ executed, reply }, isPage ? 0 : 1)
  return yield* meaningOf(instance.inquire(operation))
})

const received = Effect.fnUntraced(function* ({ body }: Body) {
  const vendor = yield* fake.start({ mode: "test" })
  const { webhook } = yield* running(cashfree(optionsOf(vendor)))
  const at = Date.now()
  const delivery = signed(JSON.stringify(body), "foreign", at, vendor.credentials.clientSecret)
  const evidence = yield* webhook(delivery.body, delivery.headers, at)
  return evidence.length === 0 ? { class: "ignored" } : { class: "reported", outcome: evidence[0]?.outcome }
})

const meaningOf = (call: Effect.Effect<InquiryOutcome, ProviderError>) =>
  Effect.match(call, { onFailure: ofError, onSuccess: ofOutcome })

const ofError = ({ reason }: ProviderError): object => {
  switch (reason._tag) {
    case "AccountNotEnabled":
      return { class: "account_may_not", code: reason.code, about: reason.about }
    case "Misconfigured":
      return { class: "credentials" }
    case "InvalidRequest":
      return { class: "request", code: reason.detail }
    case "RateLimited":
      return { class: "rate_limited", retryAfterMs: reason.retryAfterMs }
  }
}

const ofOutcome = (outcome: InquiryOutcome): object => {
  switch (outcome._tag) {
    case "Declined":
      return { class: "declined", code: outcome.code, retry: outcome.retry }
    case "NotFound":
      return { class: "not_found" }
    // The first one was looked up.
    case "Pending":
      return { class: "duplicate" }
    case "Unknown":
      return outcome.reason === "in_progress"
        ? { class: "undecided", code: outcome.vendorCode }
        : { class: outcome.reason === "duplicate" ? "duplicate" : "unknown" }
    default:
      return outcome
  }
}

/** The scopes of an account fault: the fact that is missing, this payment, or every payment of the kind. */
const aboutOf = ({ field, scope }: Body["expected"]): string => field ?? (scope === "payment" ? scope : "kind")

const expectedOf = ({ expected, headers, reportedAs }: Body): object => {
  const { class: meaning, code, retry } = expected
  switch (meaning) {
    case "account_may_not":
      return { class: meaning, code: reportedAs ?? code, about: aboutOf(expected) }
    case "declined":
      return { class: meaning, code, retry }
    case "request":
    case "undecided":
      return { class: meaning, code }
    case "rate_limited":
      return { class: meaning, retryAfterMs: Number(headers?.["x-ratelimit-retry"]) * 1_000 }
    default:
      return { class: meaning }
  }
}
