import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import type { ProviderOperation } from "@paymux/core"
import { SandboxPage } from "@paymux/sandbox"
import type { SandboxLedger, SandboxNotifier, SandboxPages } from "@paymux/sandbox"
import { books, withNotifier } from "./Books.ts"
import { card, operation, paymentId, start } from "./Harness.ts"

const waiting = (change: Partial<ProviderOperation> = {}) => operation(1, { method: card("tok_3ds"), ...change })

/** What is shown is for others to say: these name it. */
const pages: SandboxPages = {
  payment: ({ amount, description, state }) => `${state} ${amount.currency} ${amount.minorUnits} ${description}`,
  message: (about, accept) => `${about} ${accept ?? "any language"}`
}

/** Of a server that reads at most as many bytes as the route declares. */
const form = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) => Effect.orDie(text)).pipe(
  Effect.filterOrFail(
    (text) => SandboxPage.routes.every(({ body }) => body === "none" || text.length <= body),
    () => HttpServerResponse.empty({ status: 413 })
  )
)

/** The page of a payment at `sandbox_card_a`, in front of the same book as the providers. */
const open = (asked: ProviderOperation) =>
  Effect.gen(function* () {
    const sandbox = yield* start
    const context = yield* Effect.context<SandboxLedger | SandboxNotifier>()
    const web = yield* Effect.acquireRelease(
      Effect.sync(() =>
        HttpRouter.toWebHandler(SandboxPage.layer(pages, form).pipe(Layer.provide(Layer.succeedContext(context))), {
          disableLogger: true
        })
      ),
      ({ dispose }) => Effect.promise(dispose)
    )
    const answer = yield* sandbox.at("sandbox_card_a").create(asked)
    const address = answer._tag === "Pending" && answer.nextAction?.type === "redirect" ? answer.nextAction.url : ""
    // With the clock of the test.
    const handle = (request: Request) =>
      Effect.flatMap(Effect.context<never>(), (here) => Effect.promise(() => web.handler(request, here)))
    return {
      ...sandbox,
      address,
      get: Effect.suspend(() => handle(new Request(address))),
      post: (body: string, to = address) =>
        handle(
          new Request(to, {
            method: "POST",
            body,
            headers: { "content-type": "application/x-www-form-urlencoded" }
          })
        ),
      fetch: handle
    }
  })

const textOf = (response: Response) => Effect.promise(() => response.text())
const provided = Effect.provide(withNotifier(books[0].layer))

describe("SandboxPage", () => {
  it.effect("shows the payment as its provider has it", () =>
    Effect.gen(function* () {
      const page = yield* open(waiting({ description: "Order 42" }))
      const response = yield* page.get
      assert.strictEqual(response.status, 200)
      assert.strictEqual(yield* textOf(response), "pending INR 10000 Order 42")
    }).pipe(provided)
  )

  it.effect("runs no script, is not cached and cannot be framed", () =>
    Effect.gen(function* () {
      const page = yield* open(waiting())
      const { headers } = yield* page.get
      const policy = headers.get("content-security-policy") ?? ""
      assert.include(policy, "default-src 'none'")
      assert.include(policy, "frame-ancestors 'none'")
      assert.notInclude(policy, "unsafe")
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      assert.match(headers.get("content-type") ?? "", /^text\/html; charset=utf-8$/i)
    }).pipe(provided)
  )

  it.effect("lets the form lead to the return address, and from there to any shop", () =>
    Effect.gen(function* () {
      const page = yield* open(waiting({ returnUrl: "http://pay.example:8080/return/pay_1/token" }))
      const { headers } = yield* page.get
      assert.include(
        headers.get("content-security-policy"),
        "form-action 'self' http://pay.example:8080 https: http://localhost:* http://127.0.0.1:*;"
      )
    }).pipe(provided)
  )

  it.effect("lets the form lead nowhere else where the payer stays", () =>
    Effect.gen(function* () {
      const { headers } = yield* (yield* open(waiting())).get
      assert.include(headers.get("content-security-policy"), "form-action 'self';")
    }).pipe(provided)
  )

  it.effect("Approve takes the money, reports it and sends the payer to the given address, unchanged", () =>
    Effect.gen(function* () {
      const returnUrl = "https://pay.example/return/pay_1/token"
      const page = yield* open(waiting({ returnUrl }))
      const response = yield* page.post("decision=approve")
      assert.strictEqual(response.status, 303)
      assert.strictEqual(response.headers.get("location"), returnUrl)
      assert.deepStrictEqual(page.kinds(), ["succeeded"])
      assert.strictEqual((yield* page.ledger.movements(paymentId(1))).length, 1)
    }).pipe(provided)
  )

  it.effect("Approve holds the money where the merchant captures later", () =>
    Effect.gen(function* () {
      const page = yield* open(waiting({ captureMethod: "manual" }))
      const response = yield* page.post("decision=approve")
      assert.include(yield* textOf(response), "authorized")
      assert.deepStrictEqual(page.kinds(), ["authorized"])
    }).pipe(provided)
  )

  it.effect("Decline declines, and a second click changes nothing", () =>
    Effect.gen(function* () {
      const page = yield* open(waiting())
      assert.include(yield* textOf(yield* page.post("decision=decline")), "declined")
      assert.include(yield* textOf(yield* page.post("decision=approve")), "declined")
      assert.deepStrictEqual(
        page.emitted.map(({ outcome }) => (outcome._tag === "Declined" ? outcome.code : outcome._tag)),
        ["authentication_failed"]
      )
      assert.deepStrictEqual(yield* page.ledger.movements(paymentId(1)), [])
    }).pipe(provided)
  )

  it.effect("Let it expire ends it without money", () =>
    Effect.gen(function* () {
      const page = yield* open(waiting())
      assert.include(yield* textOf(yield* page.post("decision=expire")), "expired")
      assert.deepStrictEqual(page.kinds(), ["expired"])
      assert.deepStrictEqual(yield* page.ledger.movements(paymentId(1)), [])
    }).pipe(provided)
  )

  it.effect("Decline before the simulated payer approves prevents the approval", () =>
    Effect.gen(function* () {
      const page = yield* open(operation(1, { method: card() }))
      yield* page.post("decision=decline")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(page.kinds(), ["declined"])
      assert.deepStrictEqual(yield* page.ledger.movements(paymentId(1)), [])
    }).pipe(provided)
  )

  it.effect("a form that says something else is refused and decides nothing", () =>
    Effect.gen(function* () {
      const page = yield* open(waiting())
      const bodies = ["", "decision=maybe", "decision=approve&decision=decline", "decision=approve&x=1"]
      for (const body of bodies) assert.strictEqual((yield* page.post(body)).status, 400, body)
      assert.strictEqual((yield* page.post(`decision=approve${"&".repeat(2_000)}`)).status, 413)
      assert.deepStrictEqual(page.kinds(), [])
    }).pipe(provided)
  )

  it.effect("an address that was never given is not found", () =>
    Effect.gen(function* () {
      const page = yield* open(waiting())
      const elsewhere = page.address.replace("sandbox_card_a", "sandbox_card_b")
      assert.strictEqual((yield* page.fetch(new Request(elsewhere))).status, 404)
      assert.strictEqual((yield* page.post("decision=approve", `${page.address}x`)).status, 404)
    }).pipe(provided)
  )
})
