/** What the engine counts and traces: the real engine on the store in memory. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Metric, Option, Tracer } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import type { ProviderMode } from "../../src/provider/Provider.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { invalidRequest, misconfigured } from "../../src/provider/ProviderError.ts"
import { Payments } from "../../src/Payments.ts"
import { card, engine, idempotent, plain, scripted } from "../engine/fixtures.ts"
import type { Script } from "../engine/fixtures.ts"

const acme = (create: Script["create"], mode: ProviderMode = "test") => scripted("acme", { create }, idempotent, mode)
const other = scripted("other", { create: () => Effect.succeed(Outcome.succeeded()) })

const pay = Effect.flatMap(Payments, (payments) => Effect.flatMap(card, (payment) => payments.create(payment, plain)))

/** What is counted after payments were made, as `name{labels}` with counts. */
const countedBy = <E>(run: Effect.Effect<unknown, E, Payments>, providers: Parameters<typeof engine>[0]) =>
  Effect.gen(function* () {
    const registry: Metric.MetricRegistry = new Map()
    yield* Effect.scoped(
      Effect.gen(function* () {
        const built = yield* Layer.build(engine(providers))
        yield* Effect.provideContext(run, built)
      })
    ).pipe(Effect.provideService(Metric.MetricRegistry, registry))
    const all = Metric.snapshotUnsafe(Context.make(Metric.MetricRegistry, registry))
    return Object.fromEntries(
      all.map(({ attributes, id, state, type }) => [
        `${id} ${Object.values(attributes ?? {}).join(" ")}`,
        type === "Counter" || type === "Histogram" ? Number(state.count) : null
      ])
    )
  })

describe("the engine counts", () => {
  it.effect("a payment by its statuses, its attempts by their outcomes, and the calls behind them", () =>
    Effect.gen(function* () {
      const notSent = Outcome.notExecuted({ reason: "not_sent" })
      const counts = yield* countedBy(Effect.repeat(pay, { times: 1 }), [acme(() => Effect.succeed(notSent)), other])
      assert.deepStrictEqual(counts, {
        "paymux_payments_total pending card test": 2,
        "paymux_payments_total succeeded card test": 2,
        "paymux_attempts_total acme not_executed": 2,
        "paymux_attempts_total other succeeded": 2,
        "paymux_provider_call_duration_seconds acme create not_executed": 2,
        "paymux_provider_call_duration_seconds other create succeeded": 2
      })
    })
  )

  it.effect("how a call ended that was no answer", () =>
    Effect.gen(function* () {
      const ends: ReadonlyArray<readonly [Script["create"], string]> = [
        [() => Effect.fail(invalidRequest("http_400")), "invalid_request"],
        [() => Effect.fail(misconfigured("http_401")), "misconfigured"],
        [() => Effect.die(new Error("a bug")), "broke"],
        [() => Effect.never, "timed_out"]
      ]
      // As long as create waits at most: the outcome of the last two is not known.
      const paid = Effect.gen(function* () {
        const paying = yield* Effect.forkChild(Effect.exit(pay))
        yield* TestClock.adjust("30 seconds")
        yield* Fiber.join(paying)
      })
      for (const [create, outcome] of ends) {
        const counts = yield* countedBy(paid, [acme(create)])
        // One that may have been executed is sent again under its key.
        assert.isAbove(counts[`paymux_provider_call_duration_seconds acme create ${outcome}`] ?? 0, 0, outcome)
      }
    })
  )
})

interface Recorded {
  readonly name: string
  readonly parent: string | null
  readonly kind: Tracer.SpanKind
  readonly attributes: { readonly [name: string]: unknown }
  readonly failed: boolean
}

/** A tracer that keeps every span that has ended. */
const recorder = () => {
  const spans: Array<Recorded> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      const end = span.end.bind(span)
      span.end = (time, exit) => {
        end(time, exit)
        const parent = Option.getOrNull(options.parent)
        spans.push({
          name: options.name,
          parent: parent?._tag === "Span" ? parent.name : null,
          kind: options.kind,
          attributes: Object.fromEntries(span.attributes),
          failed: Exit.isFailure(exit)
        })
      }
      return span
    }
  })
  return { spans, tracer }
}

