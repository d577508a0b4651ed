/** Whether deliveries to one endpoint wait for those to another, in virtual time and on each database. */
import { describe, it } from "@effect/vitest"
import { Ids } from "@paymux/core"
import { PaymentWriter } from "@paymux/core/engine"
import { PaymentStore } from "@paymux/core/store"
import type { EventType } from "@paymux/core/store"
import { PaymentRecords, virtualTime } from "@paymux/test-suites"
import {
  loopback,
  WebhookDeliveries,
  WebhookEndpoints,
  WebhookHttp,
  WebhookHttpError,
  WebhookSender
} from "@paymux/webhooks"
import { Clock, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import { compareDelays, longest } from "./compareDelays.ts"
import { databases } from "./databases.ts"
import { answering } from "./dueWork.ts"
import type { Behavior } from "./dueWork.ts"

const { anEvent, aRecord, succeeded, tenant } = PaymentRecords

const start = Date.UTC(2026, 0, 1)
const dueAtOther = 80

/** ms until the other endpoint has its events; `longest`: it has not. */
const delayOfOther = Effect.fnUntraced(function* (behavior: Behavior, due: number) {
  yield* TestClock.setTime(start)
  const { pass, step, watchedService } = virtualTime({ step: 100 })
  const ok = Effect.succeed({ status: 200, retryAfter: null })
  const refused = Effect.fail(new WebhookHttpError({ code: "connection_refused" }))
  const other = { left: dueAtOther, delay: longest }
  const http = WebhookHttp.layerMemory(({ url }) =>
    url.startsWith("https://first")
      ? answering(behavior, ok, refused)
      : Effect.tap(answering("prompt", ok, refused), () =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            if (--other.left === 0) other.delay = now - start
          })
        )
  )
  const store = watchedService(yield* PaymentStore)
  const secret = Redacted.make("the server's secret of this test")
  const services = Layer.merge(WebhookEndpoints.layer({ allow: loopback, secrets: [secret] }), WebhookDeliveries.layer)
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Effect.raceFirst(Scope.close(scope, Exit.void), Effect.forever(pass(step))))
  const context = yield* Layer.buildWithScope(
    Layer.merge(PaymentWriter.layer, services).pipe(
      Layer.provideMerge(Layer.merge(Layer.succeed(PaymentStore, store), Ids.layer))
    ),
    scope
  )
  const endpoints = yield* Effect.provide(WebhookEndpoints, context)
  const deliveries = yield* Effect.provide(WebhookDeliveries, context)
  for (const [host, type] of [
    ["first", "payment.succeeded"],
    ["other", "payment.failed"]
  ] as const) {
    yield* endpoints.add({ ...tenant, url: `https://${host}.io/hook`, events: [type] })
  }
  yield* happened(due, "payment.succeeded", 1)
  yield* happened(dueAtOther, "payment.failed", 1000)
  yield* Layer.buildWithScope(
    WebhookSender.layer({ version: "1.2.3" }).pipe(
      Layer.provide(http),
      Layer.provide(Layer.succeed(WebhookDeliveries, watchedService(deliveries))),
      Layer.provide(Layer.succeed(WebhookEndpoints, watchedService(endpoints))),
      Layer.provide(Layer.succeedContext(context))
    ),
    scope
  )
  for (let passed = 0; passed < longest && other.left > 0; passed += step) yield* pass(step)
  return other.delay
})

const happened = Effect.fnUntraced(function* (count: number, type: EventType, from: number) {
  const { advance, begin } = yield* PaymentStore
  const records = Array.from({ length: count }, (_, n) => aRecord(from + n))
  const happens = Effect.fnUntraced(function* (before: (typeof records)[number]) {
    yield* begin({ record: before, binding: null })
    const after = succeeded(before)
    yield* advance({ before, after, events: [anEvent(after, type)], evidence: null, binding: null, answer: null })
  })
  yield* Effect.forEach(records, happens, { concurrency: "unbounded", discard: true })
})

for (const [database, layer] of Object.entries(databases)) {
  describe(`webhooks on ${database}`, () => {
    it.effect("600 due at a slow, hanging or failing endpoint delay those of another by less than half", () =>
      compareDelays(layer, delayOfOther)
    )
  })
}
