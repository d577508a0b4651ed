/** The judge of what an asynchronous standby has lost: each fault that is planted in the ledger or in the books is reported. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { decodeCreatePayment, Engine, Ids, Outcome, Payments } from "@paymux/core"
import type { PaymentRecord, Provider } from "@paymux/core"
import { Effect, Layer, Logger, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { instantWithId } from "../bench/InstantProvider.ts"
import { migrated } from "../crash/Database.ts"
import { requestOf } from "../crash/Scenarios.ts"
import type { LedgerEntry } from "../crash/vendor/Ledger.ts"
import { compareBooks, comparedBooks, faultsOfLoss } from "./comparedBooks.ts"

const folder = mkdtempSync(join(tmpdir(), "paymux-compared-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let databases = 0

const withRefunds = (id: string): Provider => {
  const provider = instantWithId(id)
  const { operations } = provider.capabilities
  return {
    ...provider,
    capabilities: {
      ...provider.capabilities,
      operations: { ...operations, refund: { idempotency: { by: "header", lifetime: "24 hours" }, partial: true } }
    },
    make: (context) =>
      Effect.map(provider.make(context), (made) => ({ ...made, refund: () => Effect.succeed(Outcome.succeeded()) }))
  }
}

const engineOn = (url: string) =>
  Engine.layer({ providers: ["alpha", "beta"].map(withRefunds), publicUrl: "http://localhost:4310" }).pipe(
    Layer.provideMerge(Layer.mergeAll(migrated({ url }), Ids.layer)),
    Layer.provide(Logger.layer([]))
  )

const entryOf = (record: PaymentRecord, operation: PaymentRecord["operations"][number], purchase: string) => ({
  account: "alpha",
  key: operation.key,
  object: record.operations[0]?.reference ?? assert.fail("no reference"),
  payment: record.payment.id,
  operation: operation.id,
  purchase,
  minorUnits: operation.minorUnits,
  currency: "INR"
})

/** Two payments of 100.00, the second of them refunded by 30.00, and the ledger of a vendor that has booked the same. */
const books = async () => {
  const url = `sqlite:${join(folder, `${++databases}.db`)}`
  const made = Effect.gen(function* () {
    const payments = yield* Payments
    const tenant = { account: "default", livemode: false }
    const asked = yield* decodeCreatePayment(requestOf({ rail: "upi" }))
    const paid = yield* payments.create(asked, { tenant, idempotency: null })
    const { record } = yield* payments.create(asked, { tenant, idempotency: null })
    const part = { minorUnits: 3_000, reason: null }
    return {
      paid: paid.record,
      refunded: (yield* payments.refund(record.payment.id, part, { tenant, idempotency: null })).record
    }
  })
  const { paid, refunded } = await Effect.runPromise(Effect.provide(made, engineOn(url)))
  const [one, other, refund] = [...paid.operations, ...refunded.operations]
  if (one === undefined || other === undefined || refund === undefined) return assert.fail("no operations")
  const charge: LedgerEntry = { kind: "captured", ...entryOf(paid, one, "order-1") }
  const second: LedgerEntry = { kind: "captured", ...entryOf(refunded, other, "order-2") }
  const back: LedgerEntry = { kind: "refunded", ...entryOf(refunded, refund, "order-2") }
  return { url, charge, second, back, ledger: [charge, second, back] }
}

/** A charge whose payment the database has lost. */
const lost = (charge: LedgerEntry): LedgerEntry => ({
  ...charge,
  key: "key-lost",
  object: "vp_lost",
  operation: `op_${"7".repeat(26)}`,
  purchase: "order-lost"
})

