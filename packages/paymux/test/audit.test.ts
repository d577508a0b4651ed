/** The audit log through the library and the commands. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync, readdirSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { card } from "./card.ts"
import { paymuxOnDisk } from "./PaymuxOnDisk.ts"

const asha = { id: "usr_1", name: "Asha", address: "203.0.113.7" }

const { commands, folder, paymux } = await paymuxOnDisk()

const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) => String(error)
  )

describe("the audit log", () => {
  it("names the person for whom a program acts, and what they did to a payment", async () => {
    const own = paymux.forAccount("shop")
    const ofAsha = paymux.forAccount("shop", { actor: asha })
    const { id } = await own.payments.create(card)
    await own.refunds.create(id, { amount: 100 })
    assert.deepStrictEqual((await own.auditLog.list()).entries, [])

    await ofAsha.refunds.create(id, { amount: 200, reason: "Asha's customer asked for it" })
    assert.match(await outcomeOf(ofAsha.refunds.create(id, { amount: 9999 })), /not valid/)
    assert.match(await outcomeOf(ofAsha.payments.capture(id)), /./)
    await ofAsha.customers.erase({ payment: id })
    const { entries } = await own.auditLog.list()
    assert.deepStrictEqual(
      entries.map(({ action, actor, after, outcome }) => [action, outcome, actor.id, after]),
      [
        ["customer.erase", "requested", "usr_1", { payments: 1 }],
        ["payment.capture", "refused", "usr_1", { amount: null }],
        ["payment.capture", "requested", "usr_1", { amount: null }],
        ["payment.refund", "refused", "usr_1", { amount: 9999 }],
        ["payment.refund", "requested", "usr_1", { amount: 9999 }],
        ["payment.refund", "requested", "usr_1", { amount: 200 }]
      ]
    )
    assert.isTrue(entries.slice(1).every(({ target }) => target === id))
    assert.notInclude(JSON.stringify(entries), "asked for it")
    assert.deepStrictEqual((await paymux.auditLog.list()).entries, [])
  })

  it("names the account at the operating system that ran a command", async () => {
    const created = await commands.run(folder, "keys", "create", "--name", "checkout")
    const key = created.stdout.trim()
    assert.match(key, /^pmx_test_/)
    const listed = await commands.run(folder, "audit", "list", "--json", "--action", "api_key.create")
    const [entry] = JSON.parse(listed.stdout)
    assert.deepInclude(entry.actor, { kind: "command", id: userInfo().username, role: null })
    assert.deepInclude(entry.after, { name: "checkout", display: `pmx_test_…${key.slice(-4)}` })
    const table = await commands.run(folder, "audit", "list", "--target", entry.target)
    assert.include(table.stdout, "api_key.create")
    assert.include((await commands.run(folder, "audit", "list", "--actor", "usr_none")).stderr, "No entries.")
    assert.include((await commands.run(folder, "audit", "list", "--after", "x")).stderr, "The cursor must be")
    assert.notStrictEqual((await commands.run(folder, "audit", "list", "--action", "nothing")).code, 0)
    for (const name of readdirSync(folder)) {
      assert.isFalse(readFileSync(join(folder, name)).includes(key), name)
    }
  })

  it("refuses an actor and a query that make no sense", async () => {
    for (const actor of [
      {},
      { id: "" },
      { id: "a\u202Eb" },
      { id: "x".repeat(201) },
      { id: "x", role: "owner" },
      "usr_1",
      null
    ]) {
      assert.throws(() => paymux.forAccount("shop", { actor } as never), /actor/)
    }
    for (const query of [{ limit: 0 }, { from: -1 }, { until: "1h" }, { actor: "usr_1" }, { target: 1 }, null]) {
      assert.match(await outcomeOf(paymux.auditLog.list(query as never)), /not valid|object/)
    }
  })
})