const tracedBy = <A, E>(
  tracer: Tracer.Tracer,
  run: Effect.Effect<A, E, Payments>,
  providers: Parameters<typeof engine>[0]
) =>
  Effect.scoped(Effect.flatMap(Layer.build(engine(providers)), (built) => Effect.provideContext(run, built))).pipe(
    Effect.provideService(Tracer.Tracer, tracer)
  )

describe("the engine traces", () => {
  it.effect("a payment, each attempt in it, and each call of a provider in that", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recorder()
      const notSent = Outcome.notExecuted({ reason: "not_sent" })
      const { record } = yield* tracedBy(tracer, pay, [acme(() => Effect.succeed(notSent)), other])
      const { id } = record.payment
      assert.deepStrictEqual(
        spans.map(({ kind, name, parent }) => `${parent ?? "-"} > ${name} (${kind})`),
        [
          "paymux.attempt > paymux.provider.create (client)",
          "paymux.payment.create > paymux.attempt (internal)",
          "paymux.attempt > paymux.provider.create (client)",
          "paymux.payment.create > paymux.attempt (internal)",
          "- > paymux.payment.create (internal)"
        ]
      )
      assert.deepStrictEqual(spans[0]?.attributes, {
        "paymux.provider": "acme",
        "paymux.operation": "create",
        "paymux.outcome": "not_executed"
      })
      assert.deepInclude(spans[3]?.attributes, {
        "paymux.payment.id": id,
        "paymux.provider": "other",
        "paymux.attempt": 2
      })
      assert.deepStrictEqual(spans[4]?.attributes, {
        "paymux.account": "default",
        "paymux.livemode": false,
        "paymux.payment.id": id
      })
    })
  )

  it.effect("nothing where there is no tracer, not even for the adapter to see", () =>
    Effect.gen(function* () {
      const parents: Array<unknown> = []
      const seeing = acme(() =>
        Effect.map(Effect.option(Effect.currentSpan), (span) => {
          parents.push(Option.getOrNull(span))
          return Outcome.succeeded()
        })
      )
      yield* Effect.scoped(Effect.flatMap(Layer.build(engine([seeing])), (built) => Effect.provideContext(pay, built)))
      assert.deepStrictEqual(parents, [null])
    })
  )

  it.effect("sends nothing to a provider: an adapter's HTTP client sends no traceparent", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recorder()
      const sent: Array<Headers> = []
      const fetching: typeof fetch = (_, init) => {
        sent.push(new Headers(init?.headers))
        return Promise.resolve(new Response("{}"))
      }
      const client = Layer.provide(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.Fetch, fetching))
      const calling = acme(() =>
        HttpClient.get("https://vendor.example/charges").pipe(
          Effect.provide(client),
          Effect.orDie,
          Effect.as(Outcome.succeeded())
        )
      )
      yield* tracedBy(tracer, pay, [calling])
      assert.lengthOf(sent, 1)
      for (const name of ["traceparent", "tracestate", "b3"]) assert.isFalse(sent[0]?.has(name), name)
      assert.isFalse(spans.some(({ name }) => name.startsWith("http.client")))
    })
  )

  it.effect("ends the span of what was refused as failed", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recorder()
      const exit = yield* Effect.exit(
        tracedBy(
          tracer,
          Effect.flatMap(Payments, (payments) =>
            Effect.flatMap(card, (payment) =>
              payments.create(payment, { ...plain, tenant: { account: "a", livemode: true } })
            )
          ),
          [other]
        )
      )
      assert.isTrue(Exit.isFailure(exit))
      assert.deepStrictEqual(
        spans.map(({ failed, name }) => ({ failed, name })),
        [{ failed: true, name: "paymux.payment.create" }]
      )
    })
  )
})
