/** Requests that are hardly what is documented, against a real server, and what became of its database and memory. */
import * as fc from "fast-check"
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileOfProgram } from "../../support/program.ts"
import { faultOf } from "./judge.ts"
import { bytesOf, keyOf, requests } from "./requests.ts"
import type { Ask, Document, Targets } from "./requests.ts"
import { column } from "./rows.ts"
import { openWire } from "./Wire.ts"
import type { Reply } from "./Wire.ts"

export interface MutationReport {
  readonly asked: number
  /** How many answers had each status. */
  readonly statuses: { readonly [status: string]: number }
  /** Answers that no request may have, each with its request and the seed that makes it again. */
  readonly faults: ReadonlyArray<string>
  /** Rows that no answer speaks of, and answers whose rows are not there. */
  readonly rows: ReadonlyArray<string>
  /** How many rows were looked at: payments, operations and idempotency keys. */
  readonly compared: number
  /** Bytes that the heap holds more than before the requests, after a collection. */
  readonly heapGrowth: number
}

const AT_ONCE = 16
const BATCH = 500

export interface MutationPlan {
  readonly count: number
  readonly seed: number
  /** `postgres://…`, empty and migrated. Default: a new file of SQLite. */
  readonly database?: string
}

export const mutationRun = async (plan: MutationPlan): Promise<MutationReport> => {
  const folder = await mkdtemp(join(tmpdir(), "paymux-mutations-"))
  const database = plan.database ?? `sqlite:${join(folder, "payments.db")}`
  const child = fork(await fileOfProgram("mutationsServer"), [database], {
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "ignore", "pipe", "ipc"]
  })
  let log = ""
  child.stderr?.on("data", (chunk: Buffer) => (log = (log + chunk.toString()).slice(-5_000)))
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`The server ended:\n${log}`)))
  ended.catch(() => undefined)
  try {
    const { key, port } = await Promise.race([message<{ readonly key: string; readonly port: number }>(child), ended])
    const heap = async () => {
      child.send({})
      return (await Promise.race([message<{ readonly heap: number }>(child), ended])).heap
    }
    return await against({ key, port, database, heap, count: plan.count, seed: plan.seed })
  } finally {
    if (child.connected) child.disconnect()
    await ended.catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  }
}

// Boundary: the messages of our own process.
const message = <A>(child: ReturnType<typeof fork>): Promise<A> =>
  new Promise((resolve) => void child.once("message", (said) => resolve(said as A)))

interface Running {
  readonly port: number
  readonly key: string
  readonly database: string
  readonly heap: () => Promise<number>
  readonly count: number
  readonly seed: number
}

const against = async ({ count, database, heap, key, port, seed }: Running): Promise<MutationReport> => {
  const wires = Array.from({ length: AT_ONCE }, () => openWire(port))
  const books = newBooks()
  const statuses: { [status: string]: number } = {}
  const faults: Array<string> = []

  const answer = async (index: number, ask: Ask, n: number, from: string): Promise<Reply | null> => {
    try {
      const reply = await (wires[index] ?? openWire(port)).send(bytesOf(ask, n, key), ask.method)
      statuses[reply.status] = (statuses[reply.status] ?? 0) + 1
      const fault = faultOf(reply, ask.method, ask.target)
      if (fault !== null) faults.push(`${from}: ${shown(ask)}\n  ${fault.slice(0, 500)}`)
      enter(books, ask, n, reply)
      return reply
    } catch (error) {
      faults.push(`${from}: ${shown(ask)}\n  ${String(error).slice(0, 500)}`)
      return null
    }
  }

  const document: Document = JSON.parse((await answer(0, plain("GET", "/v1/openapi.json"), -1, "start"))?.body ?? "{}")
  const targets = await furnished((ask, n) => answer(0, ask, n, "start"))
  const anyRequest = requests(document, targets)
  const before = await heap()
  for (let start = 0; start < count; start += BATCH) {
    const size = Math.min(BATCH, count - start)
    const asks = fc.sample(anyRequest, { seed: seed + start, numRuns: size })
    const next = asks.entries()
    await Promise.all(
      wires.map(async (_, index) => {
        for (const [at, ask] of next) await answer(index, ask, start + at, `seed ${seed}, request ${start + at}`)
      })
    )
  }
  const after = await heap()
  for (const wire of wires) wire.close()
  const { compared, rows } = await differences(books, database)
  return { asked: count, statuses, faults, rows, compared, heapGrowth: after - before }
}

