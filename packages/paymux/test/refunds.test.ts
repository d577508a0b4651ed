/** Refunds of all payments, through the library and the commands. */
import { assert, describe, it } from "@effect/vitest"
import { card } from "./card.ts"
import { paymuxOnDisk } from "./PaymuxOnDisk.ts"

const { commands, folder, paymux } = await paymuxOnDisk()

describe("refunds of all payments", () => {
  it("are listed newest first, by page and filter, to their own account and mode, as each is shown by its id", async () => {
    const payments = [await paymux.payments.create(card), await paymux.payments.create(card)]
    const made = []
    for (const { id } of payments) made.push(await paymux.refunds.create(id, { amount: 450 }))
    const newest = made.toReversed()
    assert.deepStrictEqual(await paymux.refunds.search(), { data: newest, next: null })
    for (const refund of newest) assert.deepStrictEqual(await paymux.refunds.get(refund.id), refund)
    const first = await paymux.refunds.search({ limit: 1 })
    assert.deepStrictEqual(first.data, newest.slice(0, 1))
    assert.deepStrictEqual((await paymux.refunds.search({ limit: 1, after: first.next ?? "" })).data, newest.slice(1))
    assert.deepStrictEqual(
      (await paymux.refunds.search({ paymentId: payments[0]?.id ?? "", statuses: ["succeeded"] })).data,
      newest.slice(1)
    )
    for (const query of [{ statuses: ["failed" as const] }, { provider: "none" }, { until: 1 }]) {
      assert.deepStrictEqual((await paymux.refunds.search(query)).data, [], JSON.stringify(query))
    }
    for (const other of [paymux.forAccount("other"), paymux.forAccount("default", { mode: "live" })]) {
      assert.deepStrictEqual((await other.refunds.search()).data, [])
    }
    const table = await commands.run(folder, "refunds", "list", "--since", "1h")
    assert.strictEqual(table.code, 0, table.stderr)
    assert.match(table.stdout, /EUR 4\.50|4\.50 EUR/)
    const json = await commands.run(folder, "refunds", "list", "--json", "--limit", "1", "--status", "succeeded")
    assert.deepStrictEqual(JSON.parse(json.stdout), newest.slice(0, 1))
    assert.match(json.stderr, /There are more: --after \d+\.\d+/)
  })

  it.each([
    [{ statuses: [] }, "/statuses/0"],
    [{ statuses: ["done"] }, "/statuses/0"],
    [{ limit: 0 }, "/limit"],
    [{ from: -1 }, "/from"],
    [{ paymentId: 5 }, "/paymentId"],
    [{ status: "failed" }, "/status"]
  ])("refuse %j by the name of the option", async (query, pointer) => {
    // Boundary: what JavaScript may give.
    const refused = await paymux.refunds.search(query as object).then(
      () => assert.fail("it was accepted"),
      (error: unknown) => error
    )
    assert.include(JSON.stringify(refused), `"pointer":"${pointer}"`)
  })

  it("are not listed after a cursor of another kind", async () => {
    const { code, stderr } = await commands.run(folder, "refunds", "list", "--after", "x")
    assert.strictEqual(code, 1)
    assert.match(stderr, /The cursor must be the `next` of a former page of refunds\./)
  })
})
