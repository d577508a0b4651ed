/** The statement, over the fake: every line of its reports once, with our names; and what is refused. */
import { assert, describe, it } from "@effect/vitest"
import { isProviderError, type Provider } from "@paymux/core"
import type { FakeAnswer, Fault } from "@paymux/testkit"
import { memoryContext, statementPages } from "@paymux/test-suites"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { setImmediate as nextTurn } from "node:timers/promises"
import { adyen } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"
import { pspOf } from "../src/testing/pspOf.ts"
import { csv, type ReportLine, setReport } from "../src/testing/report.ts"
import { euros, later, operation } from "./operations.ts"

const noon = Date.parse("2026-11-20T12:00:00Z")
const day = 24 * 60 * 60_000
const range = { since: noon - 30 * day, until: noon + day }

const opened = Effect.fnUntraced(function* (firstBatch = 1, timeZone?: string) {
  yield* TestClock.setTime(noon)
  const vendor = yield* fake.start({ mode: "test" })
  const options = optionsOf(vendor)
  const instance = adyen({
    ...options,
    reports: { ...options.reports, firstBatch, ...(timeZone !== undefined && { timeZone }) }
  })
  const operations = yield* instance.make(memoryContext(instance.id))
  const { capture, refund, statement } = operations
  if (!capture || !refund || !statement) return yield* Effect.die(new Error("they are declared"))
  const read = (query = range) =>
    Effect.map(statementPages(statement, query), (pages) => pages.flatMap(({ movements }) => movements))
  const report = (batch: number, ...lines: ReadonlyArray<ReportLine>) =>
    setReport(vendor.ledger, batch, csv(lines.map((each) => ({ ...each, "Batch Number": String(batch) }))))
  const files = Effect.map(vendor.network.requests, (requests) =>
    requests.flatMap(({ path, status }) => {
      const batch = /batch_(\d+)\.csv$/.exec(path)?.[1]
      return batch === undefined ? [] : [`${batch} ${status}`]
    })
  )
  return { ...operations, capture, refund, statement, vendor, read, report, files }
})

const settled: ReportLine = {
  "Merchant Account": "ShopTest",
  "Psp Reference": "8835000000000001",
  "Merchant Reference": "1001",
  "Creation Date": "2026-11-20 13:00:00",
  TimeZone: "CET",
  Type: "Settled",
  "Modification Reference": "8835000000000002",
  "Gross Currency": "EUR",
  "Gross Credit (GC)": "5.00",
  "Net Currency": "EUR",
  "Net Credit (NC)": "4.88",
  "Markup (NC)": "0.04",
  "Scheme Fees (NC)": "0.01",
  "Interchange (NC)": "0.07",
  "Batch Number": "1"
}

const without = (line: ReportLine, ...names: ReadonlyArray<keyof ReportLine>): ReportLine =>
  Object.fromEntries(Object.entries(line).filter(([name]) => !names.some((each) => each === name)))

const debit = (line: ReportLine): ReportLine => ({
  ...without(line, "Gross Credit (GC)", "Net Credit (NC)", "Markup (NC)", "Scheme Fees (NC)", "Interchange (NC)"),
  "Gross Debit (GC)": "5.00",
  "Net Debit (NC)": "12.50",
  "Commission (NC)": "7.50"
})

