/** The backlog and the state of the breakers, read when the metrics are read. */
import { Breakers, openElsewhere, ProviderRegistry } from "@paymux/core/engine"
import type { BreakerSnapshot } from "@paymux/core/engine"
import { isHolding, PaymentStore } from "@paymux/core/store"
import type { Backlog, KeptWebhookCount, NewestPayment, Restoration } from "@paymux/core/store"
import { MetricFamily } from "@paymux/core/telemetry"
import type { MetricDescription } from "@paymux/core/telemetry"
import { sqliteLogBytes, storedRestoration, synchronousStandbys, uncountedSince } from "@paymux/sql"
import type { SynchronousStandbys } from "@paymux/sql"
import { deliveryBacklog } from "@paymux/webhooks"
import type { DeliveryBacklog } from "@paymux/webhooks"
import { Clock, Effect } from "effect"
import type { Context } from "effect"

const readable = MetricFamily.gauge(
  "paymux_backlog_up",
  "1 if the last read of the backlog succeeded; 0 if it failed and the backlog metrics are stale.",
  []
)
const age = MetricFamily.gauge(
  "paymux_queue_age_seconds",
  "Age of the oldest entry that is due; 0 if none is due. Deliveries to failing or slow endpoints do not count.",
  ["queue"]
)
const unknown = MetricFamily.gauge("paymux_unknown_attempts", "Attempts with an unknown outcome.", [])
const unknownAge = MetricFamily.gauge(
  "paymux_unknown_attempt_age_seconds",
  "Age of the oldest attempt with an unknown outcome; 0 without any.",
  []
)
const inReview = MetricFamily.gauge("paymux_payments_in_review", "Payments with an open review.", [])
const parked = MetricFamily.gauge(
  "paymux_inbox_parked",
  "Provider reports that wait for an operator: their payments are not in the database, or they were not verified as of their receipt.",
  []
)
const kept = MetricFamily.gauge(
  "paymux_kept_webhooks",
  "Webhooks of provider instances that are not configured and have payments, kept until the instance is configured again.",
  ["provider", "mode"]
)
const endpoints = MetricFamily.gauge(
  "paymux_webhook_endpoints",
  "Webhook endpoints, by state. `failing`: the last attempt failed; `slow`: an attempt has been running for two seconds.",
  ["state"]
)
const statisticsLag = MetricFamily.gauge(
  "paymux_statistics_lag_seconds",
  "Age of the oldest event that the statistics do not count yet; 0 if all are counted.",
  []
)
const standbyMissing = MetricFamily.gauge(
  "paymux_synchronous_standby_missing",
  "1 if fewer synchronous standbys are connected than commits wait for; otherwise 0.",
  []
)
const standbyLagBytes = MetricFamily.gauge(
  "paymux_synchronous_standby_lag_bytes",
  "Log that a synchronous standby has not written to its disk yet; 0 without one.",
  []
)
const standbyLag = MetricFamily.gauge(
  "paymux_synchronous_standby_lag_seconds",
  "Time until a synchronous standby had a recent commit on its disk; 0 without one.",
  []
)
const logBytes = MetricFamily.gauge(
  "paymux_sqlite_wal_bytes",
  "Size of the write-ahead log of SQLite after the last commit; 0 on PostgreSQL. It grows while a reader does not end.",
  []
)
const clockDifference = MetricFamily.gauge(
  "paymux_clock_difference_seconds",
  "Difference between this server's clock and the database's clock, in either direction.",
  []
)
const newestAhead = MetricFamily.gauge(
  "paymux_newest_payment_ahead_seconds",
  "By how much the newest payment was created in the future: a clock was ahead; 0 if it was not.",
  []
)
const breakerState = MetricFamily.gauge("paymux_breaker_state", "1 for the current state of a circuit breaker.", [
  "provider",
  "operation",
  "state"
])

const notConfigured = MetricFamily.gauge(
  "paymux_not_configured_operations",
  "Open operations of a provider instance that is not configured: the server cannot inquire about them. At most 1,000 are counted.",
  ["provider"]
)

const restoring = MetricFamily.gauge(
  "paymux_restoring",
  "1 while the mark of a restored database holds, and requests with unknown idempotency keys are looked up first; otherwise 0.",
  []
)

export const backlogMetricDescriptions: ReadonlyArray<MetricDescription> = [
  readable,
  age,
  unknown,
  unknownAge,
  inReview,
  parked,
  kept,
  endpoints,
  statisticsLag,
  standbyMissing,
  standbyLagBytes,
  standbyLag,
  logBytes,
  clockDifference,
  newestAhead,
  breakerState,
  notConfigured,
  restoring
]

type Write = (context: Context.Context<never>) => Effect.Effect<void>

