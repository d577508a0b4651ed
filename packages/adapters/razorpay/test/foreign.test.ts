/**
 * Errors and webhooks that Razorpay's documentation, issue threads and other integrations show, with what each must mean. The expectations
 * were written before the adapter was run. The envelope of a `composed` body is ours: its source has the code or the description only.
 */
import { assert, describe, it } from "@effect/vitest"
import type { InquiryOutcome, ProviderError } from "@paymux/core"
import { Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import { begin, later, operation } from "./adapter.ts"
import { signed } from "../src/testing/posted.ts"

const Expected = Schema.Struct({ class: Schema.String, code: Schema.String, about: Schema.optionalKey(Schema.String) })
const Bodies = Schema.Array(
  Schema.Struct({
    id: Schema.String,
    source: Schema.String,
    composed: Schema.optionalKey(Schema.Boolean),
    call: Schema.Literals(["order", "create_intent", "create", "link", "inquire", "capture", "refund", "webhook"]),
    status: Schema.Int,
    body: Schema.JsonObject,
    expected: Expected
  })
)
type Body = (typeof Bodies.Type)[number]

const bodies = Schema.decodeUnknownSync(Schema.fromJsonString(Bodies))(
  readFileSync(new URL("foreign/bodies.json", import.meta.url), "utf8")
)

describe("Razorpay's errors and webhooks, as others report them", () => {
  it("at least 16 of them were not composed here", () => {
    assert.isAtLeast(bodies.filter(({ composed }) => composed !== true).length, 16)
  })

  for (const body of bodies) {
    it.live(`${body.id}: ${body.call} is ${body.expected.class} ${body.expected.code}`, () =>
      Effect.gen(function* () {
        const read = body.call === "webhook" ? yield* received(body) : yield* answered(body)
        assert.deepStrictEqual<unknown>(read, body.expected)
      }).pipe(Effect.scoped)
    )
  }
})

/** What a call makes of the body as the answer to its request. */
const answered = Effect.fnUntraced(function* ({ body, call, status }: Body) {
  const { capture, create, inquire, network, refund, vendor } = yield* begin(call === "create" ? { qr: "qr_code" } : {})
  const answersWith = (after: number) => network.failNext({ executed: false, reply: { status, json: body } }, after)
  const flow = call === "link" ? "hosted" : call === "create" ? "qr" : "intent"
  const request = operation({
    method: { rail: "upi", flow, vpa: null },
    captureMethod: call === "capture" ? "manual" : "automatic"
  })
  switch (call) {
    case "order":
    case "link":
    case "create":
    case "create_intent":
      yield* answersWith(call === "create_intent" ? 1 : 0)
      return yield* meaningOf(create(request))
    case "inquire":
      yield* answersWith(0)
      // The engine reads no error of an inquiry: its outcome stays unknown.
      return yield* Effect.map(meaningOf(inquire({ ...request, reference: "order_1" })), (read) => ({
        ...read,
        class: "unknown"
      }))
    default: {
      const { reference = "" } = yield* create(request)
      yield* vendor.payersAct
      yield* answersWith(1)
      if (call === "refund") return yield* meaningOf(refund(later("refund", request, reference)))
      return capture === undefined
        ? assert.fail("it is declared")
        : yield* meaningOf(capture(later("capture", request, reference)))
    }
  }
})

const meaningOf = (call: Effect.Effect<InquiryOutcome, ProviderError>) =>
  Effect.match(call, {
    onFailure: ({ reason }): typeof Expected.Type => {
      switch (reason._tag) {
        case "AccountNotEnabled":
          return { class: "account_not_enabled", code: reason.code, about: reason.about }
        case "Misconfigured":
          return { class: "credentials", code: reason.detail }
        case "InvalidRequest":
          return { class: "request", code: reason.detail }
        case "RateLimited":
          return { class: "rate_limited", code: "" }
      }
    },
    onSuccess: (answer): typeof Expected.Type => {
      const { _tag, vendorCode = "" } = answer
      if (_tag === "Declined") return { class: "declined", code: answer.code }
      if (_tag !== "Unknown") return { class: _tag, code: vendorCode }
      return { class: unknowns[answer.reason] ?? "unknown", code: vendorCode }
    }
  })

const unknowns: { readonly [reason: string]: string } = { duplicate: "duplicate", in_progress: "undecided" }

/** What the adapter reports of the body as a webhook. */
const received = Effect.fnUntraced(function* ({ body }: Body) {
  const { vendor, webhook } = yield* begin()
  const posted = signed(body, "evt_1", vendor.credentials)
  const [evidence] = yield* webhook(posted.body, posted.headers, Date.now())
  const { event } = body
  if (evidence === undefined) return { class: "ignored", code: event }
  assert.property(evidence.about, "providerReference")
  return { class: evidence.outcome._tag === "Captured" ? "succeeded" : evidence.outcome._tag, code: event }
})
