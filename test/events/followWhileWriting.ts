/** Eight writers in two processes, a server, and a reader that is killed again and again and continues. */
import { PostgresClient } from "@paymux/sql"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { createPaymux } from "paymux"
import { fork } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileOfProgram } from "../support/program.ts"
import type { Program } from "../support/program.ts"
import { eventOf, eventsOfPayment, writerPlans } from "./plan.ts"

export interface FollowPlan {
  /** `postgres://…` with tables, or `sqlite:…`. */
  readonly database: string
  /** A multiple of 80. */
  readonly events: number
  readonly kills: number
  /** Where the reader stores what it reads. */
  readonly file: string
}

/** Returns what is wrong about what the reader has stored. */
export const followWhileWriting = async (plan: FollowPlan): Promise<ReadonlyArray<string>> => {
  const { database, events, file, kills } = plan
  await using paymux = await createPaymux({ sandbox: true, database })
  const server = createServer(paymux.node)
  await once(server.listen(0, "127.0.0.1"), "listening")
  // A TCP server's address is never a pipe's name.
  const { port } = server.address() as AddressInfo
  const reading = { apiKey: paymux.testKey ?? "", baseUrl: `http://127.0.0.1:${port}`, file }
  try {
    if (database.startsWith("postgres:")) await slowCommits(database)
    const plans = writerPlans(database, 2, 4, events)
    const writers = await Promise.all(plans.map((plan) => start("eventWriter", plan)))
    const written = Promise.all(writers.map(ended))
    let stored = 0
    for (let part = 1; part <= kills; part += 1) {
      const reader = await start("eventReader", { ...reading, isLast: false })
      const enough = Math.ceil((events * part) / (kills + 1))
      const arrived = new Promise<void>((resolve) => {
        reader.on("message", () => {
          stored += 1
          if (stored >= enough) resolve()
        })
      })
      const killed = once(reader, "exit").then(([code, signal]) => {
        if (signal !== "SIGKILL") throw new Error(`The reader ended: ${String(code)}`)
      })
      await Promise.race([arrived, killed])
      reader.kill("SIGKILL")
      await killed
      stored = lines(file).length
    }
    await written
    await ended(await start("eventReader", { ...reading, isLast: true }))
    return faultsOf(lines(file), events)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Every third event waits before its commit, for up to 20 ms: others overtake it. */
const slowCommits = (database: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe(`CREATE FUNCTION wait_before_commit() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN PERFORM pg_sleep(random() * 0.02); RETURN NULL; END'`)
    yield* sql.unsafe(`CREATE CONSTRAINT TRIGGER wait_before_commit AFTER INSERT ON payment_events
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.position % 3 = 0) EXECUTE FUNCTION wait_before_commit()`)
  }).pipe(Effect.provide(PostgresClient.layer({ url: Redacted.make(database) })), Effect.runPromise)

const start = async (program: Program, plan: object): Promise<ChildProcess> =>
  fork(await fileOfProgram(program), [JSON.stringify(plan)], { stdio: ["ignore", "ignore", "inherit", "ipc"] })

const ended = async (child: ChildProcess): Promise<void> => {
  const [code] = await once(child, "exit")
  if (code !== 0) throw new Error(`A process ended: ${String(code)}`)
}

/** Only those that were written whole. */
const lines = (file: string): ReadonlyArray<string> => readFileSync(file, "utf8").split("\n").slice(0, -1)

const faultsOf = (stored: ReadonlyArray<string>, events: number): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const latest = new Map<string, number>()
  const seen = new Set<string>()
  for (const line of stored) {
    const [id = "", payment = "", number] = line.split(" ")
    const sequence = Number(number)
    if (seen.has(id)) faults.push(`${id} was read twice`)
    seen.add(id)
    if (sequence !== (latest.get(payment) ?? 0) + 1) faults.push(`${id} of ${payment} was read out of order`)
    latest.set(payment, sequence)
  }
  for (let payment = 1; payment <= events / eventsOfPayment; payment += 1) {
    for (let sequence = 1; sequence <= eventsOfPayment; sequence += 1) {
      const id = eventOf(payment, sequence)
      if (!seen.delete(id)) faults.push(`${id} was never read`)
    }
  }
  return [...faults, ...[...seen].map((id) => `${id} was not written`)]
}
