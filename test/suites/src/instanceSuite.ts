/**
 * A provider instance that is removed, renamed, retired or configured again, with operations of every kind open, as one vitest suite
 * for every store: each operation ends applied, in a review that names the instance, or still asked about where the provider has
 * decided nothing. Reports of another instance are parked. Nothing counts as foreign, and each operation is sent under one key.
 *
 * @example
 * ```ts
 * import { MemoryStore } from "@paymux/testkit/memory-store"
 * import { instanceSuite } from "@paymux/test-suites"
 *
 * instanceSuite("MemoryStore", MemoryStore.layer)
 * ```
 */
import {
  decodeCreatePayment,
  Engine,
  fromAnswer,
  Ids,
  Inbox,
  Outcome,
  type PaymentId,
  Payments,
  type Provider
} from "@paymux/core"
import { Executor, Sha256 } from "@paymux/core/engine"
import { PaymentStore } from "@paymux/core/store"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Layer, Metric, Scope } from "effect"
import { createHash } from "node:crypto"
import * as ClockBreaker from "./ClockBreaker.ts"
import { casesOf, changes, expectedEnd, inquiries, isServed, statusAtChange } from "./instances/cases.ts"
import type { Case, Change, Inquiries } from "./instances/cases.ts"
import { sleepBySleep } from "./instances/sleepBySleep.ts"
import { makeVendor, other, secrets } from "./instances/vendor.ts"
import { plain } from "./testEngine.ts"
import { virtualTime } from "./virtualTime.ts"

const second = 1_000
const hour = 3_600_000

/** Registers the suite under `name`. The layer is built anew for every test and must come up empty. */
export const instanceSuite = <E>(name: string, layer: Layer.Layer<PaymentStore, E>): void => {
  describe(`${name}: an instance that is`, () => {
    for (const change of changes) {
      for (const asked of inquiries) {
        it.effect(`${change}: each of its operations, asked about ${asked}, ends applied or in a review`, () =>
          Effect.flatMap(PaymentStore, (store) => play(store, change, asked)).pipe(Effect.provide(layer))
        )
      }
      it.effect(`${change}: a refund that the engine had planned is sent once, or stands in a review`, () =>
        Effect.flatMap(PaymentStore, (store) => playPlanned(store, change)).pipe(Effect.provide(layer))
      )
    }
  })
}

const play = Effect.fnUntraced(function* (database: PaymentStore["Service"], change: Change, asked: Inquiries) {
  const cases = casesOf(asked)
  const vendor = makeVendor(cases, asked)
  const environment = yield* makeEnvironment(database)
  const { pass, settle, start, store } = environment
  yield* begin(environment, vendor, cases)
  assert.deepStrictEqual(
    yield* Effect.forEach(cases, (of) => Effect.map(operationOf(store, vendor, of), ({ found }) => found.status)),
    cases.map(statusAtChange)
  )
  if (change === "back again") {
    const without = yield* start([other])
    yield* reportTo(without, vendor, change, cases)
    yield* pass(48 * hour)
    yield* without.end
  }
  yield* vendor.decide
  const next = yield* start(...configured(change, vendor))
  if (change !== "back again") yield* reportTo(next, vendor, change, cases)
  yield* vendor.reply
  yield* settle
  yield* pass(bound)
  const ends = yield* Effect.forEach(cases, (of) => endOf(store, vendor, of))
  const expected = cases.map((of) => expectedLine(change, of))
  assert.deepStrictEqual(
    ends.filter((end) => !expected.includes(end)),
    []
  )
  const parked = yield* store.inbox.parked(1_000)
  assert.sameDeepMembers(
    parked.map(({ evidence: { about }, provider }) => ({ about, provider })),
    cases
      .filter(({ report }) => report === "of another instance")
      .map((of) => ({ about: vendor.evidenceOf(of, "succeeded").about, provider: "other" }))
  )
  assert.deepStrictEqual(environment.foreign(), [])
}, Effect.scoped)

