/** Starts engines, kills them and starts them again, as a machine's supervisor does. */
import { Engine, Ids, Inbox, Payments, Reviews } from "@paymux/core"
import type { Provider } from "@paymux/core"
import { PaymentWriter } from "@paymux/core/engine"
import { defineRouting, Routing } from "@paymux/routing"
import { PaymentStore } from "@paymux/core/store"
import * as ClockBreaker from "../../ClockBreaker.ts"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import * as SimulatedAdapter from "../adapter/SimulatedAdapter.ts"
import * as WebhookDelivery from "../adapter/WebhookDelivery.ts"
import type { Server } from "../merchant/Clients.ts"
import * as SeededRandom from "../SeededRandom.ts"
import { noteCharge } from "../TestEnvironment.ts"
import type { TestEnvironment } from "../TestEnvironment.ts"
import type { Surroundings } from "../vendor/Vendor.ts"
import { reportAgain } from "../vendor/webhooks.ts"
import * as FaultyStore from "./FaultyStore.ts"
import * as Process from "./Process.ts"
import * as WallClock from "./WallClock.ts"

/** What a test of the simulator changes from outside, to see whether it is noticed. */
export interface Variation {
  readonly provider?: (provider: Provider, environment: TestEnvironment) => Provider
  readonly store?: (store: PaymentStore["Service"], environment: TestEnvironment) => PaymentStore["Service"]
}

interface RunningServer extends Server {
  readonly reviews: Reviews["Service"]
  readonly scope: Scope.Closeable
}

export interface Host {
  /** The process that serves; `null`: none does. */
  readonly server: () => RunningServer | null
  /** @param onGone called with each process that is gone, for the clients that waited */
  readonly start: (onGone: (process: Process.Process) => void) => void
  readonly kill: (downFor: number) => void
  /** Sends have their time to end. Of many engines, the next one serves meanwhile. */
  readonly restart: () => void
  readonly stall: (lasts: number) => void
  readonly stepClock: (by: number) => void
  /**
   * Vendors report once more what moved since this time of `elapsed`, as a settlement report does; and how a charge ended
   * that cannot be inquired, as webhooks are sent again on request.
   */
  readonly reportSince: (moment: number) => void
  /** No fault any more, and no hurry: the engine looks after its work every ten minutes. */
  readonly calm: () => void
}

export const make = (environment: TestEnvironment, variation: Variation): Host => {
  const { history, plan, time } = environment
  const isAlone = plan.engines === "one"
  const newProcess = processes(environment)
  const { providersOf, reportSince } = vendorsOf(environment, variation)
  const randomOfIds = SeededRandom.stream(plan.seed, "ids")
  let onGone: (process: Process.Process) => void = () => undefined
  let server: RunningServer | null = null
  /** The one that serves or is about to: when it dies, another takes its place. */
  let latest: Process.Process | null = null
  let every = 1_000

  const start = (): void => {
    const process = newProcess()
    latest = process
    const scope = Scope.makeUnsafe()
    history.note(null, { kind: "process", process: process.name, what: "started" })
    const faulty = FaultyStore.make(environment, process)
    const providers = providersOf(process)
    const engine = Engine.layer({
      providers,
      router: Routing.layer(rules, providers),
      lateSuccess: plan.lateSuccess,
      publicUrl: "http://localhost:4310",
      breakers: ClockBreaker.layer(),
      reconciler: { every, share: 200 },
      drain: DRAIN
    })
    const built = Layer.buildWithScope(
      Layer.merge(engine, Layer.provide(Reviews.layer, PaymentWriter.layer)).pipe(
        Layer.provide(
          Layer.mergeAll(
            Layer.succeed(PaymentStore, variation.store?.(faulty, environment) ?? faulty),
            SeededRandom.idsLayer(randomOfIds)
          )
        )
      ),
      scope
    )
    Effect.runForkWith(process.context)(built).addObserver((exit) => {
      if (!process.isAlive()) return
      // The database may be away at this moment: the machine starts it again.
      if (Exit.isFailure(exit)) return kill(process, 1_000)
      server = {
        process,
        payments: Context.get(exit.value, Payments),
        reviews: Context.get(exit.value, Reviews),
        scope
      }
      const inbox = Context.get(exit.value, Inbox)
      environment.serving.receive = (provider, body) => inbox.receive(provider, body, {})
      environment.serving.process = process
    })
  }
  const down = (process: Process.Process, what: "killed" | "stopped" | "stalled") => {
    history.note(null, { kind: "process", process: process.name, what })
    if (server?.process !== process) return
    server = null
    environment.serving.process = null
  }
  const gone = (process: Process.Process) => {
    process.kill()
    onGone(process)
  }
  const kill = (process: Process.Process, downFor: number): void => {
    down(process, "killed")
    gone(process)
    if (process === latest) environment.later(downFor, start)
  }
  environment.kill.process = kill
  const restart = (): void => {
    if (server === null) return
    const { process, scope } = server
    let isOver = false
    const over = () => {
      if (isOver || !process.isAlive()) return
      isOver = true
      gone(process)
      if (isAlone) start()
    }
    down(process, "stopped")
    process.enter(() => {
      Effect.runForkWith(process.context)(Scope.close(scope, Exit.void)).addObserver(over)
    })
    environment.later(2 * DRAIN, over)
    if (!isAlone) start()
  }
  /** It does not know that time has passed. Another may have taken its work over; then it ends once it wakes. */
  const stall = (lasts: number): void => {
    if (server === null) return
    const { process } = server
    process.stall(time.elapsed() + lasts)
    if (isAlone) return history.note(null, { kind: "process", process: process.name, what: "stalled" })
    down(process, "stalled")
    start()
    environment.later(lasts + 2 * DRAIN, () => gone(process))
  }

  return {
    server: () => server,
    start: (listener) => {
      onGone = listener
      start()
    },
    kill: (downFor) => {
      if (server !== null) kill(server.process, downFor)
    },
    restart,
    stall,
    stepClock: (by) => latest?.wall.step(by),
    reportSince,
    calm: () => {
      every = 600_000
      restart()
    }
  }
}

