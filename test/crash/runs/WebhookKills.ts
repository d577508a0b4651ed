/** P9: payments change, endpoints fail, and the worker that sends webhooks is killed again and again. */
import type { PaymentEvent } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync, writeFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startChild } from "../ChildProcess.ts"
import type { Child } from "../ChildProcess.ts"
import { mulberry32 } from "../Random.ts"
import { atRate } from "../ScaledClock.ts"
import { startReceiver } from "../webhooks/Receiver.ts"
import type { Receiver } from "../webhooks/Receiver.ts"
import { tables } from "../webhooks/settings.ts"
import type { WorkerSettings, WorkerState } from "../webhooks/settings.ts"

export interface WebhookKillsReport {
  readonly payments: number
  readonly events: number
  readonly kills: number
  /** Tries over HTTP, and calls in the process. */
  readonly posts: number
  readonly calls: number
  /** Sentences: none is what a run has to show. */
  readonly missing: ReadonlyArray<string>
  readonly underAnotherId: ReadonlyArray<string>
  readonly outOfOrder: ReadonlyArray<string>
  readonly seconds: number
}

export const webhookKills = async (options: {
  /** `postgres://…` of an empty database; default: a new SQLite file. */
  readonly database?: string
  readonly payments: number
  readonly kills: number
  readonly seed: number
}): Promise<WebhookKillsReport> => {
  const started = Date.now()
  const random = mulberry32(options.seed)
  const folder = await mkdtemp(join(tmpdir(), "paymux-webhooks-"))
  const receiver = await startReceiver()
  const deliveryLog = join(folder, "delivered")
  writeFileSync(deliveryLog, "")
  let settings: WorkerSettings = {
    database: options.database ?? `sqlite:${join(folder, "payments.db")}`,
    clock: { virtual: started, real: started, rate: 30 },
    endpoints: [receiver.url("/well"), receiver.url("/faulty")],
    payments: options.payments,
    deliveryLog
  }
  let worker: Child<WorkerState> | null = null
  const start = async () => (worker = await startChild<WorkerState>("crashWebhookWorker", JSON.stringify(settings)))
  try {
    let kills = 0
    while (kills < options.kills) {
      const running = await start()
      await new Promise((resolve) => setTimeout(resolve, 50 + random() * 900))
      if ((await running.kill("SIGKILL")).signal === "SIGKILL") kills++
    }
    // No process is killed any more; what waits for hours comes sooner.
    settings = { ...settings, clock: atRate(settings.clock, 200) }
    const last = await start()
    for (let state = last.ready; state.waiting > 0 || state.payments < options.payments;) {
      // Boundary: the messages of our own process.
      state = (await Promise.race([
        last.next(),
        last.ended.then(() => Promise.reject(new Error(last.log())))
      ])) as WorkerState
    }
    await last.kill("SIGTERM")
    const events = await eventsOf(settings.database)
    const reported = readFileSync(deliveryLog, "utf8")
      .split("\n")
      .filter((line) => line !== "")
    return {
      payments: options.payments,
      events: events.length,
      kills,
      posts: [...receiver.seen.values()]
        .flatMap((byId) => [...byId.values()])
        .reduce((sum, { tries }) => sum + tries, 0),
      calls: reported.length,
      ...judge(events, receiver, reported),
      seconds: Math.round((Date.now() - started) / 1000)
    }
  } finally {
    const running: Child<WorkerState> | null = worker
    if (running !== null) await (running as Child<WorkerState>).kill("SIGKILL")
    receiver.close()
    await rm(folder, { recursive: true, force: true })
  }
}

type EventRow = Pick<PaymentEvent, "id" | "sequence" | "paymentId">

const eventsOf = (database: string): Promise<ReadonlyArray<EventRow>> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ id: EventRow["id"]; payment_id: EventRow["paymentId"]; sequence: number | string }>`
        SELECT id, payment_id, sequence FROM payment_events ORDER BY payment_id, sequence`
      return rows.map((row) => ({ id: row.id, paymentId: row.payment_id, sequence: Number(row.sequence) }))
    }).pipe(Effect.provide(tables(database), { local: true }))
  )

const judge = (events: ReadonlyArray<EventRow>, receiver: Receiver, reported: ReadonlyArray<string>) => {
  const known = new Set<string>(events.map(({ id }) => id))
  const missing: Array<string> = []
  const underAnotherId: Array<string> = []
  for (const path of ["/well", "/faulty"]) {
    const byId = receiver.seen.get(path) ?? new Map()
    for (const { id } of events) if (byId.get(id)?.acknowledged !== true) missing.push(`${id} at ${path}`)
    // The row of a change is one (payment, sequence): what came under no row's id came under another.
    for (const id of byId.keys()) if (!known.has(id)) underAnotherId.push(`${id} at ${path}`)
    for (const [id, { bodies }] of byId) if (bodies.size > 1) underAnotherId.push(`${id} at ${path} with other bytes`)
  }
  const sequences = new Set(events.map(({ paymentId, sequence }) => `${paymentId} ${sequence}`))
  if (sequences.size !== events.length) underAnotherId.push("a change has two event rows")
  const first = [...new Set(reported)]
  const deliveredIds = new Set(first.map((line) => line.split(" ")[0]))
  for (const { id } of events) if (!deliveredIds.has(id)) missing.push(`${id} in the process`)
  const reached = new Map<string, number>()
  const outOfOrder: Array<string> = []
  for (const line of first) {
    const [id = "", payment = "", sequence = ""] = line.split(" ")
    if (!known.has(id)) underAnotherId.push(`${id} in the process`)
    if (Number(sequence) !== (reached.get(payment) ?? 0) + 1) outOfOrder.push(line)
    reached.set(payment, Number(sequence))
  }
  return { missing, underAnotherId, outOfOrder }
}