/** The process that planned it was killed before it sent it. A hold was canceled, and an inquiry finds that it was captured. */
const playPlanned = Effect.fnUntraced(function* (database: PaymentStore["Service"], change: Change) {
  const of: Case = { name: "planned", kind: "cancel", state: "succeeded", report: "none" }
  const vendor = makeVendor([of], "by inquiry")
  const { pass, settle, start, store } = yield* makeEnvironment(database)
  const former = yield* start([vendor.instance("a"), other])
  for (const kind of ["create", "cancel"] as const) {
    yield* Effect.forkScoped(former.run(requestOf(former, vendor, of, kind)))
    yield* settle
  }
  const charge = vendor.sentOf(of, "create").operation
  yield* former.run(former.executor.advance(fromAnswer("inquiry", charge.id, Outcome.succeeded())))
  yield* former.end
  const refund = Effect.gen(function* () {
    const record = yield* Effect.orDie(store.get(charge.paymentId))
    const found = record?.operations.find(({ kind }) => kind === "refund")
    return {
      status: found?.status,
      isSent: vendor.isSent(of, "refund"),
      reviews: record?.payment.reviews.map(({ operationId, reason }) => `${reason} ${operationId === found?.id}`)
    }
  })
  assert.deepInclude(yield* refund, { status: "planned", isSent: false })
  if (change === "back again") {
    const without = yield* start([other])
    yield* pass(48 * hour)
    yield* without.end
  }
  yield* start(...configured(change, vendor))
  yield* pass(bound)
  assert.deepStrictEqual(
    yield* refund,
    isServed(change)
      ? { status: "succeeded", isSent: true, reviews: [] }
      : { status: "planned", isSent: false, reviews: ["instance_not_configured true"] }
  )
  if (isServed(change)) assert.strictEqual(vendor.sentOf(of, "refund").keys.size, 1)
}, Effect.scoped)

/** A review opens after a day, at the first look after it. */
const every = 6 * hour
const bound = 24 * hour + every + hour

type Vendor = ReturnType<typeof makeVendor>
type Environment = Effect.Success<ReturnType<typeof makeEnvironment>>
type RunningEngine = Effect.Success<ReturnType<Environment["start"]>>

const makeEnvironment = Effect.fnUntraced(function* (database: PaymentStore["Service"]) {
  const { counted, settle, watchedService } = virtualTime()
  const { clock, pass, stoppedClock } = yield* sleepBySleep(settle)
  const registry: Metric.MetricRegistry = new Map()
  const watched = watchedService(database)
  const store: PaymentStore["Service"] = {
    ...watched,
    // A database has a clock of its own. Sleeps of random length leave the test's clock between two milliseconds.
    now: Effect.map(clock.currentTimeMillis, Math.floor),
    restoration: { ...watched.restoration, read: counted(database.restoration.read) }
  }
  const start = Effect.fnUntraced(function* (
    providers: ReadonlyArray<Provider>,
    { ofClock = clock, retired = [] }: { readonly ofClock?: Clock.Clock; readonly retired?: ReadonlyArray<string> } = {}
  ) {
    const scope = yield* Scope.make()
    const end = Scope.close(scope, Exit.void)
    yield* Effect.addFinalizer(() => end)
    const own = Layer.mergeAll(
      Layer.succeed(Clock.Clock, ofClock),
      Layer.succeed(Metric.MetricRegistry, registry),
      // That of the web is computed on another thread, which nothing here waits for.
      Layer.succeed(Sha256, (content) => Effect.sync(() => createHash("sha256").update(content).digest("hex")))
    )
    const engine = Engine.layer({
      providers,
      retired,
      publicUrl: "https://pay.example",
      drain: 0,
      reconciler: { every },
      // Many outcomes are unknown here at once.
      breakers: ClockBreaker.layer({ minimumCalls: 1_000_000 })
    }).pipe(Layer.provide(Layer.mergeAll(Layer.succeed(PaymentStore, store), Ids.layer)))
    const built = yield* Layer.buildWithScope(Layer.provideMerge(engine, own), scope)
    yield* settle
    return {
      payments: Context.get(built, Payments),
      inbox: Context.get(built, Inbox),
      executor: Context.get(built, Executor),
      /** As a request to this process. */
      run: <A, E>(request: Effect.Effect<A, E>) => Effect.provide(request, own),
      end
    }
  })
  return {
    start,
    store,
    settle,
    stoppedClock,
    pass,
    foreign: () =>
      Metric.snapshotUnsafe(Context.make(Metric.MetricRegistry, registry)).filter(
        ({ id }) => id === "paymux_foreign_reports_total"
      )
  }
})

/** Each operation is in its state, and no process with the former configuration runs but the one that was stopped. */
const begin = Effect.fnUntraced(function* (
  { pass, settle, start, stoppedClock }: Environment,
  vendor: Vendor,
  cases: ReadonlyArray<Case>
) {
  const former = yield* start([vendor.instance("a"), other])
  const stopped = yield* start([vendor.instance("a"), other], { ofClock: stoppedClock })
  const request = (engine: RunningEngine, of: Case, kind = of.kind) =>
    Effect.forkScoped(engine.run(Effect.suspend(() => requestOf(engine, vendor, of, kind))))
  const later = cases.filter(({ kind }) => kind !== "create")
  yield* Effect.forEach(later, (of) => request(former, of, "create"))
  yield* settle
  yield* Effect.forEach(cases, (of) => request(of.report === "reply" ? stopped : former, of))
  yield* settle
  // What is repeated was not answered: its process is killed before its time is over.
  const isKilled = cases.some(({ report }) => report === "repeat")
  if (!isKilled) yield* pass(15 * second)
  for (const of of cases.filter(({ report, state }) => report === "reply" && state !== "unknown")) {
    yield* receive(former, "a", secrets.a, vendor.evidenceOf(of, of.state))
  }
  yield* former.end
  // The next process takes over what has no owner, five seconds after its deadline; the payment has a few seconds more.
  yield* pass((isKilled ? 36 : 21) * second)
})