/** Reads it all. What cannot be read keeps its last values, and `paymux_backlog_up` says so. */
export const make = Effect.gen(function* () {
  const store = yield* PaymentStore
  const breakers = yield* Breakers
  const registry = yield* ProviderRegistry
  const isConfigured = (id: string) => registry.get(id) !== null
  /** The instances that were shown: one that is configured again is shown with 0. */
  const absent = new Set<string>()
  const others = yield* Effect.contextWith((services: Context.Context<Effect.Services<typeof due>>) =>
    Effect.succeed(Effect.provideContext(due, services))
  )
  const readKept = keptSince(store)
  const readLogBytes = Effect.provideContext(sqliteLogBytes, yield* Effect.context<never>())
  const write: Write = (context) =>
    Effect.gen(function* () {
      const set = setter(context)
      writeBreakers(set, yield* breakers.snapshot)
      set(logBytes.of(), (yield* readLogBytes) ?? 0)
      const now = yield* Clock.currentTimeMillis
      const databaseNow = yield* store.now
      const read = yield* Effect.all([
        store.backlog(now),
        store.newest,
        readKept,
        others,
        openElsewhere(store, isConfigured)
      ]).pipe(
        Effect.timeout("2 seconds"),
        Effect.map(([payments, newest, kept, others, open]) => ({
          payments,
          newest,
          kept,
          databaseNow,
          open,
          ...others
        })),
        Effect.catchCause((cause) => Effect.as(Effect.logWarning("What waits could not be read", cause), null))
      )
      set(readable.of(), read === null ? 0 : 1)
      if (read === null) return
      writeBacklog(set, now, read)
      for (const { provider } of read.open) absent.add(provider)
      for (const id of absent) {
        const open = read.open.find(({ provider }) => provider === id)
        set(notConfigured.of(id), open === undefined ? 0 : open.live + open.test)
      }
    })
  return write
})

type Kept = Pick<KeptWebhookCount, "provider" | "livemode" | "requests">

/** Also the instances that had kept webhooks earlier, so that their gauge falls to 0. */
const keptSince = ({ keptWebhooks }: PaymentStore["Service"]) => {
  let known: ReadonlyArray<Kept> = []
  return Effect.map(keptWebhooks.counts, (now): ReadonlyArray<Kept> => {
    const gone = known.filter(
      (one) => !now.some(({ livemode, provider }) => provider === one.provider && livemode === one.livemode)
    )
    known = [...now, ...gone.map((one) => ({ ...one, requests: 0 }))]
    return known
  })
}

const due = Effect.all({
  webhooks: Effect.flatMap(Clock.currentTimeMillis, deliveryBacklog),
  uncounted: uncountedSince,
  standbys: synchronousStandbys,
  restoration: storedRestoration
})

type Set = (series: ReturnType<typeof readable.of>, value: number) => void

const setter =
  (context: Context.Context<never>): Set =>
  (series, value) =>
    series.updateUnsafe(value, context)

interface Read {
  readonly payments: Backlog
  readonly newest: NewestPayment | null
  readonly kept: ReadonlyArray<Kept>
  /** ms UTC */
  readonly databaseNow: number
  readonly webhooks: DeliveryBacklog
  /** ms UTC; `null`: nothing. */
  readonly uncounted: number | null
  /** `null`: the database has none. */
  readonly standbys: SynchronousStandbys | null
  readonly restoration: Restoration
}

const writeBacklog = (set: Set, now: number, read: Read) => {
  const { databaseNow, newest, payments, restoration, standbys, uncounted, webhooks } = read
  const since = (ms: number | null) => (ms === null ? 0 : Math.max(0, now - ms) / 1000)
  set(age.of("events"), since(payments.eventSince))
  set(age.of("operations"), since(payments.operationDueSince))
  set(age.of("inbox"), since(payments.inboxDueSince))
  set(age.of("deliveries"), since(webhooks.dueSince))
  set(unknown.of(), payments.unknownAttempts)
  set(unknownAge.of(), since(payments.unknownSince))
  set(inReview.of(), payments.inReview)
  set(parked.of(), payments.parkedInbox)
  for (const { livemode, provider, requests } of read.kept) set(kept.of(provider, livemode ? "live" : "test"), requests)
  set(restoring.of(), isHolding(restoration.mark, databaseNow) ? 1 : 0)
  set(statisticsLag.of(), since(uncounted))
  set(standbyMissing.of(), standbys?.missing === true ? 1 : 0)
  set(standbyLagBytes.of(), standbys?.lagBytes ?? 0)
  set(standbyLag.of(), standbys?.lagSeconds ?? 0)
  set(clockDifference.of(), Math.abs(now - databaseNow) / 1000)
  set(newestAhead.of(), Math.max(0, (newest?.createdAt ?? databaseNow) - databaseNow) / 1000)
  for (const [state, count] of Object.entries(webhooks.endpoints)) set(endpoints.of(state), count)
}

const writeBreakers = (set: Set, all: ReadonlyArray<BreakerSnapshot>) => {
  for (const { key, state } of all) {
    for (const each of ["closed", "open", "half_open"] as const) {
      set(breakerState.of(key.provider, key.operation, each), each === state ? 1 : 0)
    }
  }
}