describe("the statement", () => {
  it("is declared if reports are configured", () => {
    const options = { environment: "test", apiKey: "k", merchantAccount: "Shop", hmacKeys: ["44".repeat(32)] } as const
    const declared = ({ capabilities }: Provider) => capabilities.statement?.bookedWithin
    assert.isUndefined(declared(adyen(options)))
    assert.strictEqual(declared(adyen({ ...options, reports: { apiKey: "r" } })), "21 days")
    assert.strictEqual(declared(adyen({ ...options, reports: { apiKey: "r", bookedWithinDays: 40 } })), "40 days")
    assert.throws(() => adyen({ ...options, reports: { apiKey: "r", firstBatch: 0 } }), /firstBatch/)
  })

  it.effect("has a payment captured at once and its refund, by their operations and references", () =>
    Effect.gen(function* () {
      const { create, read, refund } = yield* opened()
      const created = operation()
      const { reference = null } = yield* create(created)
      const refunding = later("refund", created, reference ?? null, { amount: euros(345) })
      const refunded = yield* refund(refunding)
      const [charge, returned, ...more] = yield* read()
      assert.isEmpty(more)
      assert.deepStrictEqual(charge, {
        id: charge?.id ?? "",
        type: "payment",
        operation: created.id,
        reference: reference ?? null,
        original: null,
        amount: euros(12_345),
        direction: "in",
        fee: euros(370),
        net: euros(11_975),
        payout: "1",
        bookedAt: noon
      })
      assert.deepStrictEqual(returned, {
        id: returned?.id ?? "",
        type: "refund",
        operation: refunding.id,
        reference: refunded.reference ?? null,
        original: reference ?? null,
        amount: euros(345),
        direction: "out",
        fee: null,
        net: euros(345),
        payout: "1",
        bookedAt: noon
      })
    })
  )

  it.effect("has each capture of what was held, by its own reference", () =>
    Effect.gen(function* () {
      const { capture, create, read } = yield* opened()
      const created = operation({ captureMethod: "manual" })
      const { reference = null } = yield* create(created)
      const first = later("capture", created, reference ?? null, { amount: euros(5_000) })
      const second = later("capture", created, reference ?? null, { amount: euros(1_000) })
      const references = [(yield* capture(first)).reference, (yield* capture(second)).reference]
      const movements = yield* read()
      assert.deepStrictEqual(
        movements.map((each) => [each.type, each.operation, each.reference, each.original, each.amount.minorUnits]),
        [
          ["capture", first.id, references[0], reference, 5_000],
          ["capture", second.id, references[1], reference, 1_000]
        ]
      )
    })
  )

  it.effect("names the payment of a refund from the dashboard, and has no name of ours for what others did", () =>
    Effect.gen(function* () {
      const { create, read, report, vendor } = yield* opened()
      const { reference = null } = yield* create(operation())
      const [payment] = vendor.ledger.payments()
      vendor.ledger.refund(payment?.id ?? "", 100)
      yield* read()
      report(2, settled)
      const [foreign, , refund] = yield* read()
      assert.deepInclude(refund, { type: "refund", operation: null, original: reference })
      assert.deepInclude(foreign, { type: "payment", operation: null, reference: "8835000000000001", original: null })
      assert.strictEqual(reference, pspOf(payment?.id ?? ""))
    })
  )

  it.effect("names what belongs to a payment, and what belongs to none", () =>
    Effect.gen(function* () {
      const { read, report } = yield* opened()
      const ofAccount = without(
        settled,
        "Psp Reference",
        "Merchant Reference",
        "Gross Currency",
        "Gross Credit (GC)",
        "Markup (NC)",
        "Scheme Fees (NC)",
        "Interchange (NC)"
      )
      const out = { ...without(ofAccount, "Net Credit (NC)"), "Net Debit (NC)": "4.88" }
      report(
        1,
        settled,
        { ...debit(settled), Type: "Refunded" },
        { ...settled, Type: "RefundedReversed" },
        { ...debit(settled), Type: "Chargeback" },
        { ...settled, Type: "ChargebackReversed" },
        { ...debit(settled), Type: "SecondChargeback" },
        { ...out, Type: "Fee", "Modification Reference": "Transaction Fees November, 2026" },
        { ...out, Type: "Fee", "Modification Reference": "Transaction Fees November, 2026" },
        { ...out, Type: "InvoiceDeduction" },
        { ...ofAccount, Type: "DepositCorrection" },
        { ...out, Type: "Balancetransfer", "Net Debit (NC)": "0.00" },
        { ...out, Type: "MerchantPayout" }
      )
      const movements = yield* read()
      assert.deepStrictEqual(
        movements.map((each) => [each.type, each.direction, each.amount.minorUnits, each.fee?.minorUnits ?? null]),
        [
          ["payment", "in", 500, 12],
          ["refund", "out", 500, 750],
          ["refund_failed", "in", 500, 12],
          ["dispute", "out", 500, 750],
          ["dispute_reversed", "in", 500, 12],
          ["dispute", "out", 500, 750],
          ["fee", "out", 488, null],
          ["fee", "out", 488, null],
          ["adjustment", "out", 488, null],
          ["adjustment", "in", 488, null],
          ["payout", "out", 488, null]
        ]
      )
      assert.strictEqual(new Set(movements.map(({ id }) => id)).size, movements.length)
    })
  )

  it.effect("has no fee if there is an amount that may be a part of it, and is not counted", () =>
    Effect.gen(function* () {
      const { read, report } = yield* opened()
      report(
        1,
        { ...settled, "DCC Markup (NC)": "0.02", "Modification Reference": "A" },
        { ...settled, "Advanced (NC)": "-0.02", "Modification Reference": "B" },
        { ...settled, "Advanced (NC)": "some", "Modification Reference": "C" },
        { ...settled, "DCC Markup (NC)": "0.00", "Advanced (NC)": "0", "Modification Reference": "D" }
      )
      assert.deepStrictEqual(
        (yield* read()).map(({ fee }) => fee?.minorUnits),
        [undefined, undefined, undefined, 12]
      )
    })
  )

  it.effect("has each other type as an adjustment, if it names no operation of ours and has an amount", () =>
    Effect.gen(function* () {
      const { read, report } = yield* opened()
      const nothing = without(settled, "Gross Credit (GC)", "Net Credit (NC)")
      report(
        1,
        { ...settled, Type: "SettledInstallment" },
        { ...debit(settled), Type: "SettledReversed" },
        { ...debit(settled), Type: "ReserveAdjustment", "Gross Debit (GC)": "0.00" },
        { ...settled, Type: "InternalCompanyPayout" },
        { ...debit(settled), Type: "AuthorisationSchemeFee" },
        { ...debit(settled), Type: "SettleCost" },
        { ...settled, Type: "SettledTwice", "Gross Credit (GC)": "0.00", "Net Credit (NC)": "0.00" },
        { ...nothing, Type: "SettledTwice" },
        { ...nothing, Type: "Fee" }
      )
      assert.deepStrictEqual(
        (yield* read()).map((each) => [each.id, each.type, each.direction, each.amount.minorUnits, each.reference]),
        [
          ["SettledInstallment 1 1", "adjustment", "in", 500, null],
          ["SettledReversed 1 2", "adjustment", "out", 500, null],
          ["ReserveAdjustment 1 3", "adjustment", "out", 1_250, null],
          ["InternalCompanyPayout 1 4", "adjustment", "in", 500, null],
          ["AuthorisationSchemeFee 1 5", "fee", "out", 500, null],
          ["SettleCost 1 6", "fee", "out", 500, null]
        ]
      )
    })
  )

  for (const name of ["Merchant Reference", "Modification Merchant Reference"] as const) {
    it.effect(`ends with an unknown type if ${name} is an operation of ours`, () =>
      Effect.gen(function* () {
        const { read, report } = yield* opened()
        report(1, { ...settled, Type: "SettledInstallment", [name]: operation().id })
        const { reason } = yield* Effect.flip(read())
        const detail = reason._tag === "InvalidRequest" ? reason.detail : ""
        assert.strictEqual(detail, "batch 1: line 2 has the unknown type SettledInstallment")
      })
    )
  }

  it.effect("reads amounts by the decimals of their currency, and fees below zero and of more decimals", () =>
    Effect.gen(function* () {
      const { read, report } = yield* opened()
      const yen = {
        "Gross Currency": "JPY",
        "Gross Credit (GC)": "500",
        "Net Currency": "USD",
        "Net Credit (NC)": "3.1"
      }
      report(
        1,
        { ...settled, ...yen, "Modification Reference": "A" },
        { ...settled, "Gross Currency": "KWD", "Gross Credit (GC)": "5.125", "Modification Reference": "B" },
        { ...settled, "Interchange (NC)": "-0.07", "Modification Reference": "C" },
        { ...settled, "Interchange (NC)": "-0.01", "Modification Reference": "D" },
        { ...settled, "Interchange (NC)": "0.0754", "Modification Reference": "E" },
        { ...settled, "Interchange (NC)": "0.0754", "Net Credit (NC)": "4.87", "Modification Reference": "F" }
      )
      const found = yield* read()
      assert.deepStrictEqual<unknown>(
        found.map(({ amount, fee, net }) => [amount.minorUnits, fee?.minorUnits, net?.currency]),
        [
          [500, 12, "USD"],
          [5_125, 12, "EUR"],
          [500, -2, "EUR"],
          [500, 4, "EUR"],
          [500, 12, "EUR"],
          [500, 13, "EUR"]
        ]
      )
    })
  )

  for (const end of ["\n", "\r\n"]) {
    it.effect(`reads a report of many lines, which end with ${JSON.stringify(end)}, page by page`, () =>
      Effect.gen(function* () {
        // With the columns in another order, and others.
        const { read, statement, vendor } = yield* opened()
        const lines = Array.from({ length: 2_500 }, (_, number) => ({
          ...settled,
          "Merchant Reference": number % 3 === 0 ? `"Zoë ""Z"", ${number}\r\n"` : "€",
          "Modification Reference": `MOD${number}`
        }))
        const names = ["New, Column", ...Object.keys(settled).toReversed(), "Gross Debit (GC)", "Net Debit (NC)"]
        const text = [
          names.map((name) => `"${name}"`).join(","),
          ...lines.map((line) =>
            names.map((name) => Object.entries(line).find(([key]) => key === name)?.[1] ?? "").join(",")
          )
        ]
        setReport(vendor.ledger, 1, `\uFEFF${text.join(end)}${end}`)
        const movements = yield* read()
        assert.strictEqual(new Set(movements.map(({ id }) => id)).size, 2_500)
        const { movements: first, next } = yield* statement({ ...range, cursor: null })
        assert.lengthOf(first, 1_000)
        assert.deepStrictEqual(
          yield* statement({ ...range, cursor: next }),
          yield* statement({ ...range, cursor: next })
        )
      })
    )
  }
})

