import { assert, describe, it } from "@effect/vitest"
import { hardenedServer } from "@paymux/http"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createHash } from "node:crypto"
import { tmpdir } from "node:os"
import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import {
  createPaymux,
  defineProvider,
  definePromiseProvider,
  defineRouting,
  Outcome,
  PaymentError,
  PaymuxOptionsInvalid
} from "../src/index.ts"
import { Effect, Schema } from "effect"
import { Webhook } from "standardwebhooks"

const upi = {
  amount: 10000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919999999999" }
} as const
const card = {
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  customer: { email: "asha@example.com", phone: "+4915112345678" },
  payment_method_details: { card: { token: "tok_success" } }
} as const

const memory = { sandbox: true, database: ":memory:" } as const

const rejection = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error("was not rejected")
}

describe("createPaymux", () => {
  it("creates, gets and lists payments without HTTP, in the JSON of the wire", async () => {
    await using paymux = await createPaymux(memory)
    const created = await paymux.payments.create(upi)
    assert.strictEqual(created.status, "succeeded")
    assert.deepStrictEqual(await paymux.payments.get(created.id), created)
    const page = await paymux.payments.list({ status: "succeeded", payment_method: ["upi", "card"] })
    assert.deepStrictEqual(page.data, [created])
    assert.isFalse(page.has_more)
  })

  it("the same idempotency key answers the same payment", async () => {
    await using paymux = await createPaymux(memory)
    const first = await paymux.payments.create(card, { idempotencyKey: "k1" })
    const again = await paymux.payments.create(card, { idempotencyKey: "k1" })
    assert.deepStrictEqual(again, first)
    const error = await rejection(paymux.payments.create({ ...card, amount: 1 }, { idempotencyKey: "k1" }))
    assert.strictEqual(error instanceof PaymentError && error.reason._tag, "IdempotencyKeyReused")
  })

  it("rejects with a tagged reason, and repeats no value", async () => {
    await using paymux = await createPaymux(memory)
    const invalid = await rejection(paymux.payments.create({ ...card, description: "4242 4242 4242 4242" }))
    assert.strictEqual(invalid instanceof PaymentError && invalid.reason._tag, "RawCardData")
    assert.notInclude(String(invalid), "4242")
    const missing = await rejection(paymux.payments.get("pay_nothing"))
    assert.strictEqual(missing instanceof PaymentError && missing.reason._tag, "PaymentNotFound")
    const cursor = await rejection(paymux.payments.list({ starting_after: "x" }))
    assert.instanceOf(cursor, Error)
  })

  it("takes an order number that looks like a card number under the keys that are configured, over HTTP as well", async () => {
    await using paymux = await createPaymux({ ...memory, orderNumberKeys: ["waybill"] })
    const number = "4111111111111111"
    const { metadata } = await paymux.payments.create({ ...card, metadata: { waybill: number } })
    assert.deepStrictEqual(metadata, { waybill: number })
    const other = await rejection(paymux.payments.create({ ...card, metadata: { order_id: number } }))
    assert.strictEqual(other instanceof PaymentError && other.reason._tag, "RawCardData")
    assert.include(String(other), "orderNumberKeys")
    const post = (body: object) =>
      paymux.fetch(
        new Request("http://localhost:4310/v1/payments", {
          method: "POST",
          headers: { authorization: `Bearer ${paymux.testKey}`, "content-type": "application/json" },
          body: JSON.stringify(body)
        })
      )
    // The first by the router, the second directly: by then the key is known.
    for (let n = 0; n < 2; n++) {
      assert.strictEqual((await post({ ...card, metadata: { waybill: number } })).status, 201)
      const refused = await post({ ...card, metadata: { order_id: number } })
      const text = await refused.text()
      assert.strictEqual(refused.status, 400)
      assert.include(text, "orderNumberKeys")
      assert.notInclude(text, number)
    }
  })

  it("pages through a list by its cursors, forth and back, without a gap", async () => {
    await using paymux = await createPaymux(memory)
    const made: Array<string> = []
    for (let i = 0; i < 7; i++) made.push((await paymux.payments.create(card)).id)
    const seen: Array<string> = []
    const times: Array<string> = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof paymux.payments.list>> = await paymux.payments.list({
        limit: 3,
        ...(cursor === null ? {} : { starting_after: cursor })
      })
      seen.push(...page.data.map((payment) => payment.id))
      times.push(...page.data.map(({ created_at }) => created_at))
      cursor = page.next_cursor
    } while (cursor !== null)
    // Ids of one millisecond have no other order than the list's.
    assert.deepStrictEqual(seen, made.toSorted().toReversed())
    assert.deepStrictEqual(times, times.toSorted().toReversed())
  })

  it("serves node:http and fetch from the same engine", async () => {
    await using paymux = await createPaymux(memory)
    const server = createServer(paymux.node)
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const headers = { authorization: `Bearer ${paymux.testKey}`, "content-type": "application/json" }
    const { port } = server.address() as AddressInfo
    const posted = await fetch(`http://127.0.0.1:${port}/v1/payments`, {
      method: "POST",
      headers,
      body: JSON.stringify(upi)
    })
    const text = await posted.text()
    assert.strictEqual(posted.status, 201)
    const id: string = JSON.parse(text).id
    const read = await paymux.fetch(new Request(`http://any/v1/payments/${id}`, { headers }))
    assert.strictEqual(await read.text(), text)
    server.close()
    server.closeAllConnections()
  })

  it("a sandbox card without a token leads to a page with two buttons, which decides the payment", async () => {
    await using paymux = await createPaymux({ ...memory, publicUrl: "http://shop.test" })
    const payment = await paymux.payments.create({ ...card, payment_method_details: { card: { token: "tok_3ds" } } })
    assert.strictEqual(payment.next_action?.type, "redirect")
    const url = payment.next_action?.type === "redirect" ? payment.next_action.url : ""
    assert.match(url, /^http:\/\/shop\.test\/sandbox\/pay\//)
    const page = await (await paymux.fetch(new Request(url))).text()
    assert.include(page, "Approve")
    const [, name, value] = /<button[^>]*name="([^"]+)"[^>]*value="([^"]+)"[^>]*>\s*Approve/.exec(page) ?? []
    const body = new URLSearchParams({ [name ?? "outcome"]: value ?? "approve" })
    const decided = await paymux.fetch(new Request(url, { method: "POST", body }))
    assert.include([200, 303], decided.status)
    assert.strictEqual((await paymux.payments.get(payment.id)).status, "succeeded")
  })

  it("the simulate endpoint decides a pending payment, and refuses what it cannot", async () => {
    await using paymux = await createPaymux(memory)
    const pending = await paymux.payments.create({
      ...upi,
      customer: { ...upi.customer, phone: "+919812345678" },
      payment_method_details: { upi: { vpa: "pending@paymux" } }
    })
    const simulate = (id: string, body: object) =>
      paymux.fetch(
        new Request(`http://any/v1/sandbox/payments/${id}/simulate`, {
          method: "POST",
          headers: { authorization: `Bearer ${paymux.testKey}`, "content-type": "application/json" },
          body: JSON.stringify(body)
        })
      )
    assert.strictEqual((await simulate(pending.id, { outcome: "won" })).status, 400)
    assert.strictEqual((await simulate("pay_nothing", { outcome: "succeeded" })).status, 404)
    assert.strictEqual((await simulate(pending.id, { outcome: "failed", code: "incorrect_pin" })).status, 200)
    const failed = await paymux.payments.get(pending.id)
    assert.strictEqual(failed.failure?.code, "incorrect_pin")
    assert.strictEqual((await simulate(pending.id, { outcome: "succeeded" })).status, 409)
  })

  it("notifies an endpoint, signed, with the same id on every attempt", async () => {
    await using paymux = await createPaymux(memory)
    const received: Array<{ readonly id: string; readonly type: string }> = []
    const state: { verifier: Webhook | null; refuse: number } = { verifier: null, refuse: 0 }
    const reported = Promise.withResolvers<void>()
    const receiver = hardenedServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const body = Buffer.concat(chunks).toString()
        const header = (name: string) => String(request.headers[name])
        state.verifier?.verify(body, {
          "webhook-id": header("webhook-id"),
          "webhook-timestamp": header("webhook-timestamp"),
          "webhook-signature": header("webhook-signature")
        })
        received.push({ id: header("webhook-id"), type: JSON.parse(body).type })
        response.writeHead(204).end()
        reported.resolve()
      })
    })
    receiver.listen(0, "127.0.0.1")
    await once(receiver, "listening")
    const { port } = receiver.address() as AddressInfo
    const endpoint = await paymux.webhookEndpoints.add({
      url: `http://127.0.0.1:${port}/`,
      events: ["payment.succeeded"]
    })
    state.verifier = new Webhook(endpoint.secret)
    await paymux.payments.create(card)
    await reported.promise
    assert.deepStrictEqual(
      received.map((event) => event.type),
      ["payment.succeeded"]
    )
    assert.notInclude(JSON.stringify(await paymux.webhookEndpoints.list()), endpoint.secret)
    assert.isTrue(await paymux.webhookEndpoints.remove(endpoint.id))
    receiver.close()
    receiver.closeAllConnections()
  })

  it("a key made in the process is accepted over HTTP until it is revoked", async () => {
    await using paymux = await createPaymux(memory)
    const { id, key } = await paymux.apiKeys.create({ name: "shop" })
    const status = async () =>
      (await paymux.fetch(new Request("http://any/v1/payments", { headers: { authorization: `Bearer ${key}` } })))
        .status
    assert.strictEqual(await status(), 200)
    await paymux.apiKeys.revoke(id)
    assert.strictEqual(await status(), 401)
  })

  it("routes by rules, to providers written with Effect or with Promises", async () => {
    const effect = defineProvider({
      id: "effect",
      options: Schema.Struct({}),
      mode: () => "test",
      capabilities: () => ({
        methods: { card: { currencies: "any", flows: { token: {} } } },
        operations: { create: {} }
      }),
      make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.succeeded()) })
    })
    const promise = definePromiseProvider({
      id: "promise",
      options: Schema.Struct({}),
      mode: () => "test",
      capabilities: () => ({
        methods: { card: { currencies: "any", flows: { token: {} } } },
        operations: { create: {} }
      }),
      make: () => ({ create: () => Promise.resolve(Outcome.succeeded()) })
    })
    await using paymux = await createPaymux({
      providers: [effect({}), promise({})],
      database: ":memory:",
      routing: defineRouting({
        version: 1,
        rules: [
          { name: "dollars", when: { payment_method: "card", currency: "USD" }, choose: { priority: ["promise"] } }
        ],
        default: { priority: ["effect"] }
      })
    })
    const dollars = await paymux.payments.create({ ...card, currency: "USD" })
    assert.deepInclude(dollars, { provider: "promise", status: "succeeded" })
    assert.strictEqual(dollars.routing.rule, "dollars")
    assert.strictEqual((await paymux.payments.create(card)).provider, "effect")
  })
})

