/**
 * CPU time of a webhook delivery, from the stored event to the stored result, and the latency of creates beside them. The
 * receiver is a process of its own.
 *
 * - `pnpm bench deliveries sqlite` or `postgres`. Of PostgreSQL, the server's CPU time is shown beside.
 * - `--deliveries <n>`: a fixed backlog for 1, 10 and 100 endpoints; default 6000.
 * - `--rounds <n>`: of creates, with 0 and with 10 endpoints side by side; default 5. 0: none. `--seconds <n>`: of load; default 3.
 * - `--connections <n>`: of the load; default 8.
 */
import { Ids } from "@paymux/core"
import type { Tenant } from "@paymux/core"
import { PaymentWriter } from "@paymux/core/engine"
import { PaymentStore } from "@paymux/core/store"
import { PostgresClient, PostgresPaymentStore, runMigrations, SqliteClient, SqlitePaymentStore } from "@paymux/sql"
import { loopback, NodeWebhookHttp, WebhookDeliveries, WebhookEndpoints, WebhookSender } from "@paymux/webhooks"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { migrations } from "../../packages/paymux/src/Database.ts"
import * as records from "../suites/src/paymentStore/records.ts"
import { openPostgres } from "./PostgresDatabases.ts"
import { start, startLoad, startServer } from "./Process.ts"
import { cpu } from "./processes/Protocol.ts"
import { median } from "./Rounds.ts"
import { request } from "./Sample.ts"
import { serverCpuOf } from "./serverCpu.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    deliveries: { type: "string", default: "6000" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    connections: { type: "string", default: "8" }
  }
})
const [database] = positionals
if (database !== "sqlite" && database !== "postgres") throw new Error("Say which: sqlite or postgres.")

/** µs of CPU time of a delivery, and creates' p50 with ten endpoints against none. */
const bounds = { cpu: 400, p50: 1.5 }

const directory = join(import.meta.dirname, ".data")
mkdirSync(directory, { recursive: true })
const folder = mkdtempSync(join(directory, "deliveries-"))
const postgres = database === "postgres" ? await openPostgres() : null
const address = async (name: string) =>
  postgres === null ? `sqlite:${join(folder, `${name}.db`)}` : await postgres.create(name)

const clientOn = (url: string): Layer.Layer<SqlClient.SqlClient | PaymentStore, unknown> => {
  const tables = Layer.effectDiscard(runMigrations(migrations))
  if (url.startsWith("sqlite:")) {
    const client = SqliteClient.layer({ filename: url.slice("sqlite:".length) })
    return SqlitePaymentStore.layer.pipe(Layer.provideMerge(tables), Layer.provideMerge(client))
  }
  const client = PostgresClient.layer({ url: Redacted.make(url) })
  return PostgresPaymentStore.layer.pipe(Layer.provideMerge(tables), Layer.provideMerge(client))
}

const servicesOn = (url: string) =>
  Layer.mergeAll(
    WebhookEndpoints.layer({ secrets: [Redacted.make("a secret of this benchmark")], allow: loopback }),
    WebhookDeliveries.layer,
    NodeWebhookHttp.layer({ allow: loopback }),
    PaymentWriter.layer
  ).pipe(Layer.provideMerge(Ids.layer), Layer.provideMerge(clientOn(url)))

const happens = Effect.fnUntraced(function* (n: number, { account }: Tenant) {
  const store = yield* PaymentStore
  const writer = yield* PaymentWriter
  const before = records.aRecord(n, { account })
  yield* store.begin({ record: before, binding: null })
  const record = records.succeeded(before)
  yield* writer.write(
    before,
    { _tag: "Changed", record, event: "payment.succeeded", refund: null },
    { cause: null, binding: null }
  )
})

/** An account has at most 50 endpoints, so 100 are those of two accounts. */
const backlog = Effect.fnUntraced(function* (endpoints: number, deliveries: number, port: number) {
  const accounts = Array.from({ length: Math.ceil(endpoints / 50) }, (_, n) => ({
    account: `acc${n}`,
    livemode: false
  }))
  const each = endpoints / accounts.length
  const service = yield* WebhookEndpoints
  for (const tenant of accounts) {
    for (let n = 0; n < each; n++) yield* service.add({ ...tenant, url: `http://127.0.0.1:${port}/${n}` })
  }
  const events = Math.round(deliveries / each)
  const numbers = Array.from({ length: events }, (_, n) => n)
  yield* Effect.forEach(numbers, (n) => happens(1 + n, accounts[n % accounts.length] ?? records.tenant), {
    concurrency: 50
  })
  return events * each
})

