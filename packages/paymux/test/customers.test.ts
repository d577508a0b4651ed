/** Erasing a customer with everything in place, then a search of all that was written. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { PostgresClient, PostgresDatabase, SqliteClient } from "@paymux/sql"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import { migrations } from "../src/Database.ts"
import { createPaymux, PaymentError } from "../src/index.ts"
import type { CustomerToErase, PaymentJson, Paymux } from "../src/index.ts"
import { startCommands } from "./Commands.ts"
import type { Commands } from "./Commands.ts"

/** In every place that can hold something personal; none is a part of another. */
const canaries = [
  "canary.mail@example.com",
  "+4915112340001",
  "Canary Name",
  "canary description",
  "canary_key",
  "canary value",
  "198.51.100.77",
  "canary-agent",
  "canary-referer",
  "canary-accept",
  "en-x-canarytg",
  "canary-street",
  "canary-flat",
  "canary-city",
  "canary-state",
  "canary-postal",
  "canary-return",
  "canaryvpa",
  "canary-token",
  "canary-fingerprint",
  "canary reason"
] as const

const customer = {
  email: "canary.mail@example.com",
  phone: "+4915112340001",
  name: "Canary Name",
  address: {
    line1: "canary-street",
    line2: "canary-flat",
    city: "canary-city",
    state: "canary-state",
    postal_code: "canary-postal",
    country: "DE"
  }
}
const personal = {
  customer,
  description: "canary description",
  metadata: { canary_key: "canary value" },
  client: {
    ip: "198.51.100.77",
    user_agent: "canary-agent",
    referer: "https://shop.example/canary-referer",
    accept_header: "canary-accept",
    language: "en-x-canarytg",
    time_zone: "Europe/Berlin",
    screen: { width: 1920, height: 1080, color_depth: 24 }
  },
  return_url: "https://shop.example/canary-return"
}
const card = {
  ...personal,
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: {
    card: {
      token: "tok_success",
      tokens: { elsewhere: "canary-token" },
      fingerprint: "canary-fingerprint",
      network: "visa"
    }
  }
} as const
const upi = {
  ...personal,
  amount: 9900,
  currency: "INR",
  payment_method: "upi",
  payment_method_details: { upi: { flow: "collect", vpa: "canaryvpa@okbank" } }
} as const

let folder = ""
let commands: Commands
/** A receiver that answers with what it was sent, as one does that is being debugged. */
const receiver = createServer((request, response) => {
  request.setEncoding("utf8")
  let body = ""
  request.on("data", (chunk: string) => (body += chunk))
  request.on("end", () => response.writeHead(500).end(body.slice(body.indexOf('"customer"'))))
})

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paymux-customers-"))
  commands = startCommands()
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
})

afterAll(() => {
  commands.stop()
  receiver.closeAllConnections()
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

const until = async (holds: () => Promise<boolean> | boolean) => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Every row of every table, as text. */
type Dump = () => Promise<ReadonlyArray<{ readonly table: string; readonly row: string }>>

const dumpOfSqlite =
  (filename: string): Dump =>
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table'`
      const rows = yield* Effect.forEach(tables, ({ name: table }) =>
        Effect.map(sql.unsafe<object>(`SELECT * FROM ${table}`), (found) =>
          found.map((row) => ({ table, row: JSON.stringify(row) }))
        )
      )
      return rows.flat()
    }).pipe(Effect.provide(SqliteClient.layer({ filename })), Effect.runPromise)

const dumpOfPostgres =
  (url: string): Dump =>
  () =>
    Effect.gen(function* () {
      const { query } = yield* PostgresDatabase
      const tables = yield* query("SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'", [])
      const rows = yield* Effect.forEach(tables, (found) => {
        const table = String(found["name"])
        return Effect.map(query(`SELECT t::text AS row FROM ${table} t`, []), (all) =>
          all.map(({ row }) => ({ table, row: String(row) }))
        )
      })
      return rows.flat()
    }).pipe(Effect.provide(PostgresClient.layer({ url: Redacted.make(url) })), Effect.runPromise)

/** Which canary stands in which table. */
const hits = async (dump: Dump): Promise<ReadonlyArray<string>> => {
  const rows = await dump()
  const found = canaries.flatMap((canary) =>
    rows.filter(({ row }) => row.includes(canary)).map(({ table }) => `${canary} in ${table}`)
  )
  return [...new Set(found)].toSorted()
}

/** What is kept of money. */
const books = (payment: PaymentJson) => {
  const { amount, amount_captured, amount_refunded, attempts, created_at, currency, id, provider, status } = payment
  return { amount, amount_captured, amount_refunded, attempts, created_at, currency, id, provider, status }
}

