/** `paymux webhooks …` on a database that a server has used. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createPaymux } from "../src/index.ts"
import { startCommands } from "./Commands.ts"
import type { Commands } from "./Commands.ts"
import { card } from "./card.ts"

let folder = ""
let commands: Commands
const received: Array<{ readonly id: string; readonly signatures: number }> = []
const answers = { status: 500, body: "down for \u001b[31mrepair" }
const receiver = createServer((request, response) => {
  received.push({
    id: String(request.headers["webhook-id"]),
    signatures: String(request.headers["webhook-signature"]).split(" ").length
  })
  request.resume().on("end", () => response.writeHead(answers.status).end(answers.body))
})

const webhooks = (...args: ReadonlyArray<string>) => commands.run(folder, "webhooks", ...args)
const said = async (...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await webhooks(...args)
  return { code, text: stdout + stderr }
}
const open = () => createPaymux({ sandbox: true, database: `sqlite:${join(folder, "paymux.db")}` })
const until = async (holds: () => Promise<boolean> | boolean) => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}
const deliveries = async (...args: ReadonlyArray<string>) =>
  JSON.parse((await webhooks("deliveries", "--json", ...args)).stdout) as ReadonlyArray<Record<string, unknown>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paymux-webhooks-"))
  commands = startCommands()
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
})

afterAll(() => {
  commands.stop()
  receiver.closeAllConnections()
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

describe("paymux webhooks", () => {
  it("edits, tests, disables and enables an endpoint, and refuses what makes no sense", async () => {
    const { port } = receiver.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/edited`
    assert.strictEqual((await webhooks("add", `http://127.0.0.1:${port}/first`, "--event", "payment.failed")).code, 0)
    await using paymux = await open()
    const [endpoint] = await paymux.webhookEndpoints.list()
    const id = endpoint?.id ?? ""
    assert.include((await said("edit", id, "--url", url)).text, `${url}, events: payment.failed`)
    assert.include((await said("edit", id, "--event", "all")).text, `${url}, events: all`)
    assert.include((await said("edit", id)).text, "Name what to change")
    assert.include((await said("edit", id, "--event", "all", "--event", "payment.failed")).text, "cannot be combined")
    assert.include((await said("edit", id, "--url", "ftp://shop.io")).text, "http")
    assert.include((await said("edit", "we_none", "--event", "all")).text, "we_none not found")

    assert.include((await said("test", id)).text, "not accepted: 500 down for")
    answers.status = 204
    assert.strictEqual((await webhooks("test", id)).code, 0)
    assert.deepInclude(await paymux.webhookEndpoints.test(id), { delivered: true, status: 204 })
    answers.status = 500
    received.length = 0

    assert.strictEqual((await webhooks("disable", id)).code, 0)
    assert.include((await webhooks("list")).stdout, "disabled (operator)")
    assert.include((await said("test", id)).text, "is disabled")
    assert.isTrue(await paymux.webhookEndpoints.enable(id))
    assert.match((await paymux.webhookEndpoints.rotate(id, { overlapMs: 0 }))?.secret ?? "", /^whsec_/)
    for (const refused of [
      () => paymux.webhookEndpoints.rotate(id, { overlap: 0 } as never),
      () => paymux.webhookEndpoints.update(id, { uri: "https://shop.io" } as never),
      () => paymux.webhookEndpoints.update(id, { events: ["payment.nothing"] as never }),
      () => paymux.webhookDeliveries.list({ limit: 0 }),
      () => paymux.webhookDeliveries.list({ status: "lost" as never }),
      () => paymux.webhookDeliveries.list({ types: [] }),
      () => paymux.webhookDeliveries.list({ types: ["payment.nothing"] as never }),
      () => paymux.webhookDeliveries.list({ from: Number.NaN }),
      () => paymux.webhookDeliveries.list({ endpoint: id } as never),
      () => paymux.webhookDeliveries.resendSince("1h" as never)
    ]) {
      const error = await refused().then(
        () => "accepted",
        (reason: unknown) => String(reason)
      )
      assert.include(error, "is not valid")
    }
    assert.isTrue(await paymux.webhookEndpoints.remove(id))
  })

  it("shows what failed and why, sends it again, and rotates the secret, beside a running server", async () => {
    // A TCP server's address is never a pipe's name.
    const { port } = receiver.address() as AddressInfo
    assert.strictEqual((await webhooks("add", `http://127.0.0.1:${port}/hook`)).code, 0)
    await using paymux = await open()
    const [endpoint] = await paymux.webhookEndpoints.list()
    const id = endpoint?.id ?? ""
    const payment = await paymux.payments.create(card)
    await until(async () => (await deliveries("--failed")).length === 1)

    const [failed] = await deliveries("--failed", "--endpoint", id)
    const event = String(failed?.["event"])
    assert.deepInclude(failed, {
      type: "payment.succeeded",
      payment: payment.id,
      endpoint: id,
      status: "pending",
      tries: 1,
      answer_status: 500,
      error: null,
      answer: "down for \\u001b[31mrepair"
    })
    const table = (await webhooks("deliveries", "--failed")).stdout
    assert.include(table, "500 down for \\u001b[31mrepair")
    assert.notInclude(table, "\u001b[31mrepair")
    assert.include((await webhooks("list")).stdout, "failing since")

    const rotated = await webhooks("rotate", id)
    assert.match(rotated.stdout, /^whsec_[A-Za-z0-9+/]{43}=\n$/)
    assert.include(rotated.stderr, "Both secrets sign until")
    answers.status = 200
    assert.include((await webhooks("resend", event)).stderr, `Sent again to ${id}.`)
    await until(() => received.length === 2)
    assert.deepStrictEqual(received, [
      { id: event, signatures: 1 },
      { id: event, signatures: 2 }
    ])
    await until(async () => (await deliveries("--failed")).length === 0)
    assert.deepStrictEqual(
      (await deliveries()).map((row) => [row["event"], row["status"], row["tries"]]),
      [[event, "delivered", 2]]
    )

    assert.include((await webhooks("attempts", event, id)).stdout, "500 down for \\u001b[31mrepair")
    const attempts = await paymux.webhookDeliveries.attempts(event, id)
    assert.deepStrictEqual(
      attempts.map(({ attempt, status }) => [attempt, status]),
      [
        [1, 500],
        [2, 200]
      ]
    )
    for (const filter of [
      ["--payment", payment.id],
      ["--event", event],
      ["--status", "delivered"],
      ["--type", "payment.succeeded", "--type", "payment.failed"],
      ["--since", "1h"]
    ]) {
      assert.lengthOf(await deliveries(...filter), 1)
    }
    for (const filter of [
      ["--payment", "pay_none"],
      ["--event", "evt_none"],
      ["--status", "dead"],
      ["--type", "payment.failed"],
      ["--until", "1h"]
    ]) {
      assert.lengthOf(await deliveries(...filter), 0)
    }
    assert.include((await said("deliveries", "--after", "nonsense")).text, "The cursor must be")
    assert.include((await said("deliveries", "--failed", "--status", "dead")).text, "not both")

    answers.status = 410
    await paymux.payments.create(card)
    await until(async () => (await webhooks("list")).stdout.includes("disabled (gone)"))
    assert.include((await said("resend", "--since", "1h", "--dry-run")).text, "0 deliveries would be sent again")
    const left = await said("resend", "--since", "1h")
    assert.include(left.text, "0 deliveries are sent again")
    assert.include(left.text, `paymux webhooks enable ${id}`)
    answers.status = 200
    assert.strictEqual((await webhooks("enable", id)).code, 0)
    assert.include((await said("resend", "--since", "1h", "--endpoint", id)).text, "1 delivery is sent again")
    await until(() => received.length === 4)
  })

  it("refuses in one sentence", async () => {
    const [endpoint] = JSON.parse((await webhooks("list", "--json")).stdout) as ReadonlyArray<{ readonly id: string }>
    const id = endpoint?.id ?? ""
    const refusals: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [["resend"], "Name what to send again"],
      [["resend", "evt_1", "--since", "1h"], "not both"],
      [["resend", "evt_1"], "No event evt_1 was for an endpoint"],
      [["resend", "evt_1\u0000"], "No event evt_1"],
      [["resend", "--since", "yesterday"], "--since cannot be"],
      [["resend", "--since", "1h", "--endpoint", "we_none"], "Endpoint we_none not found"],
      [["rotate", "we_none"], "Endpoint we_none not found"],
      [["rotate", id, "--live"], "(live mode)"],
      [["rotate", id, "--overlap", "soon"], "--overlap cannot be"],
      [["rotate", id, "--overlap", "31d"], "0 ms to 30 days"],
      [["enable", "we_none"], "Endpoint we_none not found"],
      [["remove", "we_none"], "Endpoint we_none not found"],
      [["deliveries", "--limit", "0"], "limit"],
      [["deliveries", "--database", "sqlite:nowhere.db"], "Database not found"],
      [["add", "http://169.254.169.254/"], "private, local or reserved"],
      [["add", "https://shop.example.com:22/"], "another service"],
      [["add", "http://shop.example.com/", "--live"], "requires an https URL"],
      [["add", "https://shop.example.com/", "--event", "payment.done"], "payment.done"],
      [["add", "http://10.0.0.1/", "--allow", "10.0.0.0/99"], "but not: 10.0.0.0/99"]
    ]
    for (const [args, words] of refusals) {
      const { code, text } = await said(...args)
      assert.strictEqual(code, 1, args.join(" "))
      assert.include(text, words, args.join(" "))
    }
    assert.strictEqual((JSON.parse((await webhooks("list", "--json")).stdout) as ReadonlyArray<unknown>).length, 1)
  })

  it("with an overlap of 0s the former secret, which has leaked, signs no more", async () => {
    const [endpoint] = JSON.parse((await webhooks("list", "--json")).stdout) as ReadonlyArray<{ readonly id: string }>
    const { code, text } = await said("rotate", endpoint?.id ?? "", "--overlap", "0s")
    assert.strictEqual(code, 0, text)
    assert.include(text, "The former secret signs no more.")
    assert.match(text, /whsec_[A-Za-z0-9+/]{43}=/)
  })

  it("the secret may be that of the configuration, as the server goes by it", async () => {
    const configured = mkdtempSync(join(folder, "secret-"))
    const secret = "a secret of at least 32 characters"
    writeFileSync(
      join(configured, "paymux.config.mjs"),
      `export default { database: "sqlite:shop.db", sandbox: true, secret: "${secret}" }`
    )
    const added = await commands.run(configured, "webhooks", "add", "https://shop.example.com/hook")
    assert.strictEqual(added.code, 0, added.stderr)
    assert.match(added.stdout, /^whsec_/)
    await using paymux = await createPaymux({
      sandbox: true,
      database: `sqlite:${join(configured, "shop.db")}`,
      secret
    })
    assert.lengthOf(await paymux.webhookEndpoints.list(), 1)
  })

  it("a secret that no server starts with is refused, and not shown", async () => {
    for (const secret of [`"hunter2"`, "5"]) {
      const configured = mkdtempSync(join(folder, "short-"))
      writeFileSync(join(configured, "paymux.config.mjs"), `export default { secret: ${secret} }`)
      const { code, stderr } = await commands.run(configured, "webhooks", "add", "https://shop.example.com/hook")
      assert.strictEqual(code, 1)
      assert.include(stderr, "The secret must have at least 32 characters.")
      assert.notInclude(stderr, "hunter2")
    }
  })

  it("an endpoint may be where the configuration allows it, as the server goes by it", async () => {
    const configured = mkdtempSync(join(folder, "configured-"))
    writeFileSync(join(configured, "paymux.config.mjs"), `export default { webhooks: { allow: ["10.8.0.0/16"] } }`)
    const run = (url: string) => commands.run(configured, "webhooks", "add", url, "--database", "sqlite:a.db")
    assert.strictEqual((await run("http://10.8.0.1/")).code, 0)
    assert.strictEqual((await run("http://10.9.0.1/")).code, 1)
  })
})
