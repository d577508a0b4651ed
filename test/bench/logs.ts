/**
 * Whether a page of a log costs the same however long the log is: events, deliveries of webhooks, the audit log, the request
 * log, refunds, reviews and unmatched reports, a short one and a long one in turns. Ends with 1 where a p95 is above 100 ms.
 *
 * - `pnpm bench logs sqlite` or `postgres`
 * - `--rows <n>`: of each log in the large database. Default: 1,000,000.
 * - `--small <n>`: of each log in the small one. Default: 1,000.
 * - `--rounds <n>`: pages of each kind. Default: 60.
 */
import { AuditLog, dashboardMigrations } from "@paymux/dashboard"
import type { PaymentStore } from "@paymux/core/store"
import { apiKeyMigrations, RequestLog } from "@paymux/http"
import {
  coreMigrations,
  listEvents,
  listRefunds,
  listReviews,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore,
  UnmatchedReports
} from "@paymux/sql"
import { WebhookDeliveryLog, webhookMigrations } from "@paymux/webhooks"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { paymentColumns } from "../../packages/sql/src/columns.ts"
import { aStored } from "./lists/payments.ts"
import { openPostgres } from "./PostgresDatabases.ts"

type Client = Layer.Layer<SqlClient.SqlClient | PaymentStore, unknown>
type Services = SqlClient.SqlClient | WebhookDeliveryLog | AuditLog | RequestLog | UnmatchedReports

/** A page of a log of so many rows. */
type Ask = (size: number) => Effect.Effect<ReadonlyArray<unknown>, unknown, Services>

const bound = 100
const limit = 20
const start = 1_700_000_000_000
const tenant = { account: "default", livemode: false }
const tables = [coreMigrations, apiKeyMigrations, webhookMigrations, dashboardMigrations]

const events = (query: object) => () =>
  Effect.map(listEvents(tenant, { limit, ...query }), (page): ReadonlyArray<unknown> => page.events)
const deliveries = (query: object) => () =>
  Effect.map(
    WebhookDeliveryLog.use((log) => log.list(tenant, { limit, ...query })),
    (page): ReadonlyArray<unknown> => page.records
  )
const audit = (query: object) => () =>
  Effect.map(
    AuditLog.use((log) => log.list(tenant, { limit, ...query })),
    (page): ReadonlyArray<unknown> => page.entries
  )
const requests = (query: object) => () =>
  Effect.map(
    RequestLog.use((log) => log.list(tenant, { limit, ...query })),
    (page): ReadonlyArray<unknown> => page.requests
  )
const refunds = (query: object) => () =>
  Effect.map(listRefunds(tenant, { limit, ...query }), (page): ReadonlyArray<unknown> => page.refunds)
const reviews = (query: object) => () =>
  Effect.map(listReviews(tenant, { limit, ...query }), (page): ReadonlyArray<unknown> => page.reviews)
const reports = (query: object) => () =>
  Effect.map(
    UnmatchedReports.use((all) => all.list(tenant, { limit, ...query })),
    (page): ReadonlyArray<unknown> => page.reports
  )
/** An hour in the middle: one row a second. */
const hour = (size: number) => ({ from: start + size * 500, until: start + size * 500 + 3_600_000 })
const cursor = (size: number) => ({ after: `${start + size * 500}.${size}` })