describe("createPaymux refuses at the call", () => {
  it("an idempotency key that protects nothing, and a misspelt option", async () => {
    await using paymux = await createPaymux(memory)
    for (const idempotencyKey of ["", "a b", "k".repeat(256), "ключ"]) {
      const error = await rejection(paymux.payments.create(card, { idempotencyKey }))
      assert.strictEqual(error instanceof PaymentError && error.reason._tag, "InvalidPayment", idempotencyKey)
    }
    const misspelt = Object.fromEntries([["idempotency_key", "k"]])
    assert.include(String(await rejection(paymux.payments.create(card, misspelt))), "idempotency_key")
    assert.deepStrictEqual((await paymux.payments.list()).data, [])
  })

  it("a list it cannot make, with the same error as every other call", async () => {
    await using paymux = await createPaymux(memory)
    const error = await rejection(paymux.payments.list({ limit: 1000 }))
    assert.strictEqual(error instanceof PaymentError && error.reason._tag, "InvalidPayment")
    const misspelt = Object.fromEntries([["stauts", "succeeded"]])
    assert.include(String(await rejection(paymux.payments.list(misspelt))), "stauts is not a known parameter")
  })

  it("options that are null or text, with the same error, and nothing is made", async () => {
    await using paymux = await createPaymux(memory)
    // The cast is the point: JavaScript does not check them.
    for (const none of [null, "k"] as unknown as ReadonlyArray<undefined>) {
      for (const call of [
        () => paymux.payments.list(none),
        () => paymux.payments.create(card, none),
        () => paymux.payments.cancel("pay_1", none),
        () => paymux.refunds.create("pay_1", {}, none),
        () => paymux.apiKeys.create(none),
        () => paymux.apiKeys.rotate("key_1", none),
        async () => paymux.forAccount("asha", none)
      ]) {
        const error = await rejection(call())
        assert.strictEqual(error instanceof PaymentError && error.reason._tag, "InvalidPayment", String(error))
        assert.include(String(error), "must be an object of options")
      }
    }
    assert.deepStrictEqual((await paymux.payments.list()).data, [])
    assert.lengthOf(await paymux.apiKeys.list(), 1)
  })

  it("an endpoint for an event that does not exist", async () => {
    await using paymux = await createPaymux(memory)
    // The cast is the point: JavaScript does not check the name.
    const events = ["payment.succeded"] as unknown as readonly ["payment.succeeded"]
    const error = await rejection(paymux.webhookEndpoints.add({ url: "http://127.0.0.1:4999/", events }))
    assert.include(String(error), "payment.succeeded")
    assert.deepStrictEqual(await paymux.webhookEndpoints.list(), [])
  })
})

