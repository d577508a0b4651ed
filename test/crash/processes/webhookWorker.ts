/**
 * A worker that delivers, as it runs in production, beside payments that change in the same process. It may be killed at
 * any moment: the next one goes on where it was.
 */
import { Ids } from "@paymux/core"
import { PaymentWriter } from "@paymux/core/engine"
import { PaymentStore } from "@paymux/core/store"
import { loopback, NodeWebhookHttp, WebhookDeliveries, WebhookEndpoints, WebhookSender } from "@paymux/webhooks"
import type { EventListener } from "@paymux/webhooks"
import { Effect, Exit, Layer, Logger, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { appendFileSync } from "node:fs"
import { flushCompileCache } from "node:module"
import * as records from "../../suites/src/paymentStore/records.ts"
import * as ScaledClock from "../ScaledClock.ts"
import { tables } from "../webhooks/settings.ts"
import type { WorkerSettings, WorkerState } from "../webhooks/settings.ts"

const settings: WorkerSettings = JSON.parse(process.argv[2] ?? "{}")

/** Every seventh call fails once it was noted: the event was seen, and comes again. */
let calls = 0
const handle: EventListener["handle"] = ({ data }) =>
  Effect.suspend(() => {
    appendFileSync(settings.deliveryLog, `${data.id} ${data.payment.id} ${data.sequence}\n`)
    return ++calls % 7 === 0 ? Effect.die("the program's own fault") : Effect.void
  })

const allow = loopback
const services = WebhookSender.layer({
  version: "0.0.0",
  listener: { tenant: records.tenant, handle },
  timeout: 60_000
}).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      WebhookEndpoints.layer({ secrets: [Redacted.make("a secret of the crash tests")], allow }),
      WebhookDeliveries.layer,
      NodeWebhookHttp.layer({ allow }),
      PaymentWriter.layer
    )
  ),
  Layer.provideMerge(Ids.layer),
  Layer.provideMerge(tables(settings.database)),
  Layer.provideMerge(
    Layer.merge(
      ScaledClock.layer(ScaledClock.makeScaledClock(settings.clock)),
      Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])
    )
  )
)

/** The payment of this number, from wherever a process before this one left it. */
const pay = Effect.fnUntraced(function* (n: number) {
  const store = yield* PaymentStore
  const writer = yield* PaymentWriter
  const found = yield* store.find(records.tenant, records.paymentId(n))
  let record = found ?? records.aRecord(n)
  if (found === null) yield* store.begin({ record, binding: null })
  const types = ["payment.pending", "payment.succeeded"] as const
  for (const event of types.slice(record.payment.eventSequence)) {
    const change = { _tag: "Changed", record: records.succeeded(record), event, refund: null } as const
    const written = yield* writer.write(record, change, { cause: null, binding: null })
    if (written === null || written === "reference_taken" || written === "order_taken") {
      return yield* Effect.die(`payment ${n} was changed by another`)
    }
    record = written.record
  }
})

/** Those that a process before this one has not brought to their end. */
const payAll = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ended = yield* sql<{ payment_id: string }>`SELECT payment_id FROM payment_events WHERE sequence = 2`
  const done = new Set(ended.map((row) => Number(row.payment_id.slice(4))))
  const numbers = Array.from({ length: settings.payments }, (_, n) => 1 + n).filter((n) => !done.has(n))
  yield* Effect.forEach(numbers, pay, { concurrency: 20, discard: true })
})

const addEndpoints = Effect.gen(function* () {
  const endpoints = yield* WebhookEndpoints
  const known = new Set((yield* endpoints.list(records.tenant)).map(({ url }) => url))
  for (const url of settings.endpoints) if (!known.has(url)) yield* endpoints.add({ ...records.tenant, url })
})

const state = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [waiting] = yield* sql<{ count: number | string }>`SELECT
    (SELECT count(*) FROM webhook_deliveries WHERE status <> 'delivered')
    + (SELECT count(*) FROM payment_events WHERE dispatched_at IS NULL) AS count`
  const [events] = yield* sql<{ count: number | string }>`SELECT count(*) AS count FROM payment_events`
  return { payments: Number(events?.count ?? 0) / 2, waiting: Number(waiting?.count ?? 1) } satisfies WorkerState
})

const scope = Scope.makeUnsafe()
const context = await Effect.runPromise(Layer.buildWithScope(services, scope))
await Effect.runPromiseWith(context)(addEndpoints)
const sayState = async () => process.send?.(await Effect.runPromiseWith(context)(state))
await sayState()
flushCompileCache()
const saying = setInterval(() => void sayState(), 250)
const paying = Effect.runPromiseWith(context)(payAll)

const end = async () => {
  clearInterval(saying)
  await paying
  await Effect.runPromise(Scope.close(scope, Exit.void))
  process.exit(0)
}
process.once("SIGTERM", () => void end())
process.once("disconnect", () => process.exit())