const asks: { readonly [name: string]: Ask } = {
  "events: all": events({}),
  "events: from the middle": (size) => events(cursor(size))(),
  "events: an hour in the middle": (size) => events(hour(size))(),
  "events: a type with many": events({ types: ["payment.succeeded"] }),
  "events: a type with three": events({ types: ["payment.disputed"] }),
  "events: a type with none": events({ types: ["refund.failed"] }),
  "events: of a payment": events({ paymentId: "pay_7" }),
  "events: of a payment with none": events({ paymentId: "pay_0" }),
  "deliveries: all": deliveries({}),
  "deliveries: from the middle": (size) => deliveries(cursor(size))(),
  "deliveries: an hour in the middle": (size) => deliveries(hour(size))(),
  "deliveries: failed": deliveries({ status: "failed" }),
  "deliveries: pending": deliveries({ status: "pending" }),
  "deliveries: delivered": deliveries({ status: "delivered" }),
  "deliveries: an endpoint with many": deliveries({ endpointId: "we_1" }),
  "deliveries: an endpoint with three": deliveries({ endpointId: "we_2" }),
  "deliveries: an endpoint with none": deliveries({ endpointId: "we_3" }),
  "deliveries: of an event": deliveries({ eventId: "evt_7" }),
  "deliveries: of a payment": deliveries({ paymentId: "pay_7" }),
  "audit: all": audit({}),
  "audit: from the middle": (size) => audit(cursor(size))(),
  "audit: an hour in the middle": (size) => audit(hour(size))(),
  "audit: an action with none": audit({ action: "customer.erase" }),
  "audit: an actor with many": audit({ actorId: "usr_7" }),
  "audit: an actor with none": audit({ actorId: "usr_x" }),
  "audit: of an object": audit({ target: "key_7" }),
  "requests: all": requests({}),
  "requests: from the middle": (size) => requests({ after: requestIdOf(Math.floor(size / 2)) })(),
  "requests: an hour in the middle": (size) => requests(hour(size))(),
  "requests: refused": requests({ status: "4xx" }),
  "requests: a route": requests({ route: "/v1/payments/:id" }),
  "requests: a key": requests({ keyId: "key_2" }),
  "requests: of a payment": requests({ paymentId: "pay_7" }),
  "requests: of a payment with none": requests({ paymentId: "pay_0" }),
  "refunds: all": refunds({}),
  "refunds: from the middle": (size) => refunds(cursor(size))(),
  "refunds: an hour in the middle": (size) => refunds(hour(size))(),
  "refunds: pending": refunds({ statuses: ["pending"] }),
  "refunds: failed": refunds({ statuses: ["failed"] }),
  "refunds: a provider with many": refunds({ provider: "acme" }),
  "refunds: a provider with none": refunds({ provider: "gamma" }),
  "refunds: of a payment with three": refunds({ paymentId: aStored(2, 10).payment.id }),
  "reviews: all": reviews({}),
  "reviews: from the middle": (size) => reviews(cursor(size))(),
  "reviews: an hour in the middle": (size) => reviews(hour(size))(),
  "reviews: the largest amount first": reviews({ order: "amount", currency: "EUR" }),
  "reviews: a reason with three": reviews({ reason: "late_success" }),
  "reviews: a provider with none": reviews({ provider: "gamma" }),
  "reports: all": reports({}),
  "reports: from the middle": (size) => reports(cursor(size))(),
  "reports: an hour in the middle": (size) => reports(hour(size))(),
  "reports: parked, of a provider": reports({ statuses: ["parked"], provider: "acme" }),
  "reports: a kind with three": reports({ kind: "refund_succeeded" }),
  "reports: a provider with none": reports({ provider: "gamma" })
}

/** As its row has it: the time, then the number. */
const requestIdOf = (n: number): string =>
  `req_${(start + n * 1000).toString(16).padStart(12, "0")}${String(n).padStart(20, "0")}`

