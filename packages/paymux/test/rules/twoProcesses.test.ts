/** Rules that one process publishes decide the payments of another one: real processes, on both databases. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { migrations } from "../../src/Database.ts"
import { createPaymux } from "../../src/index.ts"
import type { PaymentJson } from "../../src/index.ts"
import { command, serve } from "../ServerProcess.ts"
import type { ServerProcess } from "../ServerProcess.ts"

/** Card payments go to the provider with this letter. */
const rules = (letter: "a" | "b") => `version: 1\ndefault: { priority: [sandbox_card_${letter}, sandbox_upi_a] }\n`

let folder = ""
const scope = Scope.makeUnsafe()
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "paymux-two-processes-"))
  writeFileSync(join(folder, "routing.yaml"), rules("a"))
  writeFileSync(join(folder, "next.yaml"), rules("b"))
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
})

const served = (database: string) =>
  serve(folder, ["--database", database, "--rules-in-database", "--rules", "routing.yaml"])

/** A payment by this process, as the one that routed it and the ruleset that it names. */
const pay = async ({ base, testKey }: ServerProcess) => {
  const response = await fetch(`${base}/payments`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      amount: 1200,
      currency: "EUR",
      payment_method: "card",
      customer: { email: "asha@example.com", phone: "+4915112345678" },
      payment_method_details: { card: { token: "tok_success" } }
    })
  })
  // Boundary: the API answered it.
  const payment = (await response.json()) as PaymentJson
  assert.strictEqual(response.status, 201, JSON.stringify(payment))
  return { provider: payment.attempts[0]?.provider, ruleset: payment.routing.ruleset }
}

/** Pays again until it is so. Fails after 20 s: the limit of a test is minutes. */
const untilPaidBy = async (server: ServerProcess, provider: string) => {
  for (const end = performance.now() + 20_000; performance.now() < end; await setTimeout(100)) {
    const paid = await pay(server)
    if (paid.provider === provider) return paid
  }
  return assert.fail(`${provider} was not paid within 20 s`)
}

describe("rules in the database that another process published", () => {
  it("decide the payments of a server on PostgreSQL, and so does a rollback", async () => {
    const database = await Effect.runPromise(Scope.provide(temporaryDatabase(migrations), scope))
    const server = await served(database)
    assert.strictEqual((await pay(server)).provider, "sandbox_card_a")
    await using paymux = await createPaymux({ sandbox: true, database, logs: false, routing: { source: "database" } })
    const { ruleset } = await paymux.rules.publish({ text: rules("b"), from: 1 })
    assert.deepStrictEqual(await untilPaidBy(server, "sandbox_card_b"), { provider: "sandbox_card_b", ruleset })
    await paymux.rules.rollback({ to: 1, from: 2 })
    await untilPaidBy(server, "sandbox_card_a")
    assert.strictEqual(await server.kill("SIGTERM"), 0)
  })

  it("decide the payments of a server on a file of SQLite, published by a command", async () => {
    const server = await served("sqlite:shop.db")
    assert.strictEqual((await pay(server)).provider, "sandbox_card_a")
    const publish = ["rules", "publish", "next.yaml", "--from", "1", "--sandbox", "--database", "sqlite:shop.db"]
    const published = await command(folder, ...publish)
    assert.strictEqual(published.code, 0, published.stderr)
    await untilPaidBy(server, "sandbox_card_b")
    assert.strictEqual(await server.kill("SIGTERM"), 0)
  })
})
