import type { PaymentJson } from "@paymux/core/wire"
import { assert, describe, it } from "@effect/vitest"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { openStream } from "../../../test/hosts/checks.ts"
import { command, serve, serveBehindNpx } from "./ServerProcess.ts"
import type { ServerProcess } from "./ServerProcess.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paymux-serve-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The minimal request of the API, to the letter. */
const minimal = (payment_method: string, currency: string) => ({
  amount: 10000,
  currency,
  payment_method,
  customer: { email: "asha@example.com", phone: "+919999999999" }
})

const post = (server: ServerProcess, body: object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${server.base}/payments`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.testKey}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal })
  })

/** What the API answers is what its Schema says: packages/core holds that. */
const paymentOf = async (response: Response): Promise<PaymentJson> => JSON.parse(await response.text())

const read = async (server: ServerProcess, id: string): Promise<PaymentJson> =>
  paymentOf(await fetch(`${server.base}/payments/${id}`, { headers: { authorization: `Bearer ${server.testKey}` } }))

describe("paymux serve --sandbox", () => {
  it("prints the address and the test key, each on a line of its own, and nothing else before them", async () => {
    const server = await serve(folder, ["--database", "sqlite:lines.db"])
    const lines = server.stdout().split("\n")
    assert.match(lines[0] ?? "", /^Paymux listening on http:\/\/127\.0\.0\.1:\d+\/v1$/)
    assert.match(lines[1] ?? "", /^Test API key pmx_test_[0-9A-Za-z]{38}$/)
    assert.strictEqual(await server.kill("SIGTERM"), 0)
  })

  it("ends at a signal also where its configuration holds something open", async () => {
    await writeFile(join(folder, "holding.config.mjs"), "setInterval(() => {}, 1_000)\nexport default {}\n")
    const server = await serve(folder, ["--database", "sqlite:holding.db", "--config", "holding.config.mjs"])
    assert.strictEqual(await server.kill("SIGTERM"), 0)
  })

  it("ends when the npx that started it was terminated", async () => {
    const server = await serveBehindNpx(folder)
    await server.kill("SIGTERM")
    await server.closed
    assert.include(server.stderr(), "Stopping")
  })

  it.skipIf(process.platform !== "linux")(
    "ends when the npx was terminated that started the pnpm that started it (Linux: reads /proc)",
    async () => {
      const server = await serveBehindNpx(folder, true)
      await server.kill("SIGTERM")
      await server.closed
      assert.include(server.stderr(), "Stopping")
    }
  )

  it("ends at SIGTERM with a payment page open", async () => {
    const server = await serve(folder, ["--database", "sqlite:page.db"])
    const stream = await openStream({ url: new URL(server.base).origin, testKey: server.testKey })
    const exited = server.kill("SIGTERM")
    await stream.ended
    assert.strictEqual(await exited, 0)
  })

  it("takes the minimal request on all three rails", async () => {
    const server = await serve(folder, ["--database", "sqlite:rails.db"])
    for (const [rail, currency] of [
      ["upi", "INR"],
      ["card", "EUR"],
      ["stablecoin", "USD"]
    ] as const) {
      const response = await post(server, minimal(rail, currency))
      assert.strictEqual(response.status, 201)
      const payment = await paymentOf(response)
      assert.strictEqual(payment.payment_method, rail)
      assert.strictEqual((await read(server, payment.id)).id, payment.id)
    }
    await server.kill("SIGTERM")
  })

  it("a kill −9 between any two requests loses no answered payment, and the test key stays the same", async () => {
    const answered: Array<PaymentJson> = []
    const keys = new Set<string>()
    for (let round = 0; round < 6; round++) {
      const server = await serve(folder, ["--database", "sqlite:killed.db"])
      keys.add(server.testKey)
      for (const before of answered) assert.strictEqual((await read(server, before.id)).id, before.id)
      for (const [rail, currency] of [
        ["upi", "INR"],
        ["card", "EUR"],
        ["stablecoin", "USD"]
      ] as const) {
        const response = await post(server, minimal(rail, currency), { "idempotency-key": `r${round}-${rail}` })
        assert.strictEqual(response.status, 201)
        answered.push(await paymentOf(response))
      }
      await server.kill("SIGKILL")
    }
    assert.strictEqual(keys.size, 1)
    assert.strictEqual(new Set(answered.map((payment) => payment.id)).size, 18)
    const server = await serve(folder, ["--database", "sqlite:killed.db"])
    const replayed = await post(server, minimal("upi", "INR"), { "idempotency-key": "r0-upi" })
    assert.strictEqual(replayed.headers.get("idempotent-replayed"), "true")
    assert.strictEqual((await paymentOf(replayed)).id, answered[0]?.id)
    await server.kill("SIGTERM")
  })

  it("a thousand posts that the client aborts at random leave no attempt unknown", async () => {
    const server = await serve(folder, ["--database", "sqlite:aborted.db"])
    const body = {
      ...minimal("card", "EUR"),
      customer: { email: "asha@example.com", phone: "+919812345678" },
      payment_method_details: { card: { token: "tok_success" } }
    }
    let aborted = 0
    for (let batch = 0; batch < 20; batch++) {
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const abort = new AbortController()
          const timer = setTimeout(() => abort.abort(), Math.random() * 25)
          try {
            await (await post(server, body, {}, abort.signal)).arrayBuffer()
          } catch {
            aborted++
          } finally {
            clearTimeout(timer)
          }
        })
      )
    }
    assert.isAbove(aborted, 50)
    // What was begun is finished by the engine: nothing may be open when the server has drained.
    assert.strictEqual(await server.kill("SIGTERM"), 0)
    const { stdout } = await command(
      folder,
      "payments",
      "list",
      "--database",
      "sqlite:aborted.db",
      "--json",
      "--limit",
      "100",
      "--status",
      "pending"
    )
    assert.deepStrictEqual(stdout === "" ? [] : JSON.parse(stdout), [])
  })

  it("a second engine on the same file is refused, with one sentence", async () => {
    const server = await serve(folder, ["--database", "sqlite:locked.db"])
    const second = await command(folder, "serve", "--sandbox", "--port", "0", "--database", "sqlite:locked.db")
    assert.strictEqual(second.code, 1)
    assert.strictEqual(second.stdout, "")
    assert.include(second.stderr, "locked.db")
    await server.kill("SIGTERM")
  })

  it("a port in use is reported before a database is touched", async () => {
    const server = await serve(folder, ["--database", "sqlite:port.db"])
    const port = new URL(server.base).port
    const second = await command(folder, "serve", "--sandbox", "--port", port, "--database", "sqlite:untouched.db")
    assert.strictEqual(second.code, 1)
    assert.include(second.stderr, `Port ${port}`)
    await server.kill("SIGTERM")
  })
})

describe("the commands and the database they mean", () => {
  it("take it from the configuration, as the server does; one that only looks makes no file", async () => {
    const shop = await mkdtemp(join(tmpdir(), "paymux-config-"))
    const looked = await command(shop, "keys", "list")
    assert.strictEqual(looked.code, 1)
    assert.include(looked.stderr, "Database not found: paymux.db")
    await writeFile(join(shop, "paymux.config.mjs"), 'export default { sandbox: true, database: "sqlite:shop.db" }')
    assert.strictEqual((await command(shop, "keys", "create")).code, 0)
    assert.deepStrictEqual(
      (await readdir(shop)).filter((file) => file.endsWith(".db")),
      ["shop.db"]
    )
    await rm(shop, { recursive: true })
  })
})

describe("the commands work beside a running server", () => {
  it("a key that is made is accepted, listed without its text, and refused once revoked", async () => {
    const server = await serve(folder, ["--database", "sqlite:beside.db"])
    const database = ["--database", "sqlite:beside.db"]
    const made = await command(folder, "keys", "create", ...database, "--name", "shop")
    const key = made.stdout.trim()
    assert.match(key, /^pmx_test_/)
    const status = async () =>
      (await fetch(`${server.base}/payments`, { headers: { authorization: `Bearer ${key}` } })).status
    assert.strictEqual(await status(), 200)
    const listed = await command(folder, "keys", "list", ...database, "--json")
    assert.notInclude(listed.stdout, key)
    const id = JSON.parse(listed.stdout).find((each: { readonly name: string }) => each.name === "shop").keyId
    assert.strictEqual((await command(folder, "keys", "revoke", id, ...database)).code, 0)
    // The server remembers an accepted key for a second.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    assert.strictEqual(await status(), 401)
    await server.kill("SIGTERM")
  })

  it("an endpoint is added with a secret shown once, listed and removed; a public plain address in live mode is refused", async () => {
    const database = ["--database", "sqlite:hooks.db"]
    const added = await command(
      folder,
      "webhooks",
      "add",
      "http://127.0.0.1:4999/hook",
      ...database,
      "--event",
      "payment.succeeded"
    )
    assert.match(added.stdout.trim(), /^whsec_/)
    const listed = await command(folder, "webhooks", "list", ...database, "--json")
    assert.notInclude(listed.stdout, added.stdout.trim())
    const [endpoint] = JSON.parse(listed.stdout)
    assert.deepStrictEqual(endpoint.events, ["payment.succeeded"])
    assert.strictEqual((await command(folder, "webhooks", "remove", endpoint.id, ...database)).code, 0)
    const refused = await command(folder, "webhooks", "add", "http://shop.example/hook", ...database, "--live")
    assert.strictEqual(refused.code, 1)
    assert.strictEqual(refused.stdout, "")
  })

  it("a payment is shown and listed", async () => {
    const server = await serve(folder, ["--database", "sqlite:shown.db"])
    const { id } = await paymentOf(await post(server, minimal("card", "EUR")))
    const database = ["--database", "sqlite:shown.db"]
    const shown = await command(folder, "payments", "get", id, ...database)
    assert.strictEqual(JSON.parse(shown.stdout).id, id)
    const listed = await command(folder, "payments", "list", ...database)
    assert.include(listed.stdout, id)
    const missing = await command(folder, "payments", "get", "pay_nothing", ...database)
    assert.strictEqual(missing.code, 1)
    assert.include(missing.stderr, "Payment pay_nothing not found")
    await server.kill("SIGTERM")
  })
})