describe("createPaymux refuses to start", () => {
  const live = defineProvider({
    id: "live",
    options: Schema.Struct({}),
    mode: () => "live",
    capabilities: () => ({ methods: {}, operations: { create: {} } }),
    make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.succeeded()) })
  })

  it("with one message that names every fault and shows no secret", async () => {
    const error = await rejection(
      createPaymux({ providers: [live({})], secret: "short-secret", database: "mysql://x", publicUrl: "nowhere" })
    )
    assert.instanceOf(error, PaymuxOptionsInvalid)
    const message = String(error)
    for (const fault of ["database", "32 characters", "publicUrl"]) assert.include(message, fault)
    assert.notInclude(message, "short-secret")
  })

  it("without a provider, with a misspelt option, or live without a secret", async () => {
    assert.include(String(await rejection(createPaymux({ database: ":memory:" }))), "No provider")
    assert.include(String(await rejection(createPaymux({ ...memory, databse: "x" } as typeof memory))), "databse")
    assert.include(String(await rejection(createPaymux({ providers: [live({})], database: ":memory:" }))), "secret")
  })

  it("with rules that name an unknown provider, if the type check was bypassed", async () => {
    const unknown = await rejection(
      createPaymux<string>({
        ...memory,
        routing: defineRouting({ version: 1, default: { priority: ["sandbox_card_q"] } })
      })
    )
    assert.include(String(unknown), "sandbox_card_q")
  })

  it("beside another engine on the same file; and starts once that has closed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "paymux-lock-"))
    const database = `sqlite:${join(folder, "one.db")}`
    const first = await createPaymux({ sandbox: true, database })
    assert.include(String(await rejection(createPaymux({ sandbox: true, database }))), "one.db")
    await first.close()
    const second = await createPaymux({ sandbox: true, database })
    await second.close()
    await rm(folder, { recursive: true })
  })

  it("in a folder that is not there, which it names", async () => {
    const folder = await mkdtemp(join(tmpdir(), "paymux-folder-"))
    const missing = join(folder, "data", "pay")
    const error = await rejection(createPaymux({ sandbox: true, database: `sqlite:${join(missing, "one.db")}` }))
    assert.include(
      String(error),
      `The database ${join(missing, "one.db")} cannot be opened: the folder ${missing} does not exist`
    )
    const taken = await rejection(createPaymux({ sandbox: true, database: `sqlite:${folder}` }))
    assert.include(String(taken), `The database ${folder} cannot be opened: `)
    await rm(folder, { recursive: true })
  })

  it("with another secret than the one its database was made with", async () => {
    const folder = await mkdtemp(join(tmpdir(), "paymux-secret-"))
    const options = { sandbox: true, database: `sqlite:${join(folder, "one.db")}` }
    const secret = "a secret of at least 32 characters"
    await (await createPaymux({ ...options, secret })).close()
    assert.include(String(await rejection(createPaymux({ ...options, secret: `another ${secret}` }))), "another secret")
    assert.include(String(await rejection(createPaymux(options))), "a secret of your own")
    await (await createPaymux({ ...options, secret })).close()
    await rm(folder, { recursive: true })
  })

  it("with another secret than that of a database that keeps the former digest, which the right secret replaces", async () => {
    const folder = await mkdtemp(join(tmpdir(), "paymux-secret-"))
    const file = join(folder, "one.db")
    const options = { sandbox: true, database: `sqlite:${file}` }
    const secret = "a secret of at least 32 characters"
    await (await createPaymux({ ...options, secret })).close()
    const digest = (write?: string): unknown => {
      const db = new DatabaseSync(file)
      if (write !== undefined) {
        db.prepare("UPDATE paymux_settings SET value = ? WHERE name = 'secret_digest'").run(write)
        db.exec("DELETE FROM paymux_settings WHERE name LIKE 'secret %'")
      }
      const row = db.prepare("SELECT value FROM paymux_settings WHERE name = 'secret_digest'").get()
      db.close()
      return row?.["value"]
    }
    const current = digest()
    const former = createHash("sha256").update(`paymux ${secret}`).digest("hex")
    assert.notStrictEqual(current, former)
    digest(former)
    assert.include(String(await rejection(createPaymux({ ...options, secret: `another ${secret}` }))), "another secret")
    assert.strictEqual(digest(), former)
    await (await createPaymux({ ...options, secret })).close()
    assert.strictEqual(digest(), current)
    await rm(folder, { recursive: true })
  })

  it("with a provider that was not called, or that does not implement what it declares", async () => {
    const factory = [live] as unknown as ReadonlyArray<ReturnType<typeof live>>
    assert.include(String(await rejection(createPaymux({ providers: factory, database: ":memory:" }))), "call it")
    const empty = defineProvider({
      id: "empty",
      options: Schema.Struct({}),
      mode: () => "test",
      capabilities: () => ({ methods: {}, operations: { create: {} } }),
      // The cast is the point: this is what a JavaScript adapter can do.
      make: () => Effect.succeed({} as { readonly create: () => Effect.Effect<Outcome.SendOutcome> })
    })
    assert.include(String(await rejection(createPaymux({ providers: [empty({})], database: ":memory:" }))), `"create"`)
  })

  it.each([null, false, 0])("with a declared function that an adapter in JavaScript has as %s", async (absent) => {
    // The cast stands for an adapter in JavaScript, whose types are not checked.
    const withoutInquiry = { create: () => new Promise<never>(() => {}), inquire: absent as never }
    const inquiring = { methods: {}, operations: { create: { inquiry: { by: "reference" } } } } as const
    const adapter = { options: Schema.Struct({}), mode: () => "test" as const, capabilities: () => inquiring }
    const promises = definePromiseProvider({ ...adapter, id: "promises", make: () => withoutInquiry })
    const effects = defineProvider({
      ...adapter,
      id: "effects",
      make: () => Effect.succeed({ create: () => Effect.never, inquire: absent as never })
    })
    for (const provider of [promises({}), effects({})]) {
      const error = await rejection(createPaymux({ providers: [provider], database: ":memory:" }))
      assert.include(String(error), `declares an inquiry and does not implement "inquire"`)
    }
  })

  it("twice with the same provider id", async () => {
    const error = await rejection(
      createPaymux({ providers: [live({ id: "a" }), live({ id: "a" })], database: ":memory:", secret: "x".repeat(32) })
    )
    assert.include(String(error), `"a" is used twice`)
  })
})
