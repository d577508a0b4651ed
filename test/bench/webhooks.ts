/**
 * P16: how long healthy receivers wait for their events while others hang with a thousand each. Over real sockets, on a
 * SQLite file: `pnpm bench webhooks [hanging endpoints] [healthy events]`.
 */
import { Ids } from "@paymux/core"
import { PaymentWriter } from "@paymux/core/engine"
import { PaymentStore } from "@paymux/core/store"
import { coreMigrations, runMigrations, SqliteClient, SqlitePaymentStore } from "@paymux/sql"
import {
  loopback,
  NodeWebhookHttp,
  WebhookDeliveries,
  WebhookEndpoints,
  webhookMigrations,
  WebhookSender
} from "@paymux/webhooks"
import { Console, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as records from "../suites/src/paymentStore/records.ts"

const hanging = Number(process.argv[2] ?? 1)
const healthy = Number(process.argv[3] ?? 100)
const backlog = 1000

const folder = mkdtempSync(join(tmpdir(), "paymux-bench-"))
const arrivals = new Map<string, number>()
const server = createServer((request, response) => {
  if (request.url !== "/well") return void request.resume()
  arrivals.set(String(request.headers["webhook-id"]), performance.now())
  request.resume().on("end", () => response.end("ok"))
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
// A TCP server's address is never a string.
const { port } = server.address() as AddressInfo

const database = SqlitePaymentStore.layer.pipe(
  Layer.provideMerge(Layer.effectDiscard(runMigrations([coreMigrations, webhookMigrations]))),
  Layer.provideMerge(SqliteClient.layer({ filename: join(folder, "payments.db") }))
)
const allow = loopback
const services = Layer.mergeAll(
  WebhookEndpoints.layer({ secrets: [Redacted.make("a secret of this benchmark")], allow }),
  WebhookDeliveries.layer,
  NodeWebhookHttp.layer({ allow }),
  PaymentWriter.layer
).pipe(Layer.provideMerge(Ids.layer), Layer.provideMerge(database))

const happens = Effect.fnUntraced(function* (n: number) {
  const store = yield* PaymentStore
  const writer = yield* PaymentWriter
  const before = records.aRecord(n)
  yield* store.begin({ record: before, binding: null })
  const change = {
    _tag: "Changed",
    record: records.succeeded(before),
    event: "payment.succeeded",
    refund: null
  } as const
  yield* writer.write(before, change, { cause: null, binding: null })
})

const add = (path: string) =>
  WebhookEndpoints.use((endpoints) => endpoints.add({ ...records.tenant, url: `http://127.0.0.1:${port}${path}` }))

const bench = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(Array.from({ length: hanging }), (_, n) => add(`/hangs/${n}`))
  yield* Effect.forEach(Array.from({ length: backlog }), (_, n) => happens(1 + n), { concurrency: 50 })
  yield* Layer.build(WebhookSender.layer({ version: "0.0.0", grace: 0 }))
  const held = sql<{ n: number }>`SELECT count(*) AS n FROM webhook_deliveries WHERE claimed_until IS NOT NULL`
  const waiting = sql<{ n: number }>`SELECT count(*) AS n FROM webhook_deliveries`
  while (((yield* waiting)[0]?.n ?? 0) < backlog * hanging || ((yield* held)[0]?.n ?? 0) === 0) yield* Effect.sleep(10)
  yield* add("/well")
  const starts: Array<number> = []
  for (let n = 0; n < healthy; n++) {
    starts.push(performance.now())
    yield* happens(backlog + 1 + n)
    yield* Effect.sleep(20)
  }
  while (arrivals.size < healthy) yield* Effect.sleep(10)
  const rows = yield* sql<{ id: string; payment_id: string }>`SELECT id, payment_id FROM payment_events`
  const waits = rows
    .filter(({ id }) => arrivals.has(id))
    .map((row) => (arrivals.get(row.id) ?? NaN) - (starts[Number(row.payment_id.slice(4)) - backlog - 1] ?? NaN))
    .toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? NaN)
  yield* Console.log(
    `${hanging} endpoint(s) hang with ${backlog} events each; ${healthy} healthy events arrived after ` +
      `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, at most ${at(1)} ms (promise: p95 under 5000 ms)`
  )
  if (at(0.95) >= 5000) yield* Effect.sync(() => void (process.exitCode = 1))
})

await Effect.runPromise(Effect.scoped(bench).pipe(Effect.provide(services)))
server.closeAllConnections()
server.close()
rmSync(folder, { recursive: true, force: true })
