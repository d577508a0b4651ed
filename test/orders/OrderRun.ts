/**
 * Orders with several payments each, begun at once on servers that share a database: pages are paid in any order, also closed ones;
 * a server crashes; replies of commits and webhooks are lost. On the machine's own clock, because the database has one, too.
 */
import { decodeCreatePayment, Engine, Ids, Inbox, Payments } from "@paymux/core"
import type { PaymentRecord, Provider } from "@paymux/core"
import { everyPayment, PaymentStore, StoreUnavailable } from "@paymux/core/store"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Context, Effect, Exit, Layer, References, Result, Scope } from "effect"
import { makeLedger } from "./Ledger.ts"
import type { Charge, Ledger } from "./Ledger.ts"
import { vendorOf } from "./vendor.ts"

const tenant = { account: "default", livemode: false } as const

export interface OrderRun {
  readonly orders: ReadonlyArray<string>
  readonly charges: ReadonlyArray<Charge>
  readonly records: ReadonlyArray<PaymentRecord>
  /** How often each happened. */
  readonly counts: { readonly [what: string]: number }
}

export interface Plan {
  readonly seed: number
  readonly orders: number
  /** On SQLite one at a time. */
  readonly servers: 1 | 2
}

/** Plays the orders, and then waits until `judge` finds no fault, or the patience ends. */
export const runOrders = Effect.fnUntraced(
  function* (plan: Plan, judge: (run: OrderRun) => ReadonlyArray<string>) {
    const { orders, seed, servers } = plan
    const store = yield* PaymentStore
    const counts: { [what: string]: number } = {}
    const count = (what: string) => {
      counts[what] = (counts[what] ?? 0) + 1
    }
    const ledgers = { card: makeLedger(), coin: makeLedger() }
    const providers = [
      vendorOf("card", ledgers.card, { currency: "EUR", refunds: true, seed }),
      vendorOf("coin", ledgers.coin, { currency: "USD", refunds: false, seed })
    ]
    const unsafe = losingReplies(store, SeededRandom.stream(seed, "replies"), () => count("lost replies"))
    const running = yield* startAll(unsafe, providers, servers)
    const site: Site = { running, ledgers, seed, count }
    const names = Array.from({ length: orders }, (_, n) => `order ${n}`)
    const crashes = crashing(site, unsafe, providers)
    yield* Effect.raceFirst(
      Effect.forEach(names, (name) => play(site, name), { concurrency: 24, discard: true }),
      crashes
    )
    const read = Effect.gen(function* () {
      const pages = yield* Effect.forEach(names, (order) => store.list(tenant, { ...everyPayment, order: [order] }))
      const charges = [...ledgers.card.charges, ...ledgers.coin.charges]
      return { orders: names, charges, counts, records: pages.flatMap(({ records }) => records) }
    })
    // Vendors repeat their webhooks for days.
    const redelivery = SeededRandom.stream(seed, "redelivery")
    const until = Date.now() + patience
    while (true) {
      const run = yield* read
      if (judge(run).length === 0 || Date.now() > until) return run
      const paid = run.charges.filter(({ isPaid }) => isPaid)
      yield* Effect.forEach(paid, (charge) => report(site, redelivery, charge), { concurrency: 8, discard: true })
      yield* Effect.sleep(5_000)
    }
  },
  Effect.provideService(References.MinimumLogLevel, "None")
)

/** ms: an operation of a crashed server is found after 35 s. Only a fault takes as long. */
const patience = 300_000

type Server = Context.Context<Payments | Inbox>

interface Site {
  readonly running: Array<{ readonly server: Server; readonly scope: Scope.Closeable }>
  readonly ledgers: { readonly card: Ledger; readonly coin: Ledger }
  readonly seed: number
  readonly count: (what: string) => void
}

type Store = PaymentStore["Service"]

/** A commit that stands, and whose server does not hear of it. */
const losingReplies = (store: Store, draw: SeededRandom.SeededRandom, count: () => void): Store => {
  const losing = <A, E>(commit: Effect.Effect<A, E>) =>
    Effect.flatMap(commit, (result) => {
      if (!draw.chance(2)) return Effect.succeed(result)
      count()
      return Effect.fail(new StoreUnavailable({ cause: new Error("The reply was lost") }))
    })
  return {
    ...store,
    begin: (commit) => losing(store.begin(commit)),
    advance: (commit) => losing(store.advance(commit))
  }
}

