/** Unmatched reports through the library and the commands, with the engine that applies them. */
import { assert, describe, it } from "@effect/vitest"
import { ReportRefused } from "@paymux/sql"
import { Effect, Exit, Scope } from "effect"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import { migrations } from "../src/Database.ts"
import { createPaymux } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"
import { setTimeout } from "node:timers/promises"
import { startCommands } from "./Commands.ts"
import { card } from "./card.ts"
import { paymuxOnDisk } from "./PaymuxOnDisk.ts"
import { reportLost } from "./ProviderReports.ts"

const { commands, database, folder, paymux } = await paymuxOnDisk()

const reportOf = async (server: Paymux, event: string) => {
  const { data: reports } = await server.reports.list({ limit: 1000 })
  return reports.find((report) => report.event === event) ?? assert.fail(event)
}

const untilApplied = async (id: string) => {
  while (!(await paymux.reports.get(id)).isApplied) await setTimeout(20)
}

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => assert.fail("accepted"),
    (error: unknown) => error
  )

const ran = async (...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await commands.run(folder, "reports", ...args)
  return { code, stderr, stdout }
}

describe("paymux.reports", () => {
  it("applies a matched report to its payment through the engine, once, with one audit entry", async () => {
    await reportLost(database, "evt_second")
    const { id, status } = await reportOf(paymux, "evt_second")
    assert.strictEqual(status, "parked")
    const payment = await paymux.payments.create(card)
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => paymux.reports.match(id, { paymentId: payment.id }))
    )
    const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []))
    assert.lengthOf(refused, 5)
    // The caller waits for no provider and for no other report.
    const accepted = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []))
    assert.deepStrictEqual(
      accepted.map(({ isApplied }) => isApplied),
      [false]
    )
    for (const error of refused) {
      assert.instanceOf(error, ReportRefused)
      assert.strictEqual(error.present?.paymentId, payment.id)
    }
    await untilApplied(id)
    assert.deepInclude(await paymux.reports.get(id), { status: "matched", isApplied: true, reference: "ch_evt_second" })
    const { reviews } = await paymux.reviews.get(payment.id)
    assert.deepStrictEqual(
      reviews.map(({ amount, reason, reference }) => [reason, reference, amount]),
      [["duplicate_capture", "ch_evt_second", 1200]]
    )
    const { entries } = await paymux.auditLog.list({ target: id })
    assert.deepStrictEqual(
      entries.map(({ action, after, outcome }) => [action, outcome, after?.["payment"]]),
      [["report.match", "done", payment.id]]
    )
  })

  it("refuses what does not fit, and shows nothing of the other mode", async () => {
    await reportLost(database, "evt_yen", { currency: "JPY" })
    const { id } = await reportOf(paymux, "evt_yen")
    const { id: paymentId } = await paymux.payments.create(card)
    const live = paymux.forAccount("default", { mode: "live" })
    assert.deepStrictEqual((await live.reports.list()).data, [])
    const calls: ReadonlyArray<readonly [Promise<unknown>, string]> = [
      [paymux.reports.match(id, { paymentId }), "another currency"],
      [paymux.reports.match(id, { paymentId: "pay_1" }), "no such payment"],
      [paymux.reports.match("rpt_0", { paymentId }), "no such report"],
      [paymux.reports.match(id, { paymentId, operationId: "op_1" }), "no such operation"],
      [paymux.reports.match(id, { paymentId: 5 } as never), "is not valid"],
      [paymux.reports.match(id, { payment: paymentId } as never), "is not valid"],
      [paymux.forAccount("other").reports.match(id, { paymentId }), "no such payment"],
      [live.reports.get(id), "no such report"],
      [paymux.reports.get(5 as never), "is not valid"],
      [paymux.reports.dismiss(id, {} as never), "is not valid"],
      [paymux.reports.dismiss(id, { note: "" }), "1 to 1000 characters"],
      [paymux.reports.list({ statuses: [] }), "is not valid"],
      [paymux.reports.list({ statuses: ["x"] } as never), "is not valid"],
      [paymux.reports.list({ status: "x" } as never), "is not valid"],
      [paymux.reports.list({ limit: 1001 }), "is not valid"],
      [paymux.reports.list({ after: "x" }), "cursor"]
    ]
    for (const [call, words] of calls) assert.include(String(await refusal(call)), words)
    assert.deepInclude(await paymux.reports.get(id), { status: "parked", paymentId: null })
    assert.lengthOf((await paymux.auditLog.list({ target: id })).entries, 0)
  })

  it("keeps a dismissed report, whose note is erased with the customer of the payment that it is matched to", async () => {
    await reportLost(database, "evt_noted")
    const { id } = await reportOf(paymux, "evt_noted")
    const dismissed = await paymux.reports.dismiss(id, { note: "Asha's old order" })
    assert.deepInclude(dismissed, { status: "dismissed", note: "Asha's old order" })
    const [entry] = (await paymux.auditLog.list({ target: id })).entries
    assert.strictEqual(entry?.action, "report.dismiss")
    assert.notInclude(JSON.stringify(entry), "Asha")
    const { id: paymentId } = await paymux.payments.create({
      ...card,
      payment_method_details: { card: { token: "tok_declined" } }
    })
    assert.strictEqual((await paymux.reports.match(id, { paymentId })).note, "Asha's old order")
    await untilApplied(id)
    const { reviews } = await paymux.reviews.get(paymentId)
    for (const { id: review } of reviews) {
      await paymux.reviews.resolve(paymentId, { review, resolution: "given_back", evidence: "re_1" })
    }
    await paymux.customers.erase({ payment: paymentId })
    assert.isNull((await paymux.reports.get(id)).note)
  })
})