/** ms */
const DRAIN = 5_000

const vendorIds = ["p0", "p1", "p2", "p3"]

/** The plan says which vendor is tried first: a rule that drew by ids would change with every payment left out. */
const rules = defineRouting({
  version: 1,
  rules: vendorIds.map((id) => ({
    name: `${id} first`,
    when: { "metadata.first": id },
    choose: { priority: [id, ...vendorIds.filter((other) => other !== id)] }
  })),
  default: { priority: vendorIds }
})

/** Each on a machine of its own; a store that one engine has to itself is on one machine with all of them. */
const processes = ({ plan, time }: TestEnvironment) => {
  const wallOf = (place: number) =>
    WallClock.make(time.now, time.elapsed, plan.clocks[Math.min(place, plan.clocks.length - 1)] ?? RIGHT)
  const machine = wallOf(0)
  let started = 0
  return (): Process.Process => {
    const wall = plan.engines === "one" ? machine : wallOf(started)
    const name = `engine ${++started}`
    return Process.make(name, time, wall, SeededRandom.effectRandom(SeededRandom.stream(plan.seed, name)))
  }
}

const RIGHT = { aheadBy: 0, driftPerSecond: 0 }

/** The vendors outlive every process; each process has an adapter for each of them. */
const vendorsOf = (environment: TestEnvironment, variation: Variation) => {
  const emitters: WebhookDelivery.Emitters = new WeakMap()
  const surroundings: Surroundings = {
    ledger: environment.ledger,
    now: environment.time.elapsed,
    later: environment.later,
    deliver: (charge, event, by) => WebhookDelivery.deliver(environment, emitters, charge, event, by),
    isLost: (name) => Ids.isOperation(name) && environment.database.committed(name).operation === null,
    note: (charge) => noteCharge(environment, charge)
  }
  const vendors = environment.plan.vendors.map((plan) => ({ plan, surroundings }))
  const providersOf = (process: Process.Process): ReadonlyArray<Provider> => {
    const own = new Map<string, SimulatedAdapter.Emit>()
    emitters.set(process, own)
    return vendors.map((vendor) => {
      const listens = (emit: SimulatedAdapter.Emit) => void own.set(vendor.plan.id, emit)
      const provider = SimulatedAdapter.provider(environment, vendor, process, listens)
      return variation.provider?.(provider, environment) ?? provider
    })
  }
  const reportSince = (moment: number): void => {
    for (const charge of environment.ledger.charges) {
      const vendor = vendors.find(({ plan }) => plan.id === charge.provider)
      const isRecent = charge.movements.some(({ at }) => at >= moment)
      charge.isLost ||= isRecent || charge.arrivedAt >= moment
      const isUnasked = vendor?.plan.canInquire === false && charge.isLost && charge.status !== "waiting"
      if (vendor !== undefined && (isRecent || isUnasked)) reportAgain(vendor, charge)
    }
  }
  return { providersOf, reportSince }
}
