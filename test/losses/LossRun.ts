/**
 * A run: the real engine on a database file in virtual time, vendors with ledgers of their own, and clients. At some moment the
 * database is copied; later the server dies, and the copy takes its place.
 */
import { Engine, Ids, Inbox, Payments } from "@paymux/core"
import type { Provider } from "@paymux/core"
import { makeIds } from "@paymux/core/engine"
import type { ServerSecrets } from "@paymux/core/wire"
import { everyPayment, markedAs, PaymentStore } from "@paymux/core/store"
import { AuditLog } from "@paymux/dashboard"
import { defineRouting, Routing } from "@paymux/routing"
import type { ListedDifference, UnmatchedReport } from "@paymux/sql"
import { SqliteDatabase, Statements, UnmatchedReports } from "@paymux/sql"
import { ClockBreaker, memoryContext } from "@paymux/test-suites"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Clock, Context, Effect, Exit, Layer, Random, Redacted, References, Scope } from "effect"
import { createHmac } from "node:crypto"
import { readStatement } from "../../packages/paymux/src/reconcile/readStatement.ts"
import { makeLastingKeys } from "../../packages/paymux/src/secrets/LastingKeys.ts"
import { enter } from "../../packages/paymux/src/secrets/openInstallation.ts"
import { rotateSecret } from "../../packages/paymux/src/secrets/rotateSecret.ts"
import { withSecretsLocked } from "../../packages/paymux/src/secrets/secretRows.ts"
import { makeClients, tenant } from "./Clients.ts"
import type { Clients, ClientView, Server } from "./Clients.ts"
import type { Database } from "./Database.ts"
import type { LossPlan } from "./LossPlan.ts"
import { makeVendor } from "./Vendor.ts"
import type { Answer, Charge, Vendor } from "./Vendor.ts"
import { evidenceOf, vendorProvider } from "./VendorAdapter.ts"
import type { Network } from "./VendorAdapter.ts"
import { virtualWorld } from "./VirtualWorld.ts"
import type { VirtualWorld } from "./VirtualWorld.ts"

/** What a test of the judge breaks. */
export interface Variation {
  readonly ids?: (ids: Ids["Service"], random: Ids["Service"]) => Ids["Service"]
  readonly isStatementIgnored?: boolean
  readonly isMarkIgnored?: boolean
  /** After a rotation, of the restored server. */
  readonly hasNamesOfNewSecret?: boolean
}

/** What an operator sees in the end. */
interface OperatorView {
  readonly differences: ReadonlyArray<ListedDifference>
  readonly reports: ReadonlyArray<UnmatchedReport>
  /** Orders whose payments have open reviews. */
  readonly reviewed: ReadonlySet<number>
}

interface ShownPayment {
  readonly status: string
  readonly minorUnits: number
}