const erasedCustomer = { email: "erased@example.invalid", phone: "+10000000000", name: null, address: null }

/** Two payments that are over and one that is not, a refund, a replay, and a receiver that repeats what it hears. */
const lived = async (database: string, dump: Dump) => {
  const paymux = await createPaymux({ sandbox: true, database })
  // A TCP server's address is never a pipe's name.
  const { port } = receiver.address() as AddressInfo
  await paymux.webhookEndpoints.add({ url: `http://127.0.0.1:${port}/hook` })
  const paid = await paymux.payments.create(card, { idempotencyKey: "order-1" })
  const collected = await paymux.payments.create(upi, { idempotencyKey: "order-2" })
  await paymux.refunds.create(paid.id, { amount: 200, reason: "canary reason" }, { idempotencyKey: "refund-1" })
  await until(async () => (await paymux.payments.get(collected.id)).status === "succeeded")
  await until(async () => (await paymux.payments.get(paid.id)).amount_refunded === 200)
  const open = await paymux.payments.create({
    ...upi,
    customer: { ...customer, name: null },
    payment_method_details: { upi: { flow: "collect", vpa: "pending@paymux" } },
    metadata: {},
    description: null,
    return_url: null
  })
  await until(async () => (await hits(dump)).includes("canary.mail@example.com in webhook_deliveries"))
  await refusedOverHttp(paymux, paid.id)
  return { paymux, paid, collected, open }
}

