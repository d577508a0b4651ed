/** Log lines about faults that only an operator or an author can fix, and that no payment shows. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as Outcome from "../../src/domain/Outcome.ts"
import { invalidRequest, misconfigured } from "../../src/provider/ProviderError.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { PaymentStore } from "../../src/store/PaymentStore.ts"
import { createOf, idempotent, read, scripted, start, reported } from "./fixtures.ts"

const emptyStore = Effect.map(Layer.build(MemoryStore.layer), (context) => Context.get(context, PaymentStore))

/** With the lines that were logged. */
const loggedLines = <A, E, R>(run: (lines: ReadonlyArray<string>) => Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
    return Effect.provide(run(lines), logger)
  })

describe("the log says", () => {
  it.effect("that a reply could not be applied because of a defect, although nothing waited until then", () =>
    loggedLines((lines) =>
      Effect.gen(function* () {
        const store = { ...(yield* emptyStore), advance: () => Effect.die(new Error("a defect of the store")) }
        const { create } = yield* start(store, [
          scripted("acme", { create: () => Effect.succeed(Outcome.succeeded()) })
        ])
        yield* Effect.exit(Effect.annotateLogs(create(), "request_id", "req_1"))
        assert.lengthOf(lines, 1)
        assert.include(lines[0], "its send failed unexpectedly; the reconciler settles it")
        assert.include(lines[0], "request_id=req_1")
      })
    )
  )

  it.effect("at shutdown that a payment is in flight, unless its caller has the answer", () =>
    loggedLines((lines) =>
      Effect.gen(function* () {
        const slow = Effect.delay(Effect.succeed(Outcome.succeeded()), "1 second")
        const { create, end } = yield* start(yield* emptyStore, [scripted("acme", { create: () => slow })])
        const answered = yield* Effect.forkChild(Effect.andThen(create(), end), { startImmediately: true })
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(answered)
        assert.deepStrictEqual(lines, [])
        const stopped = yield* start(yield* emptyStore, [scripted("acme", { create: () => Effect.never })])
        const waiting = yield* Effect.forkChild(stopped.create(), { startImmediately: true })
        yield* stopped.end
        yield* Fiber.join(waiting)
        assert.lengthOf(lines, 1)
        assert.include(lines[0], "is still in flight at shutdown")
      })
    )
  )

  it.effect("what an adapter cannot say to its provider, with the operation and the code", () =>
    loggedLines((lines) =>
      Effect.gen(function* () {
        const answer = Outcome.notExecuted({ reason: "adapter_fault", vendorCode: "token" })
        const { create } = yield* start(yield* emptyStore, [scripted("acme", { create: () => Effect.succeed(answer) })])
        const { attempts, operations, payment } = yield* create()
        assert.strictEqual(attempts[0]?.vendorCode, "token")
        assert.deepInclude(payment.state, { status: "failed" })
        const reported = lines.filter((line) => line.includes("level=WARN"))
        assert.lengthOf(reported, 1)
        for (const part of ["provider=acme", "and nothing was sent: token", `operation=${operations[0]?.id}`]) {
          assert.include(reported[0], part)
        }
      })
    )
  )

  for (const [what, answer, said] of [
    [
      "that a provider could not be reached, and why",
      Outcome.notExecuted({ reason: "not_sent", vendorCode: "connection_refused" }),
      "acme could not be reached, and nothing was sent: connection_refused"
    ],
    [
      "that a provider did not execute a request, and with which proof",
      Outcome.notExecuted({ reason: "proof_code", vendorCode: "not_started" }),
      "acme did not execute the request: not_started"
    ],
    [
      "that the outcome is unknown, and why",
      Outcome.unknown({ reason: "server_error", vendorCode: "http_502" }),
      "The response of acme is inconclusive (server_error, http_502): the outcome is unknown"
    ]
  ] as const) {
    it.effect(what, () =>
      loggedLines((lines) =>
        Effect.gen(function* () {
          const acme = scripted("acme", { create: () => Effect.succeed(answer) }, {})
          const engine = yield* start(yield* emptyStore, [acme])
          const { payment } = yield* engine.create()
          const warnings = lines.filter((line) => line.includes("level=WARN"))
          assert.lengthOf(warnings, 1)
          assert.include(warnings[0], said)
          assert.include(warnings[0], `payment_id=${payment.id}`)
        })
      )
    )
  }

  it.effect("which candidates cannot take a payment, and why", () =>
    loggedLines((lines) =>
      Effect.gen(function* () {
        const acme = scripted("acme", { create: () => Effect.succeed(Outcome.succeeded()) }, idempotent, "live")
        const { create } = yield* start(yield* emptyStore, [acme])
        yield* Effect.flip(create())
        assert.lengthOf(
          lines.filter((line) => line.includes("No provider can take a payment: acme mode_mismatch")),
          1
        )
      })
    )
  )

  it.effect("what a provider found invalid in our request", () =>
    loggedLines((lines) =>
      Effect.gen(function* () {
        const create = () => Effect.fail(invalidRequest("http_400 amount_too_small"))
        const engine = yield* start(yield* emptyStore, [scripted("acme", { create })])
        yield* engine.create()
        assert.lengthOf(
          lines.filter((line) => line.includes("level=WARN") && line.includes("amount_too_small")),
          1
        )
      })
    )
  )

  it.effect("which next action of an adapter cannot be shown, and not its value", () =>
    loggedLines((lines) =>
      Effect.gen(function* () {
        const nextAction = { type: "redirect", url: "javascript:alert(1)", expiresAt: null } as const
        const create = () => Effect.succeed(Outcome.pending({ nextAction }))
        const engine = yield* start(yield* emptyStore, [scripted("acme", { create })])
        yield* engine.create()
        const errors = lines.filter((line) => line.includes("level=ERROR"))
        assert.lengthOf(errors, 1)
        for (const part of ["nextAction that has a url", "provider=acme"]) assert.include(errors[0], part)
        assert.notInclude(errors[0], "javascript")
      })
    )
  )

  it.effect("each review once, when it opens, with its payment, its reason and its id", () =>
    loggedLines((lines) =>
      Effect.gen(function* () {
        const store = yield* emptyStore
        const create = () => Effect.succeed(Outcome.succeeded({ reference: "ch_1" }))
        const engine = yield* start(store, [scripted("acme", { create }, {})])
        const record = yield* engine.create()
        const charged = (reference: string) =>
          engine.payments.advance(reported(createOf(record), { _tag: "Succeeded", reference }))
        const errors = () => lines.filter((line) => line.includes("level=ERROR"))
        assert.lengthOf(errors(), 0)
        for (const [place, reference] of ["ch_2", "ch_3"].entries()) {
          yield* charged(reference)
          yield* charged(reference)
          assert.lengthOf(errors(), place + 1)
          const review = (yield* read(store, record)).payment.reviews.find((each) => each.reference === reference)
          for (const part of [record.payment.id, "duplicate_capture", `${review?.id}`]) {
            assert.include(errors().at(-1), part)
          }
        }
        yield* engine.payments.advance(reported(createOf(record), { _tag: "Disputed" }))
        assert.lengthOf(errors(), 2)
      })
    )
  )

  it.effect("a review again whose reason has changed", () =>
    loggedLines((lines) =>
      Effect.gen(function* () {
        const store = yield* emptyStore
        const declined = Outcome.declined({ code: "issuer_unavailable", retry: "other_provider" })
        const pending = Outcome.pending()
        const engine = yield* start(store, [
          scripted("acme", { create: () => Effect.succeed(declined) }),
          scripted("other", { create: () => Effect.succeed(pending) }, { cancelIsFinal: true })
        ])
        const record = yield* engine.create()
        const second = createOf(record, 2)
        yield* engine.payments.advance(reported(second, { _tag: "Canceled" }))
        yield* engine.payments.advance(reported(second, { _tag: "Succeeded" }))
        yield* engine.payments.advance(reported(createOf(record), { _tag: "Succeeded" }))
        const { payment } = yield* read(store, record)
        const errors = lines.filter((line) => line.includes("level=ERROR"))
        assert.deepStrictEqual([payment.state.status, payment.reviews.length, errors.length], ["succeeded", 1, 2])
        for (const [place, reason] of ["late_success", "duplicate_capture"].entries()) {
          assert.include(errors[place], `${reason} (${payment.reviews[0]?.id})`)
        }
      })
    )
  )

  it.effect("once that a provider rejected the configured credentials", () =>
    loggedLines((lines) =>
      Effect.gen(function* () {
        const refusing = scripted("acme", { create: () => Effect.fail(misconfigured("http_401")) })
        const taking = scripted("other", { create: () => Effect.succeed(Outcome.succeeded()) })
        const { create } = yield* start(yield* emptyStore, [refusing, taking])
        for (let payment = 0; payment < 5; payment++) yield* create()
        const reported = lines.filter((line) => line.includes("level=ERROR"))
        assert.lengthOf(reported, 1)
        assert.match(reported[0] ?? "", /acme rejected the configured credentials[^]*http_401/)
      })
    )
  )

  it.effect("that live shoppers are sent back to this machine, or without https", () =>
    Effect.forEach(
      [
        ["http://localhost:4310", "live", 1],
        ["http://pay.example.com", "live", 1],
        ["https://pay.example.com", "live", 0],
        ["http://localhost:4310", "test", 0]
      ] as const,
      ([publicUrl, mode, times]) =>
        loggedLines((lines) =>
          Effect.gen(function* () {
            const provider = scripted("acme", { create: () => Effect.succeed(Outcome.succeeded()) }, idempotent, mode)
            yield* start(yield* emptyStore, [provider, { ...provider, id: "another" }], { publicUrl })
            assert.lengthOf(
              lines.filter((line) => line.includes("set publicUrl")),
              times,
              `${mode} ${publicUrl}`
            )
          })
        )
    )
  )
})