/** The rows of a log, numbered by `n`. */
const fill = (sql: SqlClient.SqlClient, size: number) => {
  const numbers = sql.onDialectOrElse({
    pg: () => `generate_series(1, ${size}) AS numbers (n)`,
    orElse: () => `(WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${size})
      SELECT n FROM numbers) AS numbers`
  })
  const no = sql.onDialectOrElse({ pg: () => "false", orElse: () => "0" })
  const at = `CAST(${start} + CAST(n AS bigint) * 1000 AS bigint)`
  const three = `n % ${Math.max(4, Math.floor(size / 3))} = 3`
  const hex = (number: string) =>
    sql.onDialectOrElse({ pg: () => `lpad(to_hex(${number}), 12, '0')`, orElse: () => `printf('%012x', ${number})` })
  const digits = sql.onDialectOrElse({ pg: () => "lpad(n::text, 20, '0')", orElse: () => "printf('%020d', n)" })
  const provider = "CASE WHEN n % 3 = 0 THEN 'beta' ELSE 'acme' END"
  const status = `CASE WHEN ${three} THEN 'failed' WHEN n > ${size - 5} THEN 'pending' ELSE 'succeeded' END`
  const operationStatus = `CASE WHEN ${three} THEN 'declined' WHEN n > ${size - 5} THEN 'pending' ELSE 'succeeded' END`
  const ofPayment = `CASE WHEN ${three} THEN '${payments[1]?.id}' ELSE '${payments[0]?.id}' END`
  return [
    `INSERT INTO payment_events (id, payment_id, sequence, type, account, livemode, payment, created_at, dispatched_at)
      SELECT 'evt_' || n, 'pay_' || n, 1, CASE WHEN ${three} THEN 'payment.disputed' WHEN n % 50 = 0 THEN 'payment.failed'
        ELSE 'payment.succeeded' END, 'default', ${no}, '{}', ${at}, ${at} FROM ${numbers}`,
    `INSERT INTO webhook_deliveries (event_id, endpoint_id, account, livemode, attempts, status, deliver_at, happened_at)
      SELECT 'evt_' || n, CASE WHEN ${three} THEN 'we_2' ELSE 'we_1' END, 'default', ${no}, 1,
        CASE WHEN n % 997 = 0 THEN 'dead' WHEN n > ${size - 5} THEN 'pending' ELSE 'delivered' END, ${at}, ${at}
      FROM ${numbers}`,
    `INSERT INTO paymux_audit (at, account, livemode, actor_kind, actor_id, action, target, outcome)
      SELECT ${at}, 'default', ${no}, 'user', 'usr_' || (n % 20), 'api_key.create', 'key_' || n, 'done' FROM ${numbers}`,
    ...requestKinds.map(
      ({ key, method, route, status }) => `INSERT INTO paymux_request_kinds
        (account, livemode, key_id, method, route, status, problem, replayed, seen_at)
        VALUES ('default', ${no}, '${key}', '${method}', '${route}', ${status}, '${status < 400 ? "" : "invalid_request"}', ${no}, 0)`
    ),
    `INSERT INTO paymux_requests (kind, id, microseconds, payment_id)
      SELECT 1 + n % ${requestKinds.length}, 'req_' || ${hex(at)} || ${digits}, 900, 'pay_' || n FROM ${numbers}`,
    // Before the payments are there: the database makes no row of an operation whose payment it does not find.
    `INSERT INTO operations (payment_id, position, id, attempt_seq, provider, kind, minor_units, status, key, owner, unsettled,
        checks, deadline_at, created_at)
      SELECT ${ofPayment}, n, 'op_' || n, 1, ${provider}, 'refund', 50, ${operationStatus}, 'k' || n, 'bench', ${no}, 0, ${at}, ${at} FROM ${numbers}`,
    `INSERT INTO refunds (operation_id, payment_id, account, livemode, provider, status, created_at)
      SELECT 'op_' || n, ${ofPayment}, 'default', ${no}, ${provider}, ${status}, ${at} FROM ${numbers}`,
    // One payment in a hundred: an operator resolves them.
    `INSERT INTO open_reviews (account, livemode, payment_id, id, reason, provider, minor_units, currency, since)
      SELECT 'default', ${no}, 'pay_' || n, 'rev_' || n, CASE WHEN n <= 300 THEN 'late_success' ELSE 'amount_mismatch' END,
        ${provider}, (CAST(n AS bigint) * 7919) % 1000000, CASE WHEN n % 200 = 0 THEN 'EUR' ELSE 'USD' END, ${at}
      FROM ${numbers} WHERE n % 100 = 0`,
    `INSERT INTO provider_inbox (provider, event_key, evidence, livemode, status, tries, received_at)
      SELECT ${provider}, 'e' || n,
        '{"about":{"providerReference":"r' || n || '"},"claim":{"kind":"' ||
          CASE WHEN ${three} THEN 'refund_succeeded' ELSE 'succeeded' END || '"}}',
        ${no}, CASE WHEN n % 2 = 0 THEN 'parked' ELSE 'waiting' END, 3, ${at} FROM ${numbers}`
  ]
}

/** 24 of them: a merchant has a few keys and routes, and most requests succeed. */
const requestKinds = [1, 2, 3].flatMap((key) =>
  [
    { method: "POST", route: "/v1/payments" },
    { method: "GET", route: "/v1/payments/:id" },
    { method: "GET", route: "/v1/payments" },
    { method: "POST", route: "/v1/payments/:id/refunds" }
  ].flatMap((each) => [200, 422].map((status) => ({ ...each, key: `key_${key}`, status })))
)