export interface LossRun {
  readonly plan: LossPlan
  readonly vendors: ReadonlyArray<Vendor>
  /** ms UTC */
  readonly copiedAt: number
  readonly lostAt: number
  readonly clients: ReadonlyArray<ClientView>
  /** Each client's payment, as the API shows it; `null`: it is not there. */
  readonly shown: ReadonlyArray<ShownPayment | null>
  readonly operator: OperatorView
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

export const runLosses = Effect.fnUntraced(function* (plan: LossPlan, database: Database, variation: Variation = {}) {
  const world = yield* virtualWorld
  const site = makeSite(plan, world)
  const clients = makeClients(plan.orders, world, () => site.running?.server ?? null)
  const engine = { plan, database, variation }
  const first = { ...engine, rules: "first", secrets: [secret] } as const
  const secrets: ServerSecrets = plan.rotates ? [nextSecret, secret] : [secret]
  const restored = {
    ...engine,
    rules: plan.rulesChange ? "changed" : "first",
    secrets
  } as const

  yield* startEngine(site, { ...first, every: SECOND })
  clients.start()
  yield* world.pass(plan.copiedAt, SECOND)
  const copiedAt = world.now()
  yield* provided(site, database.copy)
  if (plan.rotates) yield* Effect.orDie(provided(site, rotation))
  yield* world.pass(plan.lostAt - plan.copiedAt, SECOND)
  const lostAt = world.now()
  clients.lose()
  yield* stopEngine(site)
  yield* database.restore
  if (plan.keysExpire) {
    yield* startEngine(site, { ...restored, every: 10 * MINUTE })
    yield* world.pass(25 * HOUR, 10 * MINUTE)
    yield* stopEngine(site)
  }
  site.isRestored = true
  yield* startEngine(site, { ...restored, every: SECOND })
  const restoredAt = world.now()
  if (plan.isMarked && variation.isMarkIgnored !== true) yield* markRestored(site, copiedAt)
  site.isOutageOver = () => world.now() >= restoredAt + MINUTE
  clients.comeBack()
  yield* world.pass(4 * MINUTE, SECOND)
  yield* stopEngine(site)
  yield* startEngine(site, { ...restored, every: MINUTE })
  yield* world.pass(3 * HOUR, 2 * MINUTE)
  if (variation.isStatementIgnored !== true) yield* readStatements(site)
  yield* world.pass(20 * MINUTE, MINUTE)
  const end = yield* readView(site, clients)
  yield* stopEngine(site)
  return { plan, vendors: site.vendors, copiedAt, lostAt, clients: clients.views, ...end } satisfies LossRun
})

const secret = Redacted.make("the secret of these tests")
const nextSecret = Redacted.make("the next secret of these tests")

/** As `paymux secret rotate` does. */
const rotation = rotateSecret({
  secrets: [nextSecret, secret],
  account: tenant.account,
  onProgress: () => Effect.void
}).pipe(Effect.provide(AuditLog.layer))

/** As `paymux database restored` does. */
const markRestored = (site: Site, wentBackTo: number) =>
  provided(
    site,
    PaymentStore.use(({ now, restoration }) =>
      Effect.gen(function* () {
        const before = yield* restoration.read
        const report = { wentBackTo, acceptedDoubles: [], until: null }
        yield* restoration.replace(before, markedAs(before.mark, report, yield* now))
      })
    )
  ).pipe(Effect.orDie)

interface Running {
  readonly scope: Scope.Closeable
  readonly context: Context.Context<SqliteDatabase | Statements | UnmatchedReports | PaymentStore | Payments | Inbox>
  readonly server: Server
}

interface Site {
  readonly vendors: ReadonlyArray<Vendor>
  readonly network: Network
  readonly world: VirtualWorld
  readonly random: SeededRandom.SeededRandom
  running: Running | null
  isRestored: boolean
  isOutageOver: () => boolean
}

const makeSite = (plan: LossPlan, world: VirtualWorld): Site => {
  const { later } = world
  const report = (charge: Charge): void => {
    if (plan.orders[charge.n]?.webhooks !== true) return
    const body = new TextEncoder().encode(JSON.stringify([evidenceOf(charge)]))
    const deliver = (tries: number): void => {
      const running = site.running
      const again = () => tries > 0 && later(30_000, () => deliver(tries - 1))
      if (running === null) return void again()
      const { receive } = Context.get(running.context, Inbox)
      running.server.fork(receive(charge.vendor, body, {})).addObserver((exit) => {
        if (Exit.isFailure(exit)) again()
      })
    }
    later(3_000, () => deliver(20))
  }
  const site: Site = {
    world,
    vendors: plan.vendors.map((each) => makeVendor(each, plan.orders, { now: world.now, later, report })),
    random: SeededRandom.stream(plan.seed, "engine"),
    running: null,
    isRestored: false,
    isOutageOver: () => false,
    network: {
      now: world.now,
      isReachable: (vendor) =>
        plan.outage?.vendor !== vendor ||
        (plan.outage.when === "before" ? site.isRestored : !site.isRestored || site.isOutageOver()),
      call: (_, arrive, isLost) =>
        Effect.callback<Answer>((resume) => {
          later(1_000, () => {
            const answer = arrive()
            if (!isLost(answer)) later(1_000, () => resume(Effect.succeed(answer)))
          })
        })
    }
  }
  return site
}

interface Start {
  readonly plan: LossPlan
  readonly database: Database
  readonly variation: Variation
  readonly rules: "first" | "changed"
  readonly secrets: ServerSecrets
  /** ms between two looks of the reconciler. */
  readonly every: number
}

const startEngine = Effect.fnUntraced(function* (site: Site, start: Start) {
  const { database, every, plan, rules } = start
  const providers = site.vendors.map((vendor) => vendorProvider(vendor, site.network))
  const scope = yield* Scope.make()
  const own = yield* ownContext(site)
  const engine = Engine.layer({
    providers,
    router: Routing.layer(rulesOf(plan, rules), providers),
    publicUrl: "http://localhost:4310",
    // Availability changes only where the plan says so.
    breakers: ClockBreaker.layer({ minimumCalls: 1_000_000 }),
    reconciler: { every, share: 200 },
    drain: 0
  }).pipe(Layer.provide(idsLayer(site, start)), Layer.provideMerge(database.layer))
  const context = yield* Effect.orDie(Layer.buildWithScope(engine, scope)).pipe(Effect.provideContext(own))
  // Nothing of a run survives its process: no write has to be on the disk.
  Context.get(context, SqliteDatabase).db.exec("PRAGMA synchronous = OFF")
  site.running = {
    scope,
    context,
    server: {
      payments: Context.get(context, Payments),
      fork: Effect.runForkWith(own)
    }
  }
})

/** The clock and the randomness of whatever runs in the engine's process. What it logs is not looked at. */
const ownContext = ({ random, world }: Site) =>
  Effect.map(Effect.context<never>(), (outer) =>
    outer.pipe(
      Context.add(Clock.Clock, world.clock),
      Context.add(Random.Random, SeededRandom.effectRandom(random)),
      Context.add(References.MinimumLogLevel, "None")
    )
  )

const rulesOf = ({ seed }: LossPlan, rules: Start["rules"]) =>
  defineRouting({
    version: 1,
    default: { split: { v_keys: 35, v_keys_only: 25, v_reference: 25, v_neither: 15 }, seed: `${seed} ${rules}` }
  })

/** As a server makes them: of the secrets that it has, and of what the database keeps. */
const idsLayer = ({ random, world }: Site, { secrets, variation }: Start) =>
  Layer.effect(
    Ids,
    Effect.gen(function* () {
      const { keys } = yield* Effect.orDie(withSecretsLocked(enter(secrets, null)))
      const bytes = (length: number) => Uint8Array.from({ length }, () => random.between(0, 255))
      const { names } = variation.hasNamesOfNewSecret === true ? makeLastingKeys(secrets[0], "losses") : keys
      const digest = (text: string) => createHmac("sha256", Redacted.value(names)).update(text).digest()
      const ids = makeIds(bytes, world.now, digest)
      return variation.ids?.(ids, makeIds(bytes, world.now)) ?? ids
    })
  )

const stopEngine = Effect.fnUntraced(function* (site: Site) {
  const { running, world } = site
  if (running === null) return
  site.running = null
  let isClosed = false
  const context = yield* Effect.context<never>()
  Effect.runForkWith(context)(Scope.close(running.scope, Exit.void)).addObserver(() => void (isClosed = true))
  yield* world.passUntil(() => isClosed, 100)
})

const provided = <A, E, R>(site: Site, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E> =>
  site.running === null
    ? Effect.die(new Error("No engine runs"))
    : // Boundary: the context of a running engine has every service that this file reads.
      Effect.provideContext(effect, site.running.context as Context.Context<R>)

const readStatements = Effect.fnUntraced(function* (site: Site) {
  for (const vendor of site.vendors) {
    const provider: Provider = vendorProvider(vendor, site.network)
    const operations = yield* Effect.scoped(provider.make(memoryContext(provider.id)))
    const window = { since: null, until: null }
    yield* Effect.orDie(provided(site, readStatement({ provider, operations }, window, "test")))
  }
})

const readView = Effect.fnUntraced(function* (site: Site, { views }: Clients) {
  const differences = yield* Effect.orDie(
    provided(
      site,
      Statements.use((statements) => statements.differences(false, { limit: 1000 }))
    )
  )
  const reports = yield* Effect.orDie(
    provided(
      site,
      UnmatchedReports.use((list) => list.list(tenant, { statuses: ["waiting", "parked"], limit: 1000 }))
    )
  )
  const inReview = yield* Effect.orDie(
    provided(
      site,
      Payments.use((payments) => payments.list(tenant, { ...everyPayment, limit: 1000, inReview: true }))
    )
  )
  const shown = yield* Effect.forEach(views, ({ paymentId }) =>
    paymentId === null
      ? Effect.succeed(null)
      : provided(
          site,
          Payments.use((payments) => payments.get(tenant, paymentId))
        ).pipe(
          Effect.map(({ payment }): ShownPayment | null => ({
            status: payment.state.status,
            minorUnits: payment.amount.minorUnits
          })),
          Effect.catch(() => Effect.succeed(null))
        )
  )
  const operator: OperatorView = {
    differences: differences.entries.filter(({ resolvedAt }) => resolvedAt === null),
    reports: reports.data,
    reviewed: new Set(inReview.records.map(({ payment }) => Number(payment.metadata["n"])))
  }
  return { operator, shown }
})