describe("paymux reports", () => {
  it("lists, shows, matches and dismisses beside a server", async () => {
    await reportLost(database, "evt_\u001b[31m_red")
    const { id } = await reportOf(paymux, "evt_\u001b[31m_red")
    const { stdout } = await ran("list", "--status", "parked")
    const row = stdout.split("\n").find((line) => line.includes(id)) ?? ""
    assert.match(row, /rpt_\d+ +parked +sandbox_card_a +succeeded +EUR 12\.00 +ch_evt_\\u001b\[31m_red +op_\w+/)
    assert.notInclude(stdout, "\u001b[31m")
    assert.include(JSON.parse((await ran("show", id)).stdout), { id, status: "parked" })
    assert.include((await ran("list", "--live")).stderr, "No unmatched reports.")
    assert.include((await ran("show", "rpt_0")).stderr, "Report rpt_0 not found (test mode).")
    const { id: paymentId } = await paymux.payments.create(card)
    assert.include((await ran("match", id, paymentId)).stderr, "pass --yes to confirm")
    assert.include((await ran("match", id, "pay_1", "--yes")).stderr, "Payment pay_1 not found in account default")
    const dismissed = await ran("dismiss", id, "--note", "not ours", "--yes")
    assert.deepInclude(JSON.parse(dismissed.stdout), { status: "dismissed", note: "not ours" })
    assert.include((await ran("dismiss", id, "--note", "x", "--yes")).stderr, `Report ${id} is dismissed.`)
    const matched = await ran("match", id, paymentId, "--yes")
    assert.strictEqual(matched.code, 0)
    assert.include(matched.stderr, `A running server applies it to ${paymentId}`)
    const again = await ran("match", id, paymentId, "--yes")
    assert.strictEqual(again.code, 1)
    assert.include(again.stderr, `Report ${id} is matched to ${paymentId}.`)
  })

  it("acts once where two processes match a report at the same moment, on PostgreSQL", async () => {
    const scope = Scope.makeUnsafe()
    const url = await Effect.runPromise(Scope.provide(temporaryDatabase(migrations), scope))
    const server = await createPaymux({ sandbox: true, database: url })
    const processes = [startCommands(), startCommands()]
    try {
      await reportLost(url, "evt_1")
      const { id } = await reportOf(server, "evt_1")
      const payments = [await server.payments.create(card), await server.payments.create(card)]
      await Promise.all(processes.map((each) => each.run(folder, "reports", "list", "--database", url)))
      const done = await Promise.all(
        processes.map((each, n) =>
          each.run(folder, "reports", "match", id, payments[n]?.id ?? "", "--yes", "--database", url)
        )
      )
      assert.strictEqual(done.filter(({ code }) => code === 0).length, 1)
      const { paymentId } = await server.reports.get(id)
      assert.include(done.map(({ stderr }) => stderr).join(""), `is matched to ${paymentId}`)
      assert.lengthOf((await server.auditLog.list({ target: id })).entries, 1)
    } finally {
      for (const each of processes) each.stop()
      await server.close()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  })
})
