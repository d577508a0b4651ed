import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Tracer } from "effect"
import { redactedTracer } from "../../src/telemetry/RedactedTracer.ts"

/** What is handed on of the spans of `run`. */
const handedOn = <A, E>(run: Effect.Effect<A, E>) =>
  Effect.suspend(() => {
    const spans: Array<Tracer.NativeSpan> = []
    const inner = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    return Effect.as(Effect.exit(Effect.provideService(run, Tracer.Tracer, redactedTracer(inner))), spans)
  })

const canaries = /4111|asha|sk_live_5|whsec_M/

describe("redactedTracer", () => {
  it.effect("cleans names, attributes, events and links", () =>
    Effect.gen(function* () {
      const [span] = yield* handedOn(
        Effect.gen(function* () {
          yield* Effect.annotateCurrentSpan({
            note: "card 4111111111111111",
            deep: { email: "asha@example.com" },
            n: 3
          })
          const current = yield* Effect.orDie(Effect.currentSpan)
          current.event("for asha@example.com", 1n, { key: "sk_live_51HxYzAbCdEf" })
          current.addLinks([{ span: current, attributes: { secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" } }])
        }).pipe(Effect.withSpan("of asha@example.com"))
      )
      if (span === undefined) throw new Error("no span")
      assert.strictEqual(span.name, "of [redacted]")
      assert.deepStrictEqual(Object.fromEntries(span.attributes), {
        note: "card [redacted]",
        deep: "[object]",
        n: 3
      })
      const events = span.events.map(([name, , attributes]) => [name, attributes])
      assert.deepStrictEqual(events, [["for [redacted]", { key: "sk_live_[redacted]" }]])
      assert.deepStrictEqual(span.links[0]?.attributes, { secret: "whsec_[redacted]" })
    })
  )

  it.effect("cleans the error that a span ended with, and its stack", () =>
    Effect.gen(function* () {
      const [span] = yield* handedOn(
        Effect.withSpan(Effect.fail(new TypeError("4111 1111 1111 1111 of asha@example.com")), "work")
      )
      const status = span?.status
      if (status?._tag !== "Ended" || !Exit.isFailure(status.exit)) throw new Error("it did not fail")
      const [error] = Cause.prettyErrors(status.exit.cause)
      assert.deepInclude(
        { name: error?.name, message: error?.message },
        { name: "TypeError", message: "[redacted] of [redacted]" }
      )
      assert.notMatch(`${error?.stack}`, canaries)
    })
  )

  it.effect("keeps parents, and hands on no statement of the database", () =>
    Effect.gen(function* () {
      const spans = yield* handedOn(
        Effect.void.pipe(Effect.withSpan("sqlite"), Effect.withSpan("inner"), Effect.withSpan("outer"))
      )
      assert.deepStrictEqual(
        spans.map(({ name }) => name),
        ["outer", "inner"]
      )
      assert.strictEqual(spans[0]?.traceId, spans[1]?.traceId)
    })
  )
})
