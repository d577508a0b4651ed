/** The servers of a run, which are killed one after another while they work. */
import type { SeededRandom } from "@paymux/test-suites/simulation"
import { Effect } from "effect"
import type { VendorId } from "./processes/Protocol.ts"
import { startServer } from "./ServerProcess.ts"
import type { ServerProcess } from "./ServerProcess.ts"
import type { Vendor } from "./Vendor.ts"

export interface Fleet {
  /** Dies if a server did not start, or had ended on its own. */
  readonly check: Effect.Effect<void>
  /** Any of those that run; `null`: none does at this moment. */
  readonly server: (draw: SeededRandom.SeededRandom) => ServerProcess | null
  readonly startAll: Effect.Effect<void>
  readonly killAll: Effect.Effect<void>
  /** Another one takes its place. Clients do not wait for that. */
  readonly killOne: () => void
}

interface FleetOptions {
  readonly url: string
  readonly seed: number
  readonly servers: number
  readonly vendors: { readonly [id in VendorId]: Vendor }
  readonly count: (what: string) => void
}

export const startFleet = Effect.fnUntraced(function* ({ count, seed, servers, url, vendors }: FleetOptions) {
  const running: Array<ServerProcess> = []
  const all: Array<ServerProcess> = []
  let failure: unknown = null
  let started = 0
  let change: Promise<void> = Promise.resolve()
  /** One change after the other: all that it starts can be killed. */
  const next = (act: () => Promise<void>): Promise<void> => {
    change = change.then(act)
    change.catch((cause: unknown) => (failure = cause))
    return change
  }
  const startOne = async () => {
    started += 1
    const settings = { database: url, seed: `${seed}/${started}` }
    const answer = (request: Parameters<Vendor["answer"]>[0]) => vendors[request.vendor].answer(request)
    const server = await startServer(settings, answer, () => count("lost replies"))
    all.push(server)
    running.push(server)
  }
  const killOne = async () => {
    const [oldest] = running.splice(0, 1)
    await oldest?.kill()
  }
  const fleet: Fleet = {
    check: Effect.suspend(() => (failure === null ? Effect.void : Effect.die(failure))),
    server: (draw) => running[draw.between(0, Math.max(0, running.length - 1))] ?? null,
    startAll: Effect.promise(() =>
      next(async () => {
        while (running.length < servers) await startOne()
      })
    ),
    killAll: Effect.promise(() =>
      next(async () => {
        while (running.length > 0) await killOne()
      })
    ),
    killOne: () => {
      next(async () => {
        await killOne()
        count("kills")
        await startOne()
      }).catch(() => undefined)
    }
  }
  yield* Effect.addFinalizer(() =>
    Effect.promise(async () => {
      // What is being started is killed as well.
      await change.catch(() => undefined)
      await Promise.allSettled(all.map((server) => server.kill()))
    })
  )
  yield* fleet.startAll
  return fleet
})