const change = (url: string, statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
  Effect.runPromise(Effect.provide(SqlClient.SqlClient.use(statement), migrated({ url })))

/** Until the engine has read each report of the statement once. */
const applyReports = (url: string) =>
  Effect.runPromise(
    SqlClient.SqlClient.use((sql) => sql`SELECT 1 FROM provider_inbox WHERE status = 'waiting' AND tries = 0`).pipe(
      Effect.repeat({ until: (rows) => rows.length === 0, schedule: Schedule.spaced("20 millis") }),
      Effect.provide(engineOn(url))
    )
  )

const faults = async (url: string, ledger: ReadonlyArray<LedgerEntry>, unresolved: ReadonlyArray<string> = []) =>
  faultsOfLoss({ unresolved }, await comparedBooks(url, ledger)).map((fault) => fault.slice(0, fault.indexOf(":")))

describe("the judge of a failover to a standby that is behind", () => {
  it("reports nothing where books and ledger agree", async () => {
    const { ledger, url } = await books()
    assert.deepStrictEqual(await faults(url, ledger), [])
    assert.deepInclude(await comparedBooks(url, ledger), { matched: 3, refunded: 0, inReview: 0, listed: 0 })
  })

  it("reports a charge that neither a payment, nor a review, nor a list names", async () => {
    const { charge, ledger, url } = await books()
    const all = [...ledger, lost(charge)]
    assert.deepStrictEqual(await faults(url, all), ["unexplained"])
    await compareBooks(url, all)
    await applyReports(url)
    assert.deepStrictEqual(await faults(url, all), [])
    assert.deepInclude(await comparedBooks(url, all), { matched: 3, listed: 1 })
    const another = { ...lost(charge), key: "key-another", object: "vp_another" }
    assert.deepStrictEqual(await faults(url, [...all, another]), ["unexplained", "paid twice at one provider"])
  })

  it("reports a charge whose operation has another outcome in the books", async () => {
    const { charge, ledger, url } = await books()
    await change(url, (sql) => sql`UPDATE operations SET status = 'declined' WHERE id = ${charge.operation}`)
    await change(url, (sql) => sql`UPDATE payments SET amount_captured = 0 WHERE id = ${charge.payment}`)
    assert.deepStrictEqual(await faults(url, ledger), ["unexplained"])
    assert.deepStrictEqual(await faults(url, [...ledger, { ...charge, kind: "refunded" }]), [], "it was given back")
  })

  it("reports two charges for one purchase at one provider, also beside one at another provider", async () => {
    const { charge, ledger, second, url } = await books()
    const twice = ledger.map((entry) => ({ ...entry, purchase: "order-1" }))
    assert.deepStrictEqual(await faults(url, twice), ["paid twice at one provider"])
    const elsewhere = { ...lost(charge), account: "beta", purchase: "order-1" }
    await compareBooks(url, [...twice, elsewhere])
    await applyReports(url)
    assert.deepStrictEqual(await faults(url, [...twice, elsewhere]), ["paid twice at one provider"])
    const atTwo = [...ledger, elsewhere]
    assert.deepStrictEqual(await faults(url, atTwo), [])
    assert.strictEqual((await comparedBooks(url, atTwo)).twiceAtTwo, 1)
    const rest = { ...second, kind: "refunded", purchase: "order-1", minorUnits: 7_000 } as const
    assert.notInclude(await faults(url, [...twice, rest]), "paid twice at one provider")
  })

  it("reports books that differ from the ledger by an amount, in either direction", async () => {
    const { back, charge, second, url } = await books()
    const ledgers = [
      [{ ...charge, minorUnits: 9_999 }, second, back],
      [{ ...charge, minorUnits: 10_001 }, second, back],
      [charge, second, { ...back, minorUnits: 2_999 }],
      [charge, second],
      [second, back]
    ]
    for (const ledger of ledgers) assert.deepStrictEqual(await faults(url, ledger), ["unequal"])
    const whole = [charge, second, back]
    await change(url, (sql) => sql`UPDATE payments SET amount_captured = 9999 WHERE id = ${charge.payment}`)
    assert.deepStrictEqual(await faults(url, whole), ["unequal"])
    await change(url, (sql) => sql`UPDATE payments SET amount_refunded = 0 WHERE id = ${second.payment}`)
    assert.deepStrictEqual(await faults(url, whole), ["unequal", "unequal"])
  })

  it("reports a charge of the books that was refunded without them", async () => {
    const { charge, ledger, url } = await books()
    const stray: LedgerEntry = { ...charge, kind: "refunded", key: "key-stray", operation: "by hand" }
    assert.deepStrictEqual(await faults(url, [...ledger, stray]), ["unequal"])
    await compareBooks(url, [...ledger, stray])
    await applyReports(url)
    assert.deepStrictEqual(await faults(url, [...ledger, stray]), [], "it is in review")
    assert.strictEqual((await comparedBooks(url, [...ledger, stray])).inReview, 1)
  })

  it("reports a refund that the database has lost, unless a list names it", async () => {
    const { charge, ledger, url } = await books()
    const refund: LedgerEntry = { ...charge, kind: "refunded", key: "key-refund", operation: lost(charge).operation }
    assert.deepStrictEqual(await faults(url, [...ledger, refund]), ["unequal"])
    await compareBooks(url, [...ledger, refund])
    await applyReports(url)
    assert.deepStrictEqual(await faults(url, [...ledger, refund]), [])
    assert.deepInclude(await comparedBooks(url, [...ledger, refund]), { matched: 3, listed: 1, inReview: 0 })
  })

  it("reports work that is left open", async () => {
    const { ledger, url } = await books()
    assert.deepStrictEqual(await faults(url, ledger, ["1 operation"]), ["unresolved"])
  })
})
