/**
 * A run: the real engine over the in-memory store, processes that come and go as the plan says, clients, providers; and
 * after the last fault as much quiet as the engine needs to settle everything, eight days at most.
 */
import { Engine, Ids, Inbox, isOpen, MemoryStore, Payments, PaymentStore } from "@paymux/core"
import type { PaymentId, PaymentRecord, Provider } from "@paymux/core"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import * as ClockBreaker from "../ClockBreaker.ts"
import type { Server } from "./Clients.ts"
import * as FaultyStore from "./FaultyStore.ts"
import type { Entry } from "./History.ts"
import type { Charge } from "./Ledger.ts"
import type { Plan } from "./Plan.ts"
import * as PlatformDigest from "./PlatformDigest.ts"
import * as Process from "./Process.ts"
import * as SeededRandom from "./SeededRandom.ts"
import * as SimulatedProvider from "./SimulatedProvider.ts"
import * as Traffic from "./Traffic.ts"
import * as Vendor from "./Vendor.ts"
import * as World from "./World.ts"

/** What a test of the simulator changes from outside, to see whether it is noticed. */
export interface Variation {
  readonly provider?: (provider: Provider, world: World.World) => Provider
  readonly store?: (store: PaymentStore["Service"], world: World.World) => PaymentStore["Service"]
}

export interface Run {
  readonly plan: Plan
  readonly entries: ReadonlyArray<Entry>
  /** Every payment as it stands at the end. */
  readonly records: ReadonlyArray<PaymentRecord>
  readonly charges: ReadonlyArray<Charge>
  /** ms of virtual time */
  readonly lasted: number
}

export const run = (plan: Plan, variation: Variation = {}): Promise<Run> =>
  PlatformDigest.inPlace(async () => {
    const store = MemoryStore.make()
    const world = World.make(plan, store)
    const house = makeHouse(world, variation)
    house.open()
    await world.time.run(() => world.time.elapsed() >= plan.calmAt)
    house.calm()
    await world.time.run(() => house.isSettled())
    return {
      plan,
      entries: world.history.entries,
      records: house.records(),
      charges: world.ledger.charges,
      lasted: world.time.elapsed()
    }
  })