/** Requests that are refused keep the most in the request log: one about a payment, and one that made none. */
const refusedOverHttp = async (paymux: Paymux, id: string) => {
  const { key } = await paymux.apiKeys.create()
  const post = (path: string, body: object) =>
    paymux.fetch(
      new Request(`http://localhost${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body)
      })
    )
  for (const [path, body] of [
    ["/v1/payments", { ...card, note: "canary reason", currency: "XXX" }],
    [`/v1/payments/${id}/refunds`, { amount: "canary reason", reason: "canary reason", ...personal }]
  ] as const) {
    assert.strictEqual((await post(path, body)).status, 400)
  }
}

/** What the request log says of the bodies of requests about a payment. */
const loggedBodies = async (paymux: Paymux, paymentId: string) => {
  const { data: requests } = await paymux.requests.list({ paymentId })
  const details = await Promise.all(requests.map(({ id }) => paymux.requests.get(id)))
  return details.map((each) => [each?.path, each?.request, each?.response])
}

type Erase = (customer: CustomerToErase, paymux: Paymux) => Promise<unknown>

const everywhere = async (database: string, dump: Dump, erase: Erase) => {
  const { collected, open, paid, paymux } = await lived(database, dump)
  try {
    const before = await Promise.all([paid, collected].map(({ id }) => paymux.payments.get(id)))
    const known = await hits(dump)
    for (const canary of canaries)
      assert.isTrue(
        known.some((hit) => hit.startsWith(canary)),
        `${canary} was written`
      )
    for (const table of [
      "idempotency_keys",
      "operations",
      "payment_events",
      "payments",
      "sandbox_payments",
      "webhook_deliveries"
    ]) {
      assert.isTrue(
        known.some((hit) => hit.endsWith(` in ${table}`)),
        `something stands in ${table}`
      )
    }

    // These hold nothing of a customer to begin with.
    assert.deepStrictEqual(
      known.filter((hit) => /paymux_(?:audit|requests|request_kinds)$/.test(hit)),
      []
    )
    const [[path, body] = []] = await loggedBodies(paymux, paid.id)
    assert.strictEqual(path, `/v1/payments/${paid.id}/refunds`)
    assert.deepInclude(body, { amount: "[text]", reason: "[text]" })

    const left = { erased: 2, already: 0, left: [{ payment: open.id, reason: "pending" }] }
    assert.deepStrictEqual(await erase({ email: customer.email }, paymux), left)
    const after = await Promise.all([paid, collected].map(({ id }) => paymux.payments.get(id)))
    assert.deepStrictEqual(after.map(books), before.map(books))
    for (const { id } of [paid, collected]) {
      const { customer, description, metadata, return_url } = await paymux.payments.get(id)
      const none = { customer: erasedCustomer, description: null, metadata: {}, return_url: null }
      assert.deepStrictEqual({ customer, description, metadata, return_url }, none)
    }
    assert.deepStrictEqual(await loggedBodies(paymux, paid.id), [[path, null, null]])
    // The open one is named, and keeps what it has.
    assert.strictEqual((await paymux.payments.get(open.id)).customer.email, customer.email)

    await paymux.payments.cancel(open.id)
    await until(async () => (await paymux.payments.get(open.id)).status === "canceled")
    assert.deepStrictEqual(await erase({ phone: customer.phone }, paymux), { erased: 1, already: 0, left: [] })
    assert.deepStrictEqual(await hits(dump), [])
    assert.deepStrictEqual(await erase({ payment: paid.id }, paymux), { erased: 0, already: 1, left: [] })

    // A client's replay answers the payment as it stands, and makes no second one.
    const again = await paymux.payments.create(card, { idempotencyKey: "order-1" })
    assert.deepInclude(again, { id: paid.id, amount_refunded: 200, customer: erasedCustomer })
    assert.strictEqual((await paymux.payments.list()).data.length, 3)
    assert.deepStrictEqual(await hits(dump), [])
  } finally {
    await paymux.close()
  }
}

const inProcess: Erase = (customer, paymux) => paymux.customers.erase(customer)

const byCommand =
  (database: string): Erase =>
  async (customer) => {
    const [name, value] = Object.entries(customer)[0] ?? []
    const { code, stderr, stdout } = await commands.run(
      folder,
      "customers",
      "erase",
      `--${name}`,
      String(value),
      "--yes",
      "--json",
      "--database",
      database
    )
    assert.strictEqual(code, 0, stderr)
    return JSON.parse(stdout)
  }

describe("an erased customer is in nothing that is kept", () => {
  it("on SQLite, from within the program; nor in a byte of the file and its log", async () => {
    const filename = join(folder, "within.db")
    await everywhere(`sqlite:${filename}`, dumpOfSqlite(filename), inProcess)
    const files = readdirSync(folder).filter((name) => name.startsWith("within.db"))
    assert.include(files, "within.db")
    for (const name of files) {
      const bytes = readFileSync(join(folder, name)).toString("latin1")
      for (const canary of canaries) assert.isFalse(bytes.includes(canary), `${canary} in ${name}`)
    }
  })

  it("on SQLite, by the command beside a running server", async () => {
    const filename = join(folder, "beside.db")
    await everywhere(`sqlite:${filename}`, dumpOfSqlite(filename), byCommand(`sqlite:${filename}`))
  })

  it.live("on PostgreSQL, from within the program and by the command", () =>
    Effect.gen(function* () {
      const urls = [yield* temporaryDatabase(migrations), yield* temporaryDatabase(migrations)] as const
      yield* Effect.promise(() => everywhere(urls[0], dumpOfPostgres(urls[0]), inProcess))
      yield* Effect.promise(() => everywhere(urls[1], dumpOfPostgres(urls[1]), byCommand(urls[1])))
    })
  )
})

/** As a client does: a request that is still running is asked for again. */
const insisting = async <A>(ask: () => Promise<A>): Promise<A> => {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof PaymentError) || error.reason._tag !== "IdempotencyInFlight") throw error
    await new Promise((resolve) => setTimeout(resolve, 20))
    return insisting(ask)
  }
}

/** Erasing, refunds and replays of the same payments, all at once, until nothing is left to erase. */
const inAHurry = async (database: string, dump: Dump) => {
  const paymux = await createPaymux({ sandbox: true, database })
  try {
    const keys = Array.from({ length: 8 }, (_, n) => `order-${n}`)
    const replay = (idempotencyKey: string) => paymux.payments.create(card, { idempotencyKey })
    const payments = await Promise.all(keys.map(replay))
    const rounds = Array.from({ length: 3 }, (_, n) => n)
    const refund = (id: string, round: number) =>
      insisting(() =>
        paymux.refunds.create(id, { amount: 10, reason: "canary reason" }, { idempotencyKey: `${id}-${round}` })
      )
    await Promise.all(
      rounds.flatMap((round) => [
        paymux.customers.erase({ email: customer.email }),
        paymux.customers.erase({ phone: customer.phone }),
        ...payments.flatMap(({ id }) => [
          refund(id, round),
          refund(id, round),
          paymux.customers.erase({ payment: id })
        ]),
        ...keys.map(replay)
      ])
    )
    const settled = async () =>
      (await Promise.all(payments.map(({ id }) => paymux.payments.get(id)))).every(
        ({ amount_refunded }) => amount_refunded === 10 * rounds.length
      )
    await until(settled)
    const reports = await Promise.all(payments.map(({ id }) => paymux.customers.erase({ payment: id })))
    assert.isTrue(reports.every(({ left }) => left.length === 0))
    // No refund was lost or doubled, and no key made a second payment.
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.isTrue(await settled())
    assert.strictEqual((await paymux.payments.list({ limit: 100 })).data.length, keys.length)
    return await hits(dump)
  } finally {
    await paymux.close()
  }
}

describe("an erasing beside everything else that happens to a payment", () => {
  it("on SQLite loses no refund, and leaves nothing", async () => {
    const filename = join(folder, "hurry.db")
    assert.deepStrictEqual(await inAHurry(`sqlite:${filename}`, dumpOfSqlite(filename)), [])
  })

  it.live("on PostgreSQL too", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase(migrations)
      assert.deepStrictEqual(yield* Effect.promise(() => inAHurry(url, dumpOfPostgres(url))), [])
    })
  )
})

describe("paymux customers erase", () => {
  const said = async (...args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await commands.run(folder, "customers", "erase", ...args)
    return { code, text: stdout + stderr }
  }

  it("says what it did in words", async () => {
    const database = `sqlite:${join(folder, "words.db")}`
    await using paymux = await createPaymux({ sandbox: true, database })
    const paid = await paymux.payments.create(card)
    const open = await paymux.payments.create({ ...upi, payment_method_details: { upi: { vpa: "pending@paymux" } } })
    const erased = await said("--email", customer.email, "--yes", "--database", database)
    assert.strictEqual(erased.code, 0)
    assert.include(erased.text, "Erased: 1 payment.")
    assert.match(erased.text, new RegExp(`${open.id} +pending`))
    assert.notInclude(erased.text, paid.id)
    const again = await said("--payment", paid.id, "--yes", "--database", database)
    assert.include(again.text, "Erased: 0 payments. Erased before: 1 payment.")
    const none = await said("--email", "unknown@example.com", "--yes", "--database", database)
    assert.deepStrictEqual([none.code, none.text], [0, "No such payment in account default (test mode).\n"])
  })

  it("refuses in one sentence, and erases nothing", async () => {
    const database = `sqlite:${join(folder, "refusals.db")}`
    await using paymux = await createPaymux({ sandbox: true, database })
    const { id } = await paymux.payments.create(card)
    const email = ["--email", customer.email]
    const refusals: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [["--yes"], "Name the customer"],
      [[...email, "--phone", customer.phone, "--yes"], "Name the customer"],
      [["--payment", "pay_1", "--yes"], "Name the customer"],
      [email, "Not an interactive terminal: pass --yes"],
      [[...email, "--json"], "Not an interactive terminal: pass --yes"],
      [["--email", "asha", "--yes"], "must be an e-mail address"],
      [["--email", "erased@example.invalid", "--yes"], "It names no person"],
      [["--phone", "0151 1234", "--yes"], "with + and country code, digits only"],
      [["--payment", id, "--live", "--yes"], "There is no such payment in this account and mode."],
      [["--payment", id, "--account", "other", "--yes"], "There is no such payment in this account and mode."]
    ]
    for (const [args, words] of refusals) {
      const { code, text } = await said(...args, "--database", database)
      assert.deepStrictEqual([code, text.includes(words)], [1, true], `${args.join(" ")}: ${text}`)
    }
    assert.include((await said(...email, "--yes", "--database", "sqlite:nowhere.db")).text, "Database not found")
    assert.deepStrictEqual((await paymux.payments.get(id)).customer, customer)
  })
})

describe("customers.erase", () => {
  it("refuses in the words of every other call, and erases nothing", async () => {
    await using paymux = await createPaymux({ sandbox: true, database: ":memory:" })
    const { id } = await paymux.payments.create(card)
    const refusal = async (asked: unknown) => {
      try {
        // Boundary: what a program that is not type-checked may give.
        await paymux.customers.erase(asked as CustomerToErase)
        return "erased"
      } catch (error) {
        return error
      }
    }
    const invalid = [
      [undefined, ""],
      [{}, ""],
      [{ email: customer.email, payment: id }, ""],
      [{ name: "Asha" }, "/name"],
      [{ email: 5 }, "/email"],
      [{ email: "asha" }, "/email"],
      [{ phone: "12" }, "/phone"]
    ] as const
    for (const [asked, pointer] of invalid) {
      const error = await refusal(asked)
      assert.nestedPropertyVal(error, "reason._tag", "InvalidPayment")
      assert.nestedPropertyVal(error, "reason.errors[0].pointer", pointer)
    }
    assert.nestedPropertyVal(await refusal({ payment: "pay_1" }), "reason._tag", "PaymentNotFound")
    assert.nestedPropertyVal(
      await refusal({ payment: id.replace(/.$/, (last) => (last === "0" ? "1" : "0")) }),
      "reason._tag",
      "PaymentNotFound"
    )
    assert.deepStrictEqual(await paymux.forAccount("other").customers.erase({ email: customer.email }), {
      erased: 0,
      already: 0,
      left: []
    })
    assert.deepStrictEqual((await paymux.payments.get(id)).customer, customer)
  })
})