const plain = (method: string, target: string, body: object | null = null): Ask => ({
  operation: null,
  method,
  target,
  headers: body === null ? [] : [["Content-Type", "application/json"]],
  body: body === null ? null : Buffer.from(JSON.stringify(body)),
  key: "none",
  framing: "length"
})

const customer = { email: "asha@example.com", phone: "+919812345678" }
const card = {
  amount: 5_000,
  currency: "EUR",
  payment_method: "card",
  customer,
  payment_method_details: { card: { token: "tok_success" } }
}

/** Payments in every state, some refunds and cursors, for requests that are about one. */
const furnished = async (ask: (ask: Ask, n: number) => Promise<Reply | null>): Promise<Targets> => {
  const payments: Array<string> = []
  const refunds: Array<string> = []
  const make = async (target: string, body: object) =>
    idOf(await ask({ ...plain("POST", target, body), operation: operationAt(target) }, -1)) ?? ""
  for (let i = 0; i < 10; i++) {
    const upi = { amount: 10_000, currency: "INR", payment_method: "upi", customer }
    payments.push(await make("/v1/payments", { ...upi, payment_method_details: { upi: { vpa: "pending@paymux" } } }))
    payments.push(await make("/v1/payments", { ...card, capture_method: "manual" }))
    payments.push(await make("/v1/payments", { ...card, payment_method_details: { card: { token: "tok_declined" } } }))
    const paid = await make("/v1/payments", card)
    payments.push(paid)
    refunds.push(await make(`/v1/payments/${paid}/refunds`, { amount: 10 }))
  }
  const page = await ask(plain("GET", "/v1/payments?limit=2"), -1)
  return { payments, refunds, cursors: [String(JSON.parse(page?.body ?? "{}").next_cursor)] }
}

const operationAt = (target: string): string => `POST ${target.replace(/pay_[0-9a-z]+/, "{id}")}`

const idOf = (reply: Reply | null): string | null => /^\{"id":"([a-z]+_[0-9a-z]+)"/.exec(reply?.body ?? "")?.[1] ?? null

/** What the accepted requests say that there must be. */
interface Books {
  readonly payments: Set<string>
  /** Captures and cancels. */
  readonly operations: Set<string>
  readonly refunds: Set<string>
  readonly keys: Set<string>
}

const newBooks = (): Books => ({ payments: new Set(), operations: new Set(), refunds: new Set(), keys: new Set() })

const enter = (books: Books, ask: Ask, n: number, reply: Reply): void => {
  if (reply.status >= 300 || ask.method !== "POST") return
  const path = pathOf(ask.target)
  const id = idOf(reply)
  if (id?.startsWith("re_")) books.refunds.add(id)
  if (path === "/v1/payments" && id !== null) books.payments.add(id)
  for (const [, operation = ""] of reply.body.matchAll(/"id":"(op_[0-9a-z]+)"/g)) books.operations.add(operation)
  const key = keyOf(ask, n)
  if (key !== null && !path.includes("/simulate")) {
    books.keys.add(`POST ${path.replace(/pay_[0-9a-z]{26}/, ":id")} ${key}`)
  }
}

/** What was accepted can be decoded, and is the address that it decodes to; it may name the host (RFC 9112 § 3.2.2). */
const pathOf = (target: string): string =>
  decodeURIComponent(target.replace(/^http:\/\/[^/]+/, "").split(/[?#]/, 1)[0] ?? "")

const differences = async (books: Books, database: string) => {
  const of = (kinds: string) => `FROM operations WHERE kind IN (${kinds}) AND purpose = 'requested'`
  const found = {
    payments: await column(database, "SELECT id FROM payments"),
    operations: await column(database, `SELECT id ${of("'capture', 'cancel'")}`),
    refunds: await column(database, `SELECT 're_' || substr(id, 4) ${of("'refund'")}`),
    keys: await column(database, "SELECT endpoint || ' ' || key FROM idempotency_keys")
  }
  const rows = (["payments", "operations", "refunds", "keys"] as const).flatMap((name) => [
    ...without(found[name], books[name]).map((it) => `${name}: ${it} was not accepted`),
    ...without(books[name], found[name]).map((it) => `${name}: ${it} is not there`)
  ])
  const { keys, operations, payments, refunds } = found
  return { rows, compared: payments.size + operations.size + refunds.size + keys.size }
}

const without = (all: ReadonlySet<string>, known: ReadonlySet<string>) => [...all].filter((it) => !known.has(it))

const shown = ({ body, framing, headers, key, method, target }: Ask): string =>
  `${method} ${target.slice(0, 300)} ${JSON.stringify({ headers, key, framing })} ${body?.toString().slice(0, 600) ?? ""}`
