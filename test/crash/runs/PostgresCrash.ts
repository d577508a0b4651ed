/**
 * PostgreSQL itself is killed in the middle of its transactions: one backend dies, the postmaster ends all others and
 * recovers from the log, as after a crash.
 */
import { PostgresClient, PostgresDatabase } from "@paymux/sql"
import { Effect, Redacted } from "effect"
import { pause, withHarness } from "../TestHarness.ts"
import type { HarnessReport } from "../TestHarness.ts"

/** `database`: of a server of this machine, for this run alone. */
export const postgresCrash = (options: {
  readonly database: string
  readonly times: number
  readonly payments: number
}): Promise<HarnessReport> => {
  const { database, payments, times } = options
  return withHarness({ name: "postgres", database, engines: 2 }, async (harness) => {
    for (let time = 1; time <= times; time++) {
      await harness.untilPayments(harness.traffic.started() + Math.ceil(payments / times / 2))
      await crash(database)
      await pause(500)
    }
    await harness.untilPayments(payments)
  })
}

const crash = (url: string): Promise<void> =>
  Effect.runPromise(
    Effect.flatMap(PostgresDatabase, ({ query }) => query("SELECT pg_backend_pid() AS pid", [])).pipe(
      Effect.map(([row]) => void process.kill(Number(row?.["pid"]), "SIGKILL")),
      Effect.provide(PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true })
    )
  )
