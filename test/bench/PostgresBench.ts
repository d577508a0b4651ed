/**
 * Case C: the engine against a script written by hand, on PostgreSQL, both in this process and on one server, each with
 * a pool of its own of the same size and 64 payments at a time. A commit of either is one statement for many payments.
 *
 * A third contender are two engines on one database, each in a process of its own. CPU is that of every process of a contender,
 * and beside it that of the server.
 */
import { openEngineOnPostgres } from "./EngineContender.ts"
import { openBarePostgres } from "./BarePostgres.ts"
import { openPostgres } from "./PostgresDatabases.ts"
import { start } from "./Process.ts"
import { interleave, measure, measureUsage } from "./Rounds.ts"
import type { Slice } from "./Rounds.ts"
import { contentOfPostgres, differences } from "./SameRows.ts"
import { serverCpuOf } from "./serverCpu.ts"
import { storageOfPostgres } from "./Storage.ts"

export interface PostgresBenchOptions {
  readonly rounds: number
  readonly warmUps: number
  readonly paymentsPerSlice: number
  readonly progress: (done: number, of: number) => void
}

/** Payments at a time, of either. */
const together = 64

export const postgresNames = {
  engine: `engine, ${together} at a time`,
  bare: `bare script, ${together} at a time`,
  two: `two processes, ${together} at a time each`
} as const

/** Fails where the contenders did not do the same work. */
export const postgresBench = async (options: PostgresBenchOptions) => {
  const { paymentsPerSlice, rounds, warmUps } = options
  const databases = await openPostgres()
  try {
    const urls = {
      engine: await databases.create("engine"),
      bare: await databases.create("bare"),
      two: await databases.create("two")
    }
    const engine = await openEngineOnPostgres(urls.engine)
    const bare = openBarePostgres(urls.bare)
    const two = await openTwo(urls.two)
    const serverCpu = await serverCpuOf(urls.engine)
    const contender = (name: keyof typeof postgresNames, { cpu = async () => 0, run }: Runnable) => ({
      name: postgresNames[name],
      run: async (): Promise<Slice> => {
        const slice = () => measureUsage(cpu, () => measure(paymentsPerSlice, () => run(paymentsPerSlice, together)))
        const [[own, others], server] = await measureUsage(serverCpu ?? (() => 0), slice)
        return { ...own, cpu: own.cpu + others, ...(serverCpu !== null && { serverCpu: server }) }
      }
    })
    const contenders = [contender("engine", engine), contender("bare", bare), contender("two", two)]
    const measured = await interleave(contenders, options).finally(() =>
      Promise.all([engine.close(), bare.close(), two.close()])
    )
    const storage = [
      await storageOf("engine", urls.engine, paymentsPerSlice, await openEngineOnPostgres(urls.engine)),
      await storageOf("bare", urls.bare, paymentsPerSlice, openBarePostgres(urls.bare))
    ]
    const workOf = async (name: keyof typeof postgresNames) => ({
      name: postgresNames[name],
      // The costs of storage took another slice.
      payments: paymentsPerSlice * (rounds + warmUps + (name === "two" ? 0 : 1)),
      content: await contentOfPostgres(urls[name], ["payment_events.position"])
    })
    const written = await workOf("bare")
    const unequal = [...differences(await workOf("engine"), written), ...differences(await workOf("two"), written)]
    if (unequal.length > 0) throw new Error(`The rows are not the same.\n${unequal.join("\n")}`)
    return { measured, storage, version: databases.version }
  } finally {
    await databases.close()
  }
}

interface Runnable {
  readonly run: (payments: number, together: number) => Promise<unknown>
  /** µs used so far by processes of its own. */
  readonly cpu?: () => Promise<number>
}

const storageOf = (
  name: keyof typeof postgresNames,
  url: string,
  payments: number,
  { close, run }: Runnable & { readonly close: () => Promise<unknown> }
) => storageOfPostgres(postgresNames[name], url, payments, () => run(payments, together).finally(close))

/** Each makes half of the payments. */
const openTwo = async (url: string) => {
  const engines = ["one", "other"].map(() => start("engine.ts", [url]))
  await Promise.all(engines.map(({ next }) => next()))
  return {
    run: (payments: number, together: number) =>
      Promise.all(engines.map(({ ask }) => ask({ payments: payments / engines.length, together }))),
    // Boundary: the messages of our own script.
    cpu: async () => {
      const used = (await Promise.all(engines.map(({ ask }) => ask("cpu")))) as ReadonlyArray<number>
      return used.reduce((sum, each) => sum + each, 0)
    },
    close: () => Promise.all(engines.map(({ close }) => close()))
  }
}