const requestOf = (
  { payments }: RunningEngine,
  vendor: Vendor,
  of: Case,
  kind: Case["kind"]
): Effect.Effect<unknown, unknown> => {
  const payment = (): PaymentId => vendor.sentOf(of, "create").operation.paymentId
  switch (kind) {
    case "create":
      return Effect.flatMap(decodeCreatePayment(paymentOf(of)), (asked) => payments.create(asked, plain))
    case "capture":
      return payments.capture(payment(), { minorUnits: null }, plain)
    case "cancel":
      return payments.cancel(payment(), plain)
    case "refund":
      return payments.refund(payment(), { minorUnits: null, reason: null }, plain)
  }
}

const paymentOf = ({ kind, name, state }: Case) => ({
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  customer: { email: "asha@example.com" },
  payment_method_details: { card: { token: "tok_any" } },
  capture_method: kind === "capture" || kind === "cancel" || state === "authorized" ? "manual" : "automatic",
  metadata: { name }
})

/** The options of the process that starts after the change. */
const configured = (
  change: Change,
  { instance }: Vendor
): readonly [ReadonlyArray<Provider>, { readonly retired?: ReadonlyArray<string> }] => {
  switch (change) {
    case "removed":
      return [[other], {}]
    case "retired without credentials":
      return [[other], { retired: ["a"] }]
    case "renamed":
      return [[instance("b", { formerly: ["a"] }), other], {}]
    case "retired":
      return [[instance("a", { retired: true }), other], {}]
    case "back again":
      return [[instance("a"), other], {}]
  }
}

/** What the first process after the change hears; of an instance that is missing, webhooks are kept. */
const reportTo = Effect.fnUntraced(function* (
  engine: RunningEngine,
  vendor: Vendor,
  change: Change,
  cases: ReadonlyArray<Case>
) {
  const isServed = change === "renamed" || change === "retired"
  const address = change === "renamed" ? "b" : "a"
  for (const of of cases) {
    const evidence = vendor.evidenceOf(of, "succeeded")
    switch (of.report) {
      case "webhook":
        yield* receive(engine, address, secrets.a, evidence)
        break
      case "statement":
        yield* engine.run(
          engine.executor.advance({ ...evidence, source: "statement" }, { provider: "a", document: null })
        )
        break
      case "of another instance": {
        yield* receive(engine, "other", secrets.other, evidence)
        const received = yield* Effect.exit(receive(engine, address, secrets.other, evidence))
        assert.strictEqual(Exit.isFailure(received), isServed, `${of.name}: under the secret of another instance`)
        break
      }
      // The provider answers questions and sends; the webhooks of `reply` came before.
      case "none":
      case "reply":
      case "repeat":
      case "inquiry":
        break
    }
  }
})

const receive = ({ inbox, run }: RunningEngine, address: string, secret: string, evidence: unknown) =>
  run(inbox.receive(address, new TextEncoder().encode(JSON.stringify([evidence])), { secret }))

/** In one line, which the message of a failure shows. */
const endOf = Effect.fnUntraced(function* (store: PaymentStore["Service"], vendor: Vendor, of: Case) {
  const { found, record } = yield* operationOf(store, vendor, of)
  const { reviews } = record.payment
  // The hold of a capture or cancel is in a review of its own.
  const review = reviews.find(({ operationId }) => operationId === found.id) ?? reviews[0]
  const status = found.status === "succeeded" ? "applied" : `left ${found.status}`
  const end = review === undefined ? status : `${review.provider} ${review.reason}`
  return lineOf(of, end, vendor.sentOf(of).keys.size, record.operations)
})

const operationOf = Effect.fnUntraced(function* (store: PaymentStore["Service"], vendor: Vendor, of: Case) {
  const { id, paymentId } = vendor.sentOf(of).operation
  const record = yield* Effect.orDie(store.get(paymentId))
  const found = record?.operations.find((each) => each.id === id)
  return record === null || found === undefined
    ? yield* Effect.die(new Error(`${of.name}: the operation was lost`))
    : { found, record }
})

/** Sent under one key, and the engine has started no operation of its own. */
const expectedLine = (change: Change, of: Case) =>
  lineOf(of, expectedEnd(change, of), 1, of.kind === "create" ? [of] : [{ kind: "create" }, of])

const lineOf = ({ name }: Case, end: string, keys: number, operations: ReadonlyArray<Pick<Case, "kind">>) =>
  `${name}: ${end}; ${keys} key of ${operations.map(({ kind }) => kind).join(" and ")}`