/** In CET, an hour ahead of noon. */
const dated = (daysAgo: number, line: ReportLine = settled): ReportLine => ({
  ...line,
  "Creation Date": `${new Date(noon - daysAgo * day).toISOString().slice(0, 10)} 13:00:00`
})

const payout = (daysAgo: number): ReportLine => ({
  ...dated(daysAgo),
  Type: "MerchantPayout",
  "Psp Reference": "",
  "Merchant Reference": "",
  "Modification Reference": "",
  "Gross Currency": "",
  "Gross Credit (GC)": "",
  "Net Credit (NC)": "",
  "Net Debit (NC)": "9.00"
})

describe("the batches", () => {
  const at = (batch: number, date: string): readonly [number, ReportLine] => [
    batch,
    { ...settled, "Creation Date": `${date} 13:00:00`, "Modification Reference": `MOD${batch}` }
  ]

  it.effect("are read from the newest back to those before the range, and no others", () =>
    Effect.gen(function* () {
      const { files, read, report } = yield* opened()
      for (let batch = 1; batch <= 20; batch += 1) {
        const daysAgo = (20 - batch) * 3
        report(batch, { ...dated(daysAgo + 2), "Modification Reference": `MOD${batch}` }, payout(daysAgo))
      }
      const movements = yield* read({ since: noon - 6 * day, until: noon })
      assert.deepStrictEqual(
        movements.map(({ bookedAt, id }) => [id, (noon - bookedAt) / day]),
        [
          ["Settled MOD19 19", 3],
          ["MerchantPayout 19 2", 3],
          ["Settled MOD18 18", 6],
          ["MerchantPayout 18 2", 6]
        ]
      )
      const downloaded = new Set(yield* files)
      assert.includeMembers([...downloaded], ["21 404", "22 404", "23 404", "20 200", "15 200"])
      // A week more than the range.
      assert.isFalse([14, 13, 12, 11, 10, 9].some((batch) => downloaded.has(`${batch} 200`)))
    })
  )

  it.effect("are booked as a whole when they are paid out, however old their lines are", () =>
    Effect.gen(function* () {
      const { read, report } = yield* opened()
      report(1, dated(50), payout(40))
      report(2, { ...dated(90), Type: "ChargebackReversed" }, dated(39), payout(2), dated(1))
      const movements = yield* read()
      assert.deepStrictEqual(
        movements.map(({ bookedAt, payout: batch, type }) => [type, batch, (noon - bookedAt) / day]),
        [
          ["dispute_reversed", "2", 2],
          ["payment", "2", 2],
          ["payout", "2", 2],
          ["payment", "2", 2]
        ]
      )
      assert.isEmpty(yield* read({ since: noon - day, until: noon }))
    })
  )

  it.effect("are no end if they have no lines, or old ones without a payout", () =>
    Effect.gen(function* () {
      const { read, report } = yield* opened()
      report(1, { ...dated(6), "Modification Reference": "MOD1" }, payout(5))
      report(2)
      report(3, { ...dated(50), Type: "ChargebackReversed", "Modification Reference": "MOD3" })
      report(4)
      const since = noon - 6 * day
      assert.deepStrictEqual(
        (yield* read({ since, until: noon })).map(({ bookedAt, id }) => [id, (noon - bookedAt) / day]),
        [
          ["ChargebackReversed MOD3 3", 5],
          ["Settled MOD1 1", 5],
          ["MerchantPayout 1 2", 5]
        ]
      )
      assert.isEmpty(yield* read({ since, until: noon - 5 * day }))
    })
  )

  it.effect("without a payout are booked with their newest line", () =>
    Effect.gen(function* () {
      const { files, read, report } = yield* opened()
      report(1, dated(60))
      report(2, dated(1), { ...dated(4), "Modification Reference": "MOD4" })
      assert.deepStrictEqual(
        (yield* read()).map(({ bookedAt }) => (noon - bookedAt) / day),
        [1, 1]
      )
      assert.includeMembers([...(yield* files)], ["1 200"])
    })
  )

  for (const [zone, hours] of [
    ["UTC", 1],
    ["CEST", -1],
    ["EST", 6],
    ["ACST", -8.5]
  ] as const) {
    it.effect(`are closed at the time of their zone ${zone}`, () =>
      Effect.gen(function* () {
        const { read, report } = yield* opened()
        report(1, { ...settled, TimeZone: zone })
        const [movement] = yield* read()
        assert.strictEqual((movement?.bookedAt ?? 0) - noon, hours * 60 * 60_000)
      })
    )
  }

  for (const [zone, hours] of [
    ["CST", 7],
    ["XYZ", 7],
    // The abbreviation is known.
    ["CEST", -1]
  ] as const) {
    it.effect(`are closed at the time of America/Chicago if it is configured, and their zone is ${zone}`, () =>
      Effect.gen(function* () {
        const { read, report } = yield* opened(1, "America/Chicago")
        report(1, { ...settled, TimeZone: zone })
        const [movement] = yield* read()
        assert.strictEqual((movement?.bookedAt ?? 0) - noon, hours * 60 * 60_000)
      })
    )
  }

  for (const timeZone of ["", "CST", "IST", "BST", "+05:30", "America/Nowhere", "SystemV/CST6", "america/chicago;"]) {
    it(`have no zone ${JSON.stringify(timeZone)}`, () => {
      const options = {
        environment: "test",
        apiKey: "k",
        merchantAccount: "Shop",
        hmacKeys: ["44".repeat(32)]
      } as const
      assert.throws(() => adyen({ ...options, reports: { apiKey: "r", timeZone } }), /IANA/)
    })
  }

  it.effect("begin with the one that is configured", () =>
    Effect.gen(function* () {
      const { files, read, report } = yield* opened(3)
      for (const batch of [2, 3, 4]) report(...at(batch, "2026-11-20"))
      assert.lengthOf(yield* read(), 2)
      assert.isFalse((yield* files).includes("2 200"))
    })
  )

  it.effect("without a first one are a fault of the configuration, and no end", () =>
    Effect.gen(function* () {
      const { read, report } = yield* opened(3)
      report(...at(2, "2026-11-20"))
      assert.strictEqual((yield* Effect.flip(read())).reason._tag, "Misconfigured")
    })
  )

  it.effect("with one missing are refused", () =>
    Effect.gen(function* () {
      const newer = yield* opened()
      for (const batch of [1, 2, 4]) newer.report(...at(batch, "2026-11-20"))
      assert.deepInclude((yield* Effect.flip(newer.read())).reason, {
        _tag: "InvalidRequest",
        detail: "settlement_detail_report_batch_3.csv is missing"
      })
      const older = yield* opened()
      for (const batch of [1, 3, 4, 5]) older.report(...at(batch, "2026-11-20"))
      const error = yield* Effect.flip(older.statement({ ...range, cursor: `${range.since} ${range.until} 2 0 0 end` }))
      assert.strictEqual(error.reason._tag, "InvalidRequest")
    })
  )
})

