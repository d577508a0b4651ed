/** `paymux payments …`: lists on the database, and changes through a running server. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createPaymux } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"
import { startCommands } from "./Commands.ts"
import type { Commands } from "./Commands.ts"
import { card } from "./card.ts"
import { report } from "./ProviderReports.ts"

let folder = ""
let paymux: Paymux
let server: Server
let url = ""
let commands: Commands
let withoutKey: Commands

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paymux-payments-"))
  paymux = await createPaymux({ sandbox: true, database: `sqlite:${join(folder, "paymux.db")}`, logs: false })
  server = createServer((request, response) => paymux.node(request, response)).listen(0, "127.0.0.1")
  await once(server, "listening")
  // Boundary: a TCP server that listens has an address of this form.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  commands = startCommands({ PAYMUX_API_KEY: paymux.testKey ?? "" })
  withoutKey = startCommands({ PAYMUX_API_KEY: "" })
})

afterAll(async () => {
  commands.stop()
  withoutKey.stop()
  server.close()
  await paymux.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = (...args: ReadonlyArray<string>) => commands.run(folder, "payments", ...args)
const change = (...args: ReadonlyArray<string>) => run(...args, "--url", url)
const held = () => paymux.payments.create({ ...card, capture_method: "manual" })

describe("paymux payments capture, cancel and refund", () => {
  it("change a payment through the server, and print it", async () => {
    const { id } = await held()
    const captured = await change("capture", id, "--amount", "1000")
    assert.strictEqual(captured.code, 0, captured.stderr)
    assert.deepInclude(JSON.parse(captured.stdout), { id, status: "succeeded", amount_captured: 1000 })
    const refunded = await change("refund", id, "--amount", "400", "--reason", "one item came back")
    assert.strictEqual(refunded.code, 0, refunded.stderr)
    assert.deepInclude(JSON.parse(refunded.stdout), { payment: id, amount: 400, reason: "one item came back" })
    const { id: other } = await held()
    const canceled = await change("cancel", other)
    assert.deepInclude(JSON.parse(canceled.stdout), { id: other, status: "canceled" })
  })

  it("are done once under one idempotency key", async () => {
    const { id } = await paymux.payments.create(card)
    const refund = () => change("refund", id, "--amount", "100", "--idempotency-key", "refund-1")
    const [first, second] = [await refund(), await refund()]
    assert.strictEqual(second.stdout, first.stdout)
    assert.lengthOf((await paymux.refunds.list(id)).data, 1)
  })

  it("print the server's refusal with its code and fields, and exit with 1", async () => {
    const { id } = await held()
    const tooMuch = await change("capture", id, "--amount", "9999")
    assert.strictEqual(tooMuch.code, 1)
    assert.match(tooMuch.stderr, /amount/)
    const unknown = await change("refund", "pay_01jd8w6x2vh6k9v0q3f7m5t1ac")
    assert.strictEqual(unknown.code, 1)
    assert.match(unknown.stderr, /\(not_found\)/)
  })

  it("say who can refund more than disputes leave, and refund nothing", async () => {
    const { id } = await paymux.payments.create(card)
    await report(`sqlite:${join(folder, "paymux.db")}`, id, (amount) => ({
      _tag: "Disputed",
      amount: { ...amount, minorUnits: 700 },
      reference: "dp_1"
    }))
    const { code, stderr } = await change("refund", id, "--amount", "501")
    const sentences = stderr.replaceAll(/\s+/g, " ")
    assert.strictEqual(code, 1)
    assert.match(
      sentences,
      /At most 500 can be refunded\. Captured: 1200;.* disputed: 700\. .*\(refund_exceeds_available\)/
    )
    assert.match(
      sentences,
      /To refund more, an operator gives evidence that it is right: open the payment in the dashboard/
    )
    assert.lengthOf((await paymux.refunds.list(id)).data, 0)
    assert.strictEqual((await change("refund", id, "--amount", "500")).code, 0)
  })

  it("need the key in the environment", async () => {
    const refused = await withoutKey.run(folder, "payments", "cancel", "pay_01jd8w6x2vh6k9v0q3f7m5t1ac", "--url", url)
    assert.strictEqual(refused.code, 1)
    assert.match(refused.stderr, /Set PAYMUX_API_KEY to an API key of the server: paymux keys create\./)
  })

  it("name the idempotency key of a request whose outcome is not known", async () => {
    const { code, stderr } = await run("refund", "pay_01jd8w6x2vh6k9v0q3f7m5t1ac", "--url", "http://127.0.0.1:1")
    assert.strictEqual(code, 1)
    assert.match(stderr, /It may have been done\. To repeat it safely, add --idempotency-key \S{8,}/)
  })
})

describe("paymux payments list", () => {
  const listed = async (...flags: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await run("list", "--json", "--limit", "100", ...flags)
    assert.strictEqual(code, 0, stderr)
    // Boundary: the JSON of the command.
    return (JSON.parse(stdout) as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
  }

  it("has the filters of the API", async () => {
    const payment = await paymux.payments.create({
      ...card,
      customer: { ...card.customer, email: "filters@example.com" },
      metadata: { order_id: "cli 1", channel: "web" }
    })
    const reference = payment.attempts[0]?.reference ?? assert.fail("the sandbox has references")
    const { data } = await paymux.payments.list({ provider_reference: [reference, "pi_of_another_payment"] })
    assert.deepStrictEqual(
      data.map(({ id }) => id),
      [payment.id]
    )
    for (const flags of [
      ["--reference", reference],
      ["--email", "filters@example.com"],
      ["--metadata", "order_id=cli 1", "--metadata", "channel=web"],
      ["--email", "filters@example.com", "--status", "succeeded", "--method", "card", "--currency", "EUR"],
      ["--email", "filters@example.com", "--created-after", "2026-01-31T00:00:00Z", "--provider", payment.provider]
    ]) {
      assert.deepStrictEqual(await listed(...flags), [payment.id], flags.join(" "))
    }
    const failed = await paymux.payments.create({
      ...card,
      amount: 4_999,
      payment_method_details: { card: { token: "tok_insufficient_funds", fingerprint: "fp_cli" } }
    })
    for (const flags of [
      ["--failure-code", "insufficient_funds"],
      ["--card-fingerprint", "fp_cli"],
      ["--currency", "EUR", "--amount-min", "4999", "--amount-max", "4999"]
    ]) {
      assert.deepStrictEqual(await listed(...flags), [failed.id], flags.join(" "))
    }
    for (const parameters of [
      { failure_code: "insufficient_funds" },
      { card_fingerprint: ["fp_cli", "fp_other"] },
      { currency: "EUR", amount_min: 4_999 }
    ] satisfies ReadonlyArray<Parameters<Paymux["payments"]["list"]>[0]>) {
      const { data } = await paymux.payments.list(parameters)
      assert.deepStrictEqual(
        data.map(({ id }) => id),
        [failed.id]
      )
    }
    for (const flags of [
      ["--currency", "USD", "--amount-min", "0"],
      ["--currency", "EUR", "--amount-min", "5000"],
      ["--card-fingerprint", "fp_cl"],
      ["--reference", "pi_of_another_payment"],
      ["--email", "filters@example.com", "--created-before", "2026-01-31T00:00:00Z"],
      ["--email", "filters@example.com", "--in-review"],
      ["--metadata", "order_id=cli 2"]
    ]) {
      assert.deepStrictEqual(await listed(...flags), [], flags.join(" "))
    }
  })

  it.each([
    [["--limit", "0"], /--limit must be an integer from 1 to 100\./],
    [["--currency", "euro"], /--currency must be an ISO 4217 code\./],
    [["--amount-min", "5"], /--amount-min needs exactly one currency\./],
    [["--currency", "EUR", "--currency", "USD", "--amount-max", "5"], /--amount-max needs exactly one currency\./],
    [["--currency", "EUR", "--amount-min", "-5"], /--amount-min must be an integer of minor units/],
    [
      ["--currency", "EUR", "--amount-min", "6", "--amount-max", "5"],
      /--amount-min must not be greater than amount_max/
    ],
    [["--created-after", "yesterday"], /--created-after must be an RFC 3339 time with a zone/]
  ])("refuses %j by the name of the flag", async (flags, sentence) => {
    const { code, stderr } = await run("list", ...flags)
    assert.strictEqual(code, 1)
    assert.match(stderr, sentence)
  })
})
