/** Reports in CSV: what is read, and what is refused, each with its line. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { once } from "node:events"
import { settingsOf } from "../../src/options/PaymuxOptions.ts"
import { amountIn } from "../../src/reconcile/csv/amounts.ts"
import { csvPages } from "../../src/reconcile/csv/csvPages.ts"
import type { CsvStatement } from "../../src/reconcile/csv/CsvStatement.ts"
import { momentReader } from "../../src/reconcile/csv/dates.ts"

const folder = mkdtempSync(join(tmpdir(), "paymux-csv-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const mapping: CsvStatement = {
  columns: {
    id: "Id",
    type: "Type",
    amount: "Amount",
    currency: "Currency",
    bookedAt: "Date",
    operation: "Our reference",
    fee: "Fee"
  },
  types: { Sale: "payment", Refund: "refund", Fee: "fee", Note: "skip" },
  dates: { format: "DD/MM/YYYY HH:mm", zone: "Asia/Kolkata" },
  amounts: { unit: "major", thousands: "," }
}

const header = "Id,Type,Amount,Currency,Date,Our reference,Fee"
const line = (n: number) => `t${n},Sale,"1,200.00",INR,26/11/2026 10:30,op_${n},24.5`

const write = (content: string | Buffer): string => {
  const file = join(folder, `${Math.trunc(performance.now() * 1000)}.csv`)
  writeFileSync(file, content)
  return file
}

const read = async (content: string | Buffer, with_: CsvStatement = mapping) => {
  const movements = []
  for await (const page of csvPages(write(content), with_)) {
    movements.push(...page.movements)
    if (page.fault !== null) return { movements, fault: page.fault }
  }
  return { movements, fault: null }
}

describe("a report in CSV", () => {
  it("is read with its zone, separators, types and currency", async () => {
    const rest =
      'r1,Refund,-300.5,INR,26/11/2026 00:00,,\nn1,Note,,,,,\nf1,Fee,"-1,00,000",JPY,01/01/2026 00:00,,\nf2,Fee,0,INR,01/01/2026 00:00,,\n'
    const { fault, movements } = await read(`\ufeff${header}\r\n${line(1)}\n${rest}`)
    assert.isNull(fault)
    assert.deepStrictEqual(
      movements.map(({ amount, bookedAt, direction, id, type }) => [id, type, amount.minorUnits, direction, bookedAt]),
      [
        ["t1", "payment", 120_000, "in", Date.UTC(2026, 10, 26, 5, 0)],
        ["r1", "refund", 30_050, "out", Date.UTC(2026, 10, 25, 18, 30)],
        ["f1", "fee", 100_000, "out", Date.UTC(2025, 11, 31, 18, 30)]
      ]
    )
    assert.deepInclude(movements[0], { operation: "op_1", fee: { minorUnits: 2450, currency: "INR" as never } })
    assert.isNull(movements[1]?.operation ?? null)
  })

  it("has fees of any sign and of more decimals than the currency: the net amount shows what was given back", async () => {
    const settled = { ...mapping, columns: { ...mapping.columns, net: "Net" } }
    const lines = [
      ["Sale", "100", "2", "98"],
      ["Sale", "100", "-2", "98"],
      ["Sale", "100", "-2", "102"],
      ["Refund", "-100", "-2", "-98"],
      ["Refund", "-100", "2", "-102"],
      ["Sale", "100", "2.0149", "97.98"],
      ["Sale", "100", "2.015", "97.98"],
      ["Sale", "100", "2.0151", "97.99"],
      ["Sale", "100", "-2", ""],
      ["Sale", "100", "2.5", "98"]
    ].map(([type, amount, fee, net], n) => `t${n},${type},${amount},EUR,26/11/2026 10:30,,${fee},${net}`)
    const { fault, movements } = await read(`${header},Net\n${lines.join("\n")}`, settled)
    assert.isNull(fault)
    assert.deepStrictEqual(
      movements.map(({ fee }) => fee?.minorUnits),
      [200, 200, -200, -200, 200, 202, 202, 201, 200, 250]
    )
    const paise = { ...settled, amounts: { unit: "minor" } } as const
    const minor = await read(`${header},Net\nt1,Sale,10000,INR,26/11/2026 10:30,,236.4,9764`, paise)
    assert.deepEqual(minor.movements[0]?.fee, { minorUnits: 236, currency: "INR" } as never)
  })

  const cases: ReadonlyArray<readonly [string, string | Buffer, RegExp, number]> = [
    ["an empty file", "", /The file is empty/, 0],
    [
      "a missing column",
      `Id,Type,Amount,Currency,When,Our reference,Fee\n${line(1)}`,
      /^Line 1 has no column "Date"; it has "Id", "Type"/,
      0
    ],
    [
      "a column that is there twice",
      `${header},Amount\n${line(1)},5`,
      /^Line 1 has the column "Amount" more than once/,
      0
    ],
    ["a truncated line", `${header}\n${line(1)}\nt2,Sale,"1,2`, /^Line 3 begins a quote that is not closed/, 1],
    ["a line without its end", `${header}\n${line(1)}\nt2,Sale,5`, /^Line 3 has another number of columns/, 1],
    [
      "a quote in a cell",
      `${header}\n${line(1)}\nt2,Sa"le,5,INR,26/11/2026 10:30,,`,
      /^Line 3 has a quote within a cell/,
      1
    ],
    [
      "an unknown type",
      `${header}\n${line(1)}\n=1+1,=HYPERLINK(),5,INR,26/11/2026 10:30,,`,
      /^Line 3 has the unknown type "=HYPERLINK\(\)"/,
      1
    ],
    [
      "a formula as an amount",
      `${header}\n${line(1)}\nt2,Sale,=1+1,INR,26/11/2026 10:30,,`,
      /^Line 3 has no amount/,
      1
    ],
    [
      "a misplaced separator",
      `${header}\n${line(1)}\nt2,Sale,"1,20",INR,26/11/2026 10:30,,`,
      /^Line 3 has no amount/,
      1
    ],
    [
      "an unknown currency",
      `${header}\n${line(1)}\nt2,Sale,5,XXQ,26/11/2026 10:30,,`,
      /^Line 3 has no known currency: "XXQ"/,
      1
    ],
    [
      "a date of another format",
      `${header}\n${line(1)}\nt2,Sale,5,INR,2026-11-26,,`,
      /^Line 3 has no time of the format DD/,
      1
    ],
    ["a day that does not exist", `${header}\n${line(1)}\nt2,Sale,5,INR,30/02/2026 10:30,,`, /^Line 3 has no time/, 1],
    [
      "a negative payment",
      `${header}\n${line(1)}\nt2,Sale,-5,INR,26/11/2026 10:30,,`,
      /^Line 3 is a payment with a negative amount/,
      1
    ],
    ["a line without an id", `${header}\n${line(1)}\n,Sale,5,INR,26/11/2026 10:30,,`, /^Line 3 has no id/, 1],
    ["a fee that is no amount", `${header}\n${line(1)}\nt2,Sale,5,INR,26/11/2026 10:30,,x`, /^Line 3 has no fee/, 1],
    [
      "a control sequence of a terminal",
      `${header}\n${line(1)}\nt2,\u009b2J,5,INR,26/11/2026 10:30,,`,
      /^Line 3 has the unknown type "\\u009b2J"/,
      1
    ],
    ["UTF-16", Buffer.from(`\ufeff${header}`, "utf16le"), /The file is UTF-16/, 0],
    ["UTF-16 without a mark", Buffer.from(header, "utf16le"), /The file is UTF-16/, 0],
    [
      "Latin 1",
      Buffer.concat([Buffer.from(`${header}\n${line(1)}\n`), Buffer.from([0xe9, 0x0a])]),
      /^Line 3 is not valid UTF-8/,
      1
    ],
    [
      "a huge line",
      `${header}\n${line(1)}\nt2,Sale,5,INR,26/11/2026 10:30,${"x".repeat(1_100_000)},`,
      /^Line 3 is longer than 1000000/,
      1
    ]
  ]
  for (const [name, content, fault, entered] of cases) {
    it(`is refused with ${name}; what stands before is read`, async () => {
      const found = await read(content)
      assert.match(String(found.fault), fault)
      assert.lengthOf(found.movements, entered)
    })
  }

  it("of another provider has an amount in each direction, an id of two columns, and semicolons", async () => {
    const other: CsvStatement = {
      ...mapping,
      columns: {
        id: ["Psp", "Type"],
        type: "Type",
        amount: { credit: "Credit", debit: "Debit" },
        currency: { fixed: "EUR" },
        bookedAt: "Date"
      },
      dates: { format: "iso" },
      amounts: { unit: "major", decimal: ",", thousands: "." },
      delimiter: ";"
    }
    const { fault, movements } = await read(
      "Psp;Type;Credit;Debit;Date\n8A;Sale;1.200,5;;2026-11-26T10:00:00+01:00\n8A;Refund;;12,00;2026-11-26T10:00:00Z\n8B;Sale;;5;2026-11-26T10:00:00Z\n",
      other
    )
    assert.deepStrictEqual(
      movements.map(({ amount, direction, id }) => [id, amount.minorUnits, direction]),
      [
        ["8A Sale", 120_050, "in"],
        ["8A Refund", 1200, "out"]
      ]
    )
    assert.match(String(fault), /^Line 4 is a payment with a negative amount/)
    const both = await read("Psp;Type;Credit;Debit;Date\n8A;Sale;5;3;2026-11-26T10:00:00Z\n", other)
    assert.match(String(both.fault), /^Line 2 has no amount of the configured form in "Credit", "Debit"/)
    const reversed = await read("Psp;Type;Credit;Debit;Date\n8A;Refund;5;;2026-11-26T10:00:00Z\n", other)
    assert.match(String(reversed.fault), /^Line 2 is a refund in the column of credits, "Credit"/)
  })

  it("is read in pages, however long it is", async () => {
    const file = join(folder, "long.csv")
    const out = createWriteStream(file)
    out.write(`${header}\n`)
    for (let n = 0; n < 20_000; n++) if (!out.write(`${line(n)}\n`)) await once(out, "drain")
    out.end()
    await once(out, "finish")
    const sizes = []
    for await (const { movements } of csvPages(file, mapping)) sizes.push(movements.length)
    assert.deepStrictEqual(new Set(sizes), new Set([1000, 0]))
    assert.lengthOf(sizes, 21)
  })

  it("that is not there is refused", async () => {
    for await (const { fault } of csvPages(join(folder, "none.csv"), mapping)) {
      assert.strictEqual(fault, "The file was not found.")
    }
  })
})

describe("an amount", () => {
  it("is read exactly in the digits of its currency", () => {
    const major = { unit: "major" } as const
    const cases = [
      ["0.1", major, 2, 10],
      ["12.3400", major, 2, 1234],
      ["12.345", major, 2, null],
      ["12.345", major, 3, 12345],
      ["1e3", major, 2, null],
      ["", major, 2, null],
      ["12.", major, 2, null],
      ["99999999999999999", major, 2, null],
      ["1,200", major, 2, null],
      ["1200", { unit: "minor" }, 2, 1200],
      ["12.5", { unit: "minor" }, 2, null],
      ["1 234 567", { unit: "major", thousands: " " }, 0, 1234567],
      ["12 34 567", { unit: "major", thousands: " " }, 0, 1234567],
      ["1 2345 678", { unit: "major", thousands: " " }, 0, null],
      ["1 2 345", { unit: "major", thousands: " " }, 0, null],
      ["1234 567", { unit: "major", thousands: " " }, 0, null],
      ["1.234,5", { unit: "major", decimal: ",", thousands: "." }, 2, 123450]
    ] as const
    for (const [text, form, digits, expected] of cases) {
      assert.strictEqual(amountIn(text, form, digits)?.minorUnits ?? null, expected, text)
    }
  })
})

describe("a time", () => {
  it("is of its zone, also where clocks change", () => {
    const berlin = { format: "YYYY-MM-DD HH:mm:ss", zone: "Europe/Berlin" }
    assert.strictEqual(momentReader(berlin)("2026-07-01 12:00:00"), Date.UTC(2026, 6, 1, 10))
    assert.strictEqual(momentReader(berlin)("2026-12-01 12:00:00"), Date.UTC(2026, 11, 1, 11))
    assert.strictEqual(momentReader({ format: "DD.MM.YYYY", zone: "-03:00" })("01.12.2026"), Date.UTC(2026, 11, 1, 3))
    assert.isNull(momentReader({ format: "iso" })("2026-07-01T12:00:00"))
  })
})

describe("the option statements", () => {
  const problems = (statements: unknown): string => {
    const settings = settingsOf({ sandbox: true, statements } as never)
    return settings._tag === "Failure" ? settings.failure.message : "accepted"
  }

  it("is accepted, or refused with the place of each fault", () => {
    const cases: ReadonlyArray<readonly [unknown, RegExp]> = [
      [{ sandbox_card_a: mapping }, /^accepted$/],
      [[], /must be an object/],
      [{ acme: mapping }, /there is no provider "acme"/],
      [{ sandbox_card_a: { ...mapping, types: { Sale: "sale" } } }, /statements\.sandbox_card_a\.types\.Sale/],
      [{ sandbox_card_a: { ...mapping, dates: { format: "MM/YYYY", zone: "UTC" } } }, /pattern of YYYY/],
      [{ sandbox_card_a: { ...mapping, dates: { format: "DD/MM/YYYY", zone: "Mars" } } }, /must be a time zone/],
      [{ sandbox_card_a: { ...mapping, amounts: { unit: "major", thousands: "." } } }, /the same sign/],
      [{ sandbox_card_a: { ...mapping, more: {} } }, /more/]
    ]
    for (const [statements, message] of cases) assert.match(problems(statements), message)
  })
})