/** The operator of the engine: starts processes, kills them, starts them again. */
const makeHouse = (world: World.World, variation: Variation) => {
  const { history, ledger, plan, store, time } = world
  const vendors = plan.providers.map(Vendor.make)
  const ids = SeededRandom.ids(SeededRandom.stream(plan.seed, "ids"))
  const isAlone = plan.engines === "one"
  let server: (Server & { readonly scope: Scope.Closeable }) | null = null
  /** The one that serves or is about to: when it dies, another takes its place. */
  let latest: Process.Process | null = null
  let processes = 0
  let every = 1_000
  let nextLook = 0
  /** Looked at only once nothing new begins. */
  let unsettled: ReadonlyArray<PaymentId> | null = null

  const start = (): void => {
    const name = `engine ${++processes}`
    const random = SeededRandom.effectRandom(SeededRandom.stream(plan.seed, name))
    const process = Process.make(name, time, random)
    const faulty = FaultyStore.make(world, process)
    latest = process
    const scope = Scope.makeUnsafe()
    history.note(null, { kind: "process", process: name, what: "started" })
    const built = Layer.buildWithScope(
      Engine.layer({
        providers: vendors.map((vendor) => {
          const provider = SimulatedProvider.provider(world, vendor, process)
          return variation.provider?.(provider, world) ?? provider
        }),
        lateSuccess: plan.lateSuccess,
        publicUrl: "http://localhost:4310",
        breakers: ClockBreaker.layer(),
        reconciler: { every, batch: 200 },
        drain: DRAIN
      }).pipe(
        Layer.provide(
          Layer.mergeAll(
            Layer.succeed(PaymentStore, variation.store?.(faulty, world) ?? faulty),
            Layer.succeed(Ids, ids)
          )
        )
      ),
      scope
    )
    Effect.runForkWith(process.context)(built).addObserver((exit) => {
      if (!process.isAlive()) return
      // The database may be away at this moment: who looks after the process starts it again.
      if (Exit.isFailure(exit)) return kill(process, 1_000)
      server = { process, payments: Context.get(exit.value, Payments), scope }
      const inbox = Context.get(exit.value, Inbox)
      world.serving.receive = (provider, body) => inbox.receive(provider, body, {})
      world.serving.process = process
    })
  }
  const down = (process: Process.Process, what: "killed" | "stopped" | "stalled") => {
    history.note(null, { kind: "process", process: process.name, what })
    if (server?.process !== process) return
    server = null
    world.serving.process = null
  }
  const kill = (process: Process.Process, downFor: number): void => {
    down(process, "killed")
    process.kill()
    traffic.connectionsLost(process)
    if (process === latest) world.later(downFor, start)
  }
  /** Sends have their time to end. Of many engines, the next one serves meanwhile. */
  const restart = (): void => {
    if (server === null) return
    const { process, scope } = server
    let gone = false
    const over = () => {
      if (gone || !process.isAlive()) return
      gone = true
      process.kill()
      traffic.connectionsLost(process)
      if (isAlone) start()
    }
    down(process, "stopped")
    process.enter(() => {
      Effect.runForkWith(process.context)(Scope.close(scope, Exit.void)).addObserver(over)
    })
    world.later(2 * DRAIN, over)
    if (!isAlone) start()
  }
  /** It does not know that time has passed. Another may have taken its work over; then it is told to go once it wakes. */
  const stall = (lasts: number): void => {
    if (server === null) return
    const { process } = server
    process.stall(time.elapsed() + lasts)
    if (isAlone) return history.note(null, { kind: "process", process: process.name, what: "stalled" })
    down(process, "stalled")
    start()
    world.later(lasts + 2 * DRAIN, () => {
      process.kill()
      traffic.connectionsLost(process)
    })
  }

  world.kill.process = kill
  const traffic = Traffic.make(world, () => server)

  const open = (): void => {
    start()
    traffic.send()
    for (const trouble of plan.troubles) {
      if (!("at" in trouble)) continue
      world.later(trouble.at, () => {
        history.note(null, { kind: "trouble", trouble, text: World.describe(trouble) })
        switch (trouble.kind) {
          case "kill":
            if (server !== null) kill(server.process, trouble.downFor)
            return
          case "restart":
            return restart()
          case "stall":
            return stall(trouble.lasts)
          case "clock":
            return time.step(trouble.by)
          case "store_away":
          case "store_slow":
          case "outage":
          case "brown_out":
            return
        }
      })
    }
  }

  /** No fault any more, and nobody in a hurry: the engine looks after its work every ten minutes. */
  const calm = (): void => {
    every = 600_000
    restart()
  }

  const begun = () =>
    history.entries.flatMap((entry) =>
      entry.kind === "committed" && entry.before === null ? [entry.after.payment.id] : []
    )
  const standing = (id: PaymentId) => Effect.runSync(Effect.orDie(store.get(id)))
  const records = () => begun().flatMap((id) => standing(id) ?? [])
  const isOver = (id: PaymentId): boolean => {
    const record = standing(id)
    return record !== null && record.payment.state.status !== "pending" && !record.operations.some(isOpen)
  }
  const isSettled = (): boolean => {
    const now = time.elapsed()
    if (now >= plan.calmAt + EIGHT_DAYS) return true
    if (now < nextLook) return false
    nextLook = now + LOOK_EVERY
    return (
      world.waiting() === 0 &&
      server !== null &&
      (unsettled = (unsettled ?? begun()).filter((id) => !isOver(id))).length === 0
    )
  }

  return { open, calm, isSettled, records, ledger }
}

const DRAIN = 5_000
const LOOK_EVERY = 3_600_000
const EIGHT_DAYS = 8 * 24 * 3_600_000