describe("what is no report", () => {
  const reply = (answer: FakeAnswer): Fault => ({ executed: false, reply: answer })
  const text = (file: string): Fault => reply({ status: 200, text: file })
  const line = (change: ReportLine, ...left: ReadonlyArray<keyof ReportLine>): Fault =>
    text(csv([without({ ...settled, ...change }, ...left)]))
  const column = (name: string): Fault => text(csv([settled]).replace(name, "Another"))
  const faults: { readonly [what: string]: readonly [Fault, "RateLimited" | "InvalidRequest" | "Misconfigured"] } = {
    "a server error": [reply({ status: 500 }), "RateLimited"],
    "too many requests": [reply({ status: 429 }), "RateLimited"],
    "a refused key": [reply({ status: 401 }), "Misconfigured"],
    "a key without the role": [reply({ status: 403 }), "Misconfigured"],
    "a redirect to a page": [reply({ status: 302, headers: { location: "/login" } }), "RateLimited"],
    "a reset": [{ executed: true, reply: "reset" }, "RateLimited"],
    "half a file": [{ executed: true, reply: "half_body" }, "RateLimited"],
    "an empty file": [text(""), "InvalidRequest"],
    "a page of a browser": [text("<!DOCTYPE html>\n<html></html>\n"), "InvalidRequest"],
    "a file without Type": [column("Type"), "InvalidRequest"],
    "a file without Modification Reference": [column("Modification Reference"), "InvalidRequest"],
    "a file without Gross Debit": [column("Gross Debit (GC)"), "InvalidRequest"],
    "a column that is there twice": [text(csv([settled]).replace("Reserved4", "Type")), "InvalidRequest"],
    "a line with a column more": [text(csv([settled]).replace(/\r\n$/, ",more\r\n")), "InvalidRequest"],
    "a line that is cut off": [text(csv([settled, settled]).slice(0, -40)), "InvalidRequest"],
    "a quote that is not closed": [text(csv([settled]).replace("1001", '"1001')), "InvalidRequest"],
    "a type that is no word": [line({ Type: "Settled twice" }), "InvalidRequest"],
    "no type": [line({ Type: "" }), "InvalidRequest"],
    "an unknown type without a readable amount": [
      line({ Type: "SettledTwice", "Gross Credit (GC)": "5,00" }),
      "InvalidRequest"
    ],
    "an unknown currency": [line({ "Gross Currency": "XQX" }), "InvalidRequest"],
    "no currency": [line({}, "Gross Currency"), "InvalidRequest"],
    "an amount with a comma": [line({ "Gross Credit (GC)": "5,00" }), "InvalidRequest"],
    "a fraction of a cent": [line({ "Gross Credit (GC)": "5.005" }), "InvalidRequest"],
    "a negative amount": [line({ "Gross Credit (GC)": "-5.00" }), "InvalidRequest"],
    "a fee that is no number": [line({ "Markup (NC)": "free" }), "InvalidRequest"],
    "both a debit and a credit": [line({ "Gross Debit (GC)": "5.00" }), "InvalidRequest"],
    "a payment without an amount": [line({}, "Gross Credit (GC)"), "InvalidRequest"],
    "a payment that is a debit": [text(csv([debit(settled)])), "InvalidRequest"],
    "a refund that is a credit": [line({ Type: "Refunded" }), "InvalidRequest"],
    "an unknown time zone": [line({ TimeZone: "IST" }), "InvalidRequest"],
    "a time of another form": [line({ "Creation Date": "20/11/2026 13:00" }), "InvalidRequest"],
    "another merchant account": [line({ "Merchant Account": "ShopOther" }), "InvalidRequest"],
    "another batch": [line({ "Batch Number": "2" }), "InvalidRequest"]
  }
  for (const [what, [fault, reason]] of Object.entries(faults)) {
    it.effect(`${what} is ${reason}`, () =>
      Effect.gen(function* () {
        const { report, statement, vendor } = yield* opened()
        report(1, settled)
        yield* vendor.network.failNext(fault)
        const error = yield* Effect.flip(statement({ ...range, cursor: null }))
        assert.isTrue(isProviderError(error))
        assert.strictEqual(error.reason._tag, reason)
      })
    )
  }

  it.effect("is named with its batch and line, and without what stands in it", () =>
    Effect.gen(function* () {
      const { report, statement } = yield* opened()
      report(1, settled, { ...settled, Type: "secret of a payer" })
      const { reason } = yield* Effect.flip(statement({ ...range, cursor: null }))
      const detail = reason._tag === "InvalidRequest" ? reason.detail : ""
      assert.strictEqual(detail, "batch 1: line 3 has the unknown type that cannot be shown")
    })
  )

  for (const [what, file] of Object.entries({
    "cut off": csv([settled]).slice(0, -40),
    "of another account": csv([{ ...settled, "Merchant Account": "ShopOther" }]),
    "of another batch": csv([{ ...settled, "Batch Number": "2" }])
  })) {
    it.effect(`a report that was read once, and is ${what} when it is read again, is InvalidRequest`, () =>
      Effect.gen(function* () {
        const { read, report, vendor } = yield* opened()
        report(1, settled)
        assert.lengthOf(yield* read(), 1)
        setReport(vendor.ledger, 1, file)
        assert.strictEqual((yield* Effect.flip(read())).reason._tag, "InvalidRequest")
      })
    )
  }

  it.effect("in an unknown zone is named with the option that says which one it is", () =>
    Effect.gen(function* () {
      const { report, statement } = yield* opened()
      report(1, { ...settled, TimeZone: "CST" })
      const { reason } = yield* Effect.flip(statement({ ...range, cursor: null }))
      const detail = reason._tag === "InvalidRequest" ? reason.detail : ""
      assert.strictEqual(detail, "batch 1: line 2 has the unknown TimeZone CST: set the option reports.timeZone")
    })
  )

  it.effect("no answer in time is RateLimited", () =>
    Effect.gen(function* () {
      const { statement, vendor } = yield* opened()
      yield* vendor.network.failNext({ executed: false, reply: "never" })
      const reading = yield* Effect.forkChild(Effect.flip(statement({ ...range, cursor: null })))
      while ((yield* vendor.network.requests).length === 0) yield* Effect.promise(nextTurn)
      yield* TestClock.adjust("50 seconds")
      assert.strictEqual((yield* Fiber.join(reading)).reason._tag, "RateLimited")
    })
  )

  it.effect("a cursor of another form or range is refused before anything is sent", () =>
    Effect.gen(function* () {
      const { statement, vendor } = yield* opened()
      const { since, until } = range
      for (const cursor of [
        "",
        "1",
        `${since} ${until}`,
        `${since} ${until} 1 0 0`,
        `${since} 1 1 0 0 end`,
        "a b c d"
      ]) {
        const error = yield* Effect.flip(statement({ ...range, cursor }))
        assert.strictEqual(error.reason._tag, "InvalidRequest")
      }
      assert.isEmpty(yield* vendor.network.requests)
    })
  )
})

describe("batches without an end", () => {
  it.effect("are an error that names the batch where the search ended", () =>
    Effect.gen(function* () {
      const { statement, vendor } = yield* opened()
      for (let each = 0; each < 40; each++) {
        yield* vendor.network.failNext({ executed: false, reply: { status: 200, text: "" } }, each)
      }
      const { reason } = yield* Effect.flip(statement({ ...range, cursor: null }))
      assert.deepInclude(reason, {
        _tag: "InvalidRequest",
        detail: "the batches have no end: settlement_detail_report_batch_262144.csv"
      })
    }).pipe(Effect.scoped)
  )
})
