/**
 * The whole replacement of a secret, as the guide describes it, while payments are made: on PostgreSQL with two servers that are
 * replaced one after the other, on SQLite, which one server uses at a time, with restarts.
 */
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { defineProvider, Outcome } from "@paymux/core"
import { Effect, Redacted, Schema } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { DatabaseSync } from "node:sqlite"
import { Webhook } from "standardwebhooks"
import { PostgresClient, PostgresDatabase } from "@paymux/sql"
import { createPaymux } from "../../src/index.ts"
import type { Paymux } from "../../src/index.ts"
import { card } from "../card.ts"
import { startCommands } from "../Commands.ts"
import { emptyDatabases } from "../emptyDatabases.ts"

const former = "the former secret of this test, of 32 characters"
const next = "the next secret of this test, of 32 characters"
const databases = await emptyDatabases()

/** By client key: all that the provider saw of the requests with it. */
const seen = new Map<string, Set<string>>()

const acme = defineProvider({
  id: "acme",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({
    methods: { card: { currencies: "any", flows: { token: {} } } },
    operations: { create: { idempotency: { by: "header", lifetime: "24 hours" } } }
  }),
  make: () =>
    Effect.succeed({
      create: ({ amount, description, id, key, returnUrl }) =>
        Effect.sync(() => {
          const names = seen.get(description ?? "") ?? new Set()
          seen.set(description ?? "", names.add(`${id} ${key} ${returnUrl}`))
          return Outcome.succeeded({ reference: `ref_${id}`, amount })
        })
    })
})

/** By the path of its endpoint. An event may come before the endpoint's secret was returned. */
const signing = new Map<string, PromiseWithResolvers<string>>()
const delivered = { events: new Map<string, Set<string>>(), refused: Array<string>() }

const receive = async (path: string, headers: Record<string, string>, body: string): Promise<boolean> => {
  try {
    new Webhook((await signing.get(path)?.promise) ?? "").verify(body, headers)
  } catch (cause) {
    delivered.refused.push(`${path}: ${String(cause)}`)
    return false
  }
  const events = delivered.events.get(path) ?? new Set()
  delivered.events.set(path, events.add(headers["webhook-id"] ?? ""))
  return true
}

const receiver = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    void receive(request.url ?? "", headers, body).then((verified) => response.writeHead(verified ? 204 : 400).end())
  })
})

beforeEach(() => {
  signing.clear()
  delivered.events.clear()
})
beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve)))
afterAll(() => void receiver.close())

const start = (database: string, secret: ReadonlyArray<string>) =>
  createPaymux({
    providers: [acme({})],
    database,
    secret,
    publicUrl: "https://pay.example",
    webhooks: { allow: ["127.0.0.1"] },
    rateLimit: false,
    logs: false
  })

const addEndpoint = async (paymux: Paymux): Promise<void> => {
  const path = `/${signing.size}`
  const known = Promise.withResolvers<string>()
  signing.set(path, known)
  const { port } = receiver.address() as AddressInfo
  known.resolve((await paymux.webhookEndpoints.add({ url: `http://127.0.0.1:${port}${path}` })).secret)
}

interface Asked {
  readonly method?: string
  readonly body?: string
  readonly headers?: { readonly [name: string]: string }
}

/** Payments with keys of their own, through each of the servers that are there. */
class Load {
  readonly servers: Array<Paymux>
  readonly failures: Array<string> = []
  readonly keys: Array<string> = []
  /** Made since the last `forgetLinks`. */
  links: Array<string> = []
  cursors: Array<string> = []
  readonly #prefix: string
  readonly #apiKey: string

  constructor(prefix: string, servers: Array<Paymux>, apiKey: string) {
    this.#prefix = prefix
    this.servers = servers
    this.#apiKey = apiKey
  }

  forgetLinks() {
    this.links = []
    this.cursors = []
  }