const startOne = Effect.fnUntraced(function* (store: Store, providers: ReadonlyArray<Provider>) {
  const scope = yield* Scope.make()
  const engine = Engine.layer({
    providers,
    publicUrl: "http://localhost",
    drain: 0,
    reconciler: { every: 200, share: 200 }
  })
  const built = Layer.provide(engine, Layer.merge(Layer.succeed(PaymentStore, store), Ids.layer))
  return { scope, server: yield* Effect.orDie(Layer.buildWithScope(Layer.fresh(built), scope)) }
})

const startAll = Effect.fnUntraced(function* (store: Store, providers: ReadonlyArray<Provider>, servers: number) {
  const running = yield* Effect.all(Array.from({ length: servers }, () => startOne(store, providers)))
  yield* Effect.addFinalizer(() => Effect.forEach(running, ({ scope }) => Scope.close(scope, Exit.void)))
  return running
})

/** The last server ends at any moment, and another one takes its place. */
const crashing = (site: Site, store: Store, providers: ReadonlyArray<Provider>) =>
  Effect.forever(
    Effect.andThen(
      Effect.sleep(1_500),
      // The end of the orders does not leave the place empty.
      Effect.uninterruptible(
        Effect.gen(function* () {
          const ended = site.running.pop()
          if (ended !== undefined) yield* Scope.close(ended.scope, Exit.void)
          site.running.push(yield* startOne(store, providers))
          site.count("crashes")
        })
      )
    )
  )

const serverOf = ({ running }: Site, draw: SeededRandom.SeededRandom): Server | null =>
  running[draw.between(0, Math.max(0, running.length - 1))]?.server ?? null

/** Two to five payments of an order, some at once and some after others. */
const play = (site: Site, order: string) => {
  const draw = SeededRandom.stream(site.seed, order)
  const currency = draw.chance(20) ? "USD" : "EUR"
  const places = Array.from({ length: draw.between(2, 5) }, (_, place) => place)
  return Effect.forEach(
    places,
    (place) =>
      Effect.delay(pay(site, order, `${order}/${place}`, currency), draw.chance(60) ? 0 : draw.between(1, 150)),
    { concurrency: "unbounded", discard: true }
  )
}

const pay = Effect.fnUntraced(function* (site: Site, order: string, place: string, currency: "EUR" | "USD") {
  const draw = SeededRandom.stream(site.seed, place)
  const asked = {
    amount: 1200,
    currency,
    payment_method: "card",
    customer: { email: "asha@example.com" },
    metadata: { order, place },
    order,
    ...(draw.chance(50) && { order_replaces: true })
  }
  const idempotency = draw.chance(70) ? { endpoint: "payments", key: place } : null
  const payment = yield* Effect.orDie(decodeCreatePayment(asked))
  for (let tries = idempotency === null ? 1 : 4; tries > 0; tries--) {
    const server = serverOf(site, draw)
    // A crashed server does not answer.
    const request =
      server === null ? Effect.never : Context.get(server, Payments).create(payment, { tenant, idempotency })
    const answer = yield* Effect.result(Effect.timeout(request, 3_000))
    if (Result.isSuccess(answer)) {
      site.count("begun")
      yield* payOnPage(site, draw, answer.success.record.operations[0]?.id ?? null, currency)
      return
    }
    const { failure } = answer
    if (failure._tag === "PaymentError" && failure.reason._tag === "OrderTaken") {
      site.count(failure.reason.unclosed === null ? "refused" : "not closed")
      return
    }
    site.count("failed requests")
    yield* Effect.sleep(20)
  }
})

/** A page may be closed by now: some payers are at their bank already. */
const payOnPage = Effect.fnUntraced(function* (
  site: Site,
  draw: SeededRandom.SeededRandom,
  operation: string | null,
  currency: "EUR" | "USD"
) {
  const ledger = currency === "EUR" ? site.ledgers.card : site.ledgers.coin
  const charge = ledger.find(operation)
  if (charge === undefined || charge.isPaid || !draw.chance(70)) return
  yield* Effect.sleep(draw.between(0, 200))
  if (charge.isClosed) {
    if (!draw.chance(40)) return
    site.count("paid on a closed page")
  }
  charge.isPaid = true
  site.count("paid on a page")
  const reports = draw.weighted<number>([
    [15, 0],
    [70, 1],
    [15, 2]
  ])
  for (let sent = 0; sent < reports; sent++) yield* report(site, draw, charge)
})

const report = (site: Site, draw: SeededRandom.SeededRandom, charge: Charge): Effect.Effect<void> => {
  const server = serverOf(site, draw)
  if (server === null) return Effect.void
  const vendor = site.ledgers.card.find(charge.operation) === charge ? "card" : "coin"
  const received = Context.get(server, Inbox).receive(vendor, new TextEncoder().encode(charge.reference), {})
  return Effect.asVoid(Effect.exit(Effect.timeout(received, 3_000)))
}