/** All refunds are of these: the first has all but three. */
const payments = [1, 2].map((n) => aStored(n, 10).payment)

const filled = Effect.fnUntraced(function* (client: Client, size: number) {
  const logs = Layer.mergeAll(WebhookDeliveryLog.layer, AuditLog.layer, RequestLog.layer, UnmatchedReports.layer)
  const services = Layer.provideMerge(logs, client)
  const context = yield* Layer.build(Layer.fresh(services))
  const sql = Context.get(context, SqlClient.SqlClient)
  yield* Effect.provideContext(runMigrations(tables), context)
  for (const statement of fill(sql, size)) yield* sql.unsafe(statement).unprepared
  for (const payment of payments) {
    const flag = (value: unknown) => sql.onDialectOrElse({ pg: () => value === 1, orElse: () => value })
    const row = Object.fromEntries(
      paymentColumns.map(({ kind, name, write }) => [name, kind === "flag" ? flag(write(payment)) : write(payment)])
    )
    yield* sql`INSERT INTO payments ${sql.insert(row)}`.unprepared
  }
  yield* sql.unsafe("ANALYZE").unprepared
  return context
})

const measure = Effect.fnUntraced(function* (
  contexts: ReadonlyArray<Context.Context<Services>>,
  sizes: ReadonlyArray<number>,
  rounds: number
) {
  console.log(
    `\n${"page".padEnd(40)} ${sizes.map((size) => `p95 of ${size}`.padStart(16)).join(" ")}   ratio of medians`
  )
  for (const [name, ask] of Object.entries(asks)) {
    const taken = contexts.map((): Array<number> => [])
    let rows: ReadonlyArray<number> = []
    for (let round = -5; round < rounds; round++) {
      const found: Array<number> = []
      for (const [index, context] of contexts.entries()) {
        const begun = performance.now()
        found.push((yield* Effect.provideContext(ask(sizes[index] ?? 0), context)).length)
        if (round >= 0) taken[index]?.push(performance.now() - begun)
      }
      rows = found
    }
    const [small = NaN, large = NaN] = taken.map((each) => quantile(each, 0.5))
    const p95 = taken.map((each) => quantile(each, 0.95))
    if (!p95.every((ms) => ms <= bound)) process.exitCode = 1
    const columns = p95.map((ms) => `${ms.toFixed(2)} ms`.padStart(16)).join(" ")
    console.log(`${name.padEnd(40)} ${columns}   ${(large / small).toFixed(2)}  (${rows.join(" and ")} rows)`)
  }
})

const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN

const main = async (): Promise<void> => {
  const { positionals, values: options } = parseArgs({
    allowPositionals: true,
    options: {
      rows: { type: "string", default: "1000000" },
      small: { type: "string", default: "1000" },
      rounds: { type: "string", default: "60" }
    }
  })
  const [database] = positionals
  if (database !== "sqlite" && database !== "postgres") throw new Error("Say which: sqlite or postgres.")
  const sizes = [Number(options.small), Number(options.rows)]
  const directory = mkdtempSync(join(tmpdir(), "paymux-logs-"))
  console.log(`${process.version}, ${cpus()[0]?.model ?? "unknown CPU"}, ${database}`)
  const onSqlite = (size: number): Effect.Effect<Client> =>
    Effect.succeed(
      Layer.provideMerge(SqlitePaymentStore.layer, SqliteClient.layer({ filename: join(directory, `${size}.db`) }))
    )
  const onPostgres = Effect.map(
    Effect.acquireRelease(Effect.promise(openPostgres), ({ close }) => Effect.promise(close)),
    (server) =>
      (size: number): Effect.Effect<Client> =>
        Effect.map(
          Effect.promise(() => server.create(`logs_${size}`)),
          (url) =>
            Layer.provideMerge(
              PostgresPaymentStore.layer,
              PostgresClient.layer({ url: Redacted.make(url), deadlineMs: 600_000 })
            )
        )
  )
  const bench = Effect.gen(function* () {
    const client = database === "sqlite" ? onSqlite : yield* onPostgres
    const contexts = yield* Effect.forEach(sizes, (size) =>
      Effect.flatMap(client(size), (layer) => filled(layer, size))
    )
    yield* measure(contexts, sizes, Number(options.rounds))
  })
  try {
    await Effect.runPromise(Effect.scoped(bench))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

await main()