  async ask(path: string, init: Asked = {}): Promise<Response> {
    // Each request goes to another server than the one before.
    const paymux = this.servers.shift() ?? assert.fail("no server")
    this.servers.push(paymux)
    const headers = { authorization: `Bearer ${this.#apiKey}`, "content-type": "application/json", ...init.headers }
    const response = await paymux.fetch(new Request(new URL(path, "https://pay.example"), { ...init, headers }))
    // On a busy machine lists have a share of it: that says nothing about the secret.
    if (response.status === 429) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return await this.ask(path, init)
    }
    if (response.status >= 400) this.failures.push(`${path}: ${response.status} ${await response.clone().text()}`)
    return response
  }

  async pay(key: string): Promise<void> {
    const body = JSON.stringify({ ...card, description: key })
    const response = await this.ask("/v1/payments", { method: "POST", body, headers: { "idempotency-key": key } })
    // Boundary: the API answers so.
    const { hosted_url: link } = (await response.json()) as { readonly hosted_url: string }
    this.links.push(link)
    const list = await this.ask("/v1/payments?limit=1")
    const { next_cursor: cursor } = (await list.json()) as { readonly next_cursor: string | null }
    if (cursor !== null) this.cursors.push(cursor)
  }

  /** Opens the page of the first payment, and goes on with the first list. */
  async goOn(): Promise<void> {
    const [link] = this.links
    const [cursor] = this.cursors
    if (link !== undefined) await this.ask(link)
    if (cursor !== undefined) await this.ask(`/v1/payments?starting_after=${cursor}`)
  }

  async while(work: () => Promise<void>): Promise<void> {
    const ending = new AbortController()
    const worker = async () => {
      while (!ending.signal.aborted) {
        const key = `${this.#prefix}-${this.keys.length}`
        this.keys.push(key)
        await this.pay(key)
        await this.goOn()
      }
    }
    const workers = [worker(), worker(), worker()]
    await this.some()
    await work()
    await this.some()
    ending.abort()
    await Promise.all(workers)
  }

  /** Until some more payments were made. */
  async some(): Promise<void> {
    const enough = this.keys.length + 10
    while (this.keys.length < enough) await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const folder = databases.folder

/** Of all phases alike. */
const mostRepeated = 200

const rotate = async (database: string) => {
  const commands = startCommands({ PAYMUX_SECRET: JSON.stringify([next, former]) })
  try {
    const { code, stderr, stdout } = await commands.run(folder, "secret", "rotate", "--database", database)
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, /^The first secret encrypts all \d+ secrets of endpoints and second factors, [1-9]/)
  } finally {
    commands.stop()
  }
}

/** As after a failover to a database that lacks the payments. */
const losePayments = async (database: string) => {
  const tables =
    "payments attempts operations refunds entries open_reviews former_references evidence payment_events idempotency_keys provider_inbox webhook_deliveries".split(
      " "
    )
  if (database.startsWith("sqlite:")) {
    const file = new DatabaseSync(database.slice("sqlite:".length))
    file.exec(["PRAGMA foreign_keys = OFF", ...tables.map((table) => `DELETE FROM ${table}`)].join("; "))
    return file.close()
  }
  await Effect.runPromise(
    Effect.provide(
      Effect.flatMap(PostgresDatabase, ({ query }) => query(`TRUNCATE ${tables.join(", ")} CASCADE`, [])),
      PostgresClient.layer({ url: Redacted.make(database), maxConnections: 1 }),
      { local: true }
    )
  )
}

describe("the replacement of a secret under load", () => {
  const judge = async (load: Load, database: string) => {
    assert.deepStrictEqual(load.failures, [])
    const last = await start(database, [next])
    const pending = async () => (await last.webhookDeliveries.list({ status: "pending" })).records.length
    while ((await pending()) > 0) await new Promise((resolve) => setTimeout(resolve, 20))
    assert.deepStrictEqual(delivered.refused, [])
    assert.strictEqual(delivered.events.size, signing.size)
    await last.close()
    await losePayments(database)
    await using again = await start(database, [next])
    load.servers.splice(0, load.servers.length, again)
    const every = Math.ceil(load.keys.length / mostRepeated)
    const repeated = load.keys.filter((_, place) => place % every === 0)
    for (const key of repeated) await load.pay(key)
    assert.deepStrictEqual(load.failures, [])
    assert.deepStrictEqual(
      repeated.filter((key) => seen.get(key)?.size !== 1),
      []
    )
  }

  it("on PostgreSQL: two servers, replaced one after the other", async () => {
    const { postgres } = databases
    const servers = [await start(postgres, [former]), await start(postgres, [former])]
    const { key } = (await servers[0]?.apiKeys.create({ name: "load" })) ?? assert.fail("no server")
    const load = new Load("pg", servers, key)
    const deploy = async (secret: ReadonlyArray<string>) => {
      for (const replaced of Array.from(load.servers)) {
        const replacement = await start(postgres, secret)
        await addEndpoint(replacement)
        load.servers.splice(load.servers.indexOf(replaced), 1, replacement)
        await replaced.close()
        await load.some()
      }
    }
    await load.while(async () => {
      for (const server of Array.from(servers)) await addEndpoint(server)
      await deploy([former, next])
      await deploy([next, former])
      const [link = ""] = load.links
      load.forgetLinks()
      await load.some()
      await rotate(postgres)
      await load.some()
      await load.ask(link)
      await deploy([next])
    })
    await Promise.all(load.servers.map((server) => server.close()))
    await judge(load, postgres)
  }, 600_000)

  it("on SQLite: one server, which is restarted", async () => {
    const { sqlite } = databases
    const first = await start(sqlite, [former])
    const { key } = await first.apiKeys.create({ name: "load" })
    await first.close()
    const load = new Load("sqlite", [], key)
    const serve = async (secret: ReadonlyArray<string>, work: () => Promise<void>) => {
      await using server = await start(sqlite, secret)
      load.servers.splice(0, load.servers.length, server)
      await load.while(async () => {
        await addEndpoint(server)
        await work()
      })
    }
    const nothing = async () => undefined
    await serve([former], nothing)
    await serve([former, next], nothing)
    await serve([next, former], async () => {
      load.forgetLinks()
      await load.some()
      await rotate(sqlite)
    })
    await serve([next], nothing)
    await judge(load, sqlite)
  }, 600_000)
})