const costOf = async (name: string, endpoints: number, deliveries: number) => {
  const url = await address(name)
  const receiver = start("receiver.ts", [])
  // Boundary: the messages of our own script.
  const port = (await receiver.next()) as number
  const serverCpu = postgres === null ? null : await serverCpuOf(url)
  const measured = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const expected = yield* backlog(endpoints, deliveries, port)
    const before = { own: cpu(), server: serverCpu?.() ?? 0, at: performance.now() }
    yield* Layer.build(WebhookSender.layer({ version: "0.0.0", grace: 0 }))
    const delivered = sql<{ n: number | string }>`
      SELECT count(*) AS n FROM webhook_deliveries WHERE status = 'delivered'`
    while (((yield* Effect.promise(() => receiver.ask("received"))) as number) < expected) yield* Effect.sleep(100)
    while (Number((yield* delivered)[0]?.n) < expected) yield* Effect.sleep(50)
    return {
      own: (cpu() - before.own) / expected,
      server: ((serverCpu?.() ?? 0) - before.server) / expected,
      perSecond: (expected / (performance.now() - before.at)) * 1000
    }
  })
  const cost = await Effect.runPromise(Effect.scoped(measured).pipe(Effect.provide(servicesOn(url))))
  await receiver.close()
  return cost
}

/** p50 and p99 of creates in ms, the servers side by side in each round. */
const latencies = async (rounds: number) => {
  const load = startLoad()
  const servers = await Promise.all(
    [0, 10].map(async (endpoints) => ({
      endpoints,
      server: await startServer("defaultPaymux.ts", await address(`creates${endpoints}`), String(endpoints))
    }))
  )
  try {
    const measured = servers.map(({ endpoints }) => ({ endpoints, p50: new Array<number>(), p99: new Array<number>() }))
    for (let round = 0; round <= rounds; round++) {
      for (const [index, { server }] of servers.entries()) {
        const { p50, p99 } = await load.run({
          apiKey: server.apiKey,
          port: server.port,
          path: "/v1/payments",
          body: JSON.stringify(request),
          expected: 201,
          connections: Number(values.connections),
          duration: Number(values.seconds) * 1000
        })
        // What this server has not delivered yet would take CPU time from the next one.
        await server.cpu()
        if (round === 0) continue
        measured[index]?.p50.push(p50)
        measured[index]?.p99.push(p99)
      }
    }
    return measured
  } finally {
    await Promise.all([...servers.map(({ server }) => server.close()), load.close()])
  }
}

try {
  // Code that is not compiled yet.
  await costOf("warm_up", 10, 1000)
  for (const endpoints of [1, 10, 100]) {
    const { own, perSecond, server } = await costOf(`endpoints${endpoints}`, endpoints, Number(values.deliveries))
    const beside = postgres === null ? "" : `, and ${server.toFixed(0)} µs of PostgreSQL`
    console.log(
      `${database}, ${String(endpoints).padStart(3)} endpoints: ${own.toFixed(0)} µs CPU a delivery${beside}; ` +
        `${perSecond.toFixed(0)} a second; at most ${bounds.cpu} µs${own <= bounds.cpu ? "" : ": NOT MET"}`
    )
    if (own > bounds.cpu) process.exitCode = 1
  }
  if (Number(values.rounds) > 0) {
    const measured = await latencies(Number(values.rounds))
    for (const { endpoints, p50, p99 } of measured) {
      const range = (all: ReadonlyArray<number>) =>
        `${median(all).toFixed(1)} (${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)})`
      console.log(`creates with ${String(endpoints).padStart(2)} endpoints: p50 ${range(p50)} ms, p99 ${range(p99)} ms`)
    }
    const [none, ten] = measured
    const ratio = median(none?.p50.map((each, round) => (ten?.p50[round] ?? Number.NaN) / each) ?? [])
    console.log(`p50 ratio ${ratio.toFixed(2)}, at most ${bounds.p50}${ratio <= bounds.p50 ? "" : ": NOT MET"}`)
    if (ratio > bounds.p50) process.exitCode = 1
  }
} finally {
  await postgres?.close()
  rmSync(folder, { recursive: true, force: true })
}
