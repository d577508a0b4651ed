/**
 * Case C: the engine against a script written by hand, on PostgreSQL, both in this process and on one server, each with
 * a pool of its own of the same size and 64 payments at a time.
 *
 * What the engine saves is round trips: a commit is one statement to it. The server's own work, the flushes to the disk
 * among it, is the same for both. The reported CPU is this process's, without the server's.
 *
 * A third contender are two engines on one database, each in a process of its own.
 */
import { openEngineOnPostgres } from "./EngineContender.ts"
import { openBarePostgres } from "./BarePostgres.ts"
import { openPostgres } from "./PostgresDatabases.ts"
import { start } from "./Process.ts"
import { interleave, measure } from "./Rounds.ts"
import { contentOfPostgres, differences } from "./SameRows.ts"

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
    const contender = (name: keyof typeof postgresNames, { run }: Runnable) => ({
      name: postgresNames[name],
      run: () => measure(paymentsPerSlice, () => run(paymentsPerSlice, together))
    })
    const contenders = [contender("engine", engine), contender("bare", bare), contender("two", two)]
    const measured = await interleave(contenders, options).finally(() =>
      Promise.all([engine.close(), bare.close(), two.close()])
    )
    const workOf = async (name: keyof typeof postgresNames) => ({
      name: postgresNames[name],
      payments: paymentsPerSlice * (rounds + warmUps),
      content: await contentOfPostgres(urls[name], ["payment_events.position"])
    })
    const written = await workOf("bare")
    const unequal = [...differences(await workOf("engine"), written), ...differences(await workOf("two"), written)]
    if (unequal.length > 0) throw new Error(`The rows are not the same.\n${unequal.join("\n")}`)
    return { measured, version: databases.version }
  } finally {
    await databases.close()
  }
}

interface Runnable {
  readonly run: (payments: number, together: number) => Promise<unknown>
}

/** Each makes half of the payments. */
const openTwo = async (url: string) => {
  const engines = ["one", "other"].map(() => start("engine.ts", [url]))
  await Promise.all(engines.map(({ next }) => next()))
  return {
    run: (payments: number, together: number) =>
      Promise.all(engines.map(({ ask }) => ask({ payments: payments / engines.length, together }))),
    close: () => Promise.all(engines.map(({ close }) => close()))
  }
}
