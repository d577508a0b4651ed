/** `paymux review …` on a database in which provider reports have opened reviews. */
import { assert, describe, it } from "@effect/vitest"
import { card } from "./card.ts"
import { paymuxOnDisk } from "./PaymuxOnDisk.ts"
import { report, reportDuplicate, reportLost } from "./ProviderReports.ts"

const { commands, database, folder, paymux } = await paymuxOnDisk()
/** Charged twice more than it asked, under two references. */
const { id: duplicated } = await paymux.payments.create(card)
/** Without a review. */
const { id: paid } = await paymux.payments.create(card)
/** Failed, as its provider reported. */
const { id: declined } = await paymux.payments.create({
  ...card,
  payment_method_details: { card: { token: "tok_declined" } }
})
/** Of which 500 of 1,200 arrive. */
const { id: partial } = await paymux.payments.create({
  ...card,
  payment_method_details: { card: { token: "tok_3ds" } }
})
await paymux.close()

const said = async (...args: ReadonlyArray<string>) => {
  const yes = args[0] === "resolve" ? ["--yes"] : []
  const { code, stderr, stdout } = await commands.run(folder, "review", ...args, ...yes)
  return { code, text: stdout + stderr, stdout, stderr }
}
const listed = async () => JSON.parse((await said("list", "--json")).stdout) as Listed
const shown = async (id: string) => JSON.parse((await said("show", id, "--json")).stdout) as Shown
const proof = ["--evidence", "Refunded in the dashboard, re_88, A. Rao"]

interface Item {
  readonly id: string
  readonly reason: string
  readonly reference: string | null
  readonly amount: number
}
interface Listed {
  readonly reviews: ReadonlyArray<Item & { readonly payment: string }>
  readonly unmatched: ReadonlyArray<{ readonly [field: string]: unknown }>
}
interface Shown {
  readonly reviews: ReadonlyArray<Item>
  readonly overpayment?: number
  readonly status: string
  readonly amount_captured: number
  readonly amount_received?: number
  readonly amount_refunded: number
  readonly evidence: ReadonlyArray<{ readonly document: string | null; readonly source: string; readonly kind: string }>
}

describe("paymux review", () => {
  it("says so where nothing is open", async () => {
    const { code, stderr, stdout } = await said("list")
    assert.deepStrictEqual([code, stdout, stderr], [0, "", "No open reviews.\n"])
    assert.deepStrictEqual(await listed(), { reviews: [], unmatched: [] })
  })

  it("lists a row for each review of a payment, with provider, reference and amount", async () => {
    await reportDuplicate(database, duplicated, "ch_second")
    await reportDuplicate(database, duplicated, "ch_\u001b[31mthird", 700)
    const { reviews } = await listed()
    assert.deepStrictEqual(
      reviews.map(({ amount, payment, reason, reference }) => [payment, reason, reference, amount]),
      [
        [duplicated, "duplicate_capture", "ch_second", 1200],
        [duplicated, "duplicate_capture", "ch_\u001b[31mthird", 700]
      ]
    )
    const { stdout } = await said("list")
    const [head, ...rows] = stdout.trim().split("\n")
    assert.match(head ?? "", /^payment +review +reason +provider +reference +amount +since/)
    assert.lengthOf(rows, 2)
    assert.match(
      rows[0] ?? "",
      /^ *pay_\w+ +rev_\w+ +duplicate_capture +sandbox_card_a +ch_second +EUR 12\.00 +\d{4}-\d\d-\d\dT[\d:.]+Z/
    )
    assert.match(rows[1] ?? "", /EUR 7\.00/)
    assert.include(stdout, "ch_\\u001b[31mthird")
    assert.notInclude(stdout, "\u001b[31m")
  })

  it("lists provider reports that match no payment", async () => {
    await reportLost(database, "evt_lost")
    const { stderr, stdout } = await said("list")
    assert.include(stderr, "Provider reports that match no payment in this database:")
    assert.match(stdout, /sandbox_card_a +evt_lost +succeeded +op_01jd8w6x2vh6k9v0q3f7m5t1ac +ch_evt_lost/)
    const [unmatched] = (await listed()).unmatched
    assert.deepInclude(unmatched, {
      provider: "sandbox_card_a",
      event: "evt_lost",
      outcome: "succeeded",
      operation: "op_01jd8w6x2vh6k9v0q3f7m5t1ac",
      reference: "ch_evt_lost"
    })
    assert.match(String(unmatched?.["received_at"]), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  })

  it("shows the reviews, operations and evidence of a payment", async () => {
    const { code, stdout } = await said("show", duplicated)
    assert.strictEqual(code, 0)
    assert.include(
      stdout,
      `${duplicated}: succeeded, EUR 12.00, captured EUR 12.00, refunded EUR 0.00, overpayment EUR 19.00`
    )
    assert.match(stdout, /rev_\w+ +duplicate_capture +sandbox_card_a +ch_second +EUR 12\.00/)
    assert.match(stdout, /op_\w+ +create +requested +succeeded +EUR 12\.00 +sandbox_card_a/)
    assert.match(stdout, /webhook +succeeded +op_\w+/)
    assert.strictEqual((await shown(duplicated)).overpayment, 1900)
  })

  it("refuses in one sentence, and writes nothing", async () => {
    const before = await shown(duplicated)
    const [first, second] = before.reviews
    const [one, other] = [first?.id ?? "", second?.id ?? ""]
    const operation = /op_\w+/.exec((await said("show", duplicated)).stdout)?.[0] ?? ""
    const as = (resolution: string) => ["--as", resolution, ...proof]
    const missing = "pay_01jd8w6x2vh6k9v0q3f7m5t1ac"
    const refusals: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
      [["show", "pay_1"], "Payment pay_1 not found in account default (test mode)."],
      [["show", missing], `Payment ${missing} not found in account default (test mode).`],
      [["show", duplicated, "--live"], `Payment ${duplicated} not found in account default (live mode).`],
      [["resolve", "pay_1", one, ...as("given_back")], "Payment pay_1 not found"],
      [["resolve", missing, one, ...as("given_back")], `Payment ${missing} not found`],
      [
        ["resolve", duplicated, one, ...as("given_back"), "--account", "other"],
        "not found in account other (test mode)."
      ],
      [["resolve", duplicated, one, ...proof], "--as"],
      [["resolve", duplicated, one, ...as("refunded")], "succeeded"],
      [["resolve", duplicated, one, "--as", "given_back"], "Evidence is missing. Pass --evidence with what proves it"],
      [["resolve", duplicated, one, "--as", "given_back", "--evidence", "  "], "Evidence is missing."],
      [
        ["resolve", duplicated, ...as("given_back")],
        `Payment ${duplicated} has 2 open reviews. Pass the id of one: ${one} (duplicate_capture, EUR 12.00), ${other}`
      ],
      [
        ["resolve", duplicated, "rev_none", ...as("given_back")],
        `Payment ${duplicated} has no open review rev_none. Open reviews: ${one} (duplicate_capture, EUR 12.00), ${other}`
      ],
      [
        ["resolve", duplicated, one, ...as("dismissed")],
        `--as dismissed does not fit review ${one} (duplicate_capture). Pass --as not_done or --as given_back.`
      ],
      [
        ["resolve", duplicated, one, ...as("given_back"), "--amount", "1200"],
        "Only the resolution `succeeded` of an `amount_mismatch` takes an amount."
      ],
      [["resolve", duplicated, one, ...as("succeeded"), "--amount", "0"], "whole number of minor units"],
      [["resolve", duplicated, one, ...as("succeeded"), "--amount", "x"], "amount"],
      [["resolve", duplicated, one, ...as("succeeded")], "Pass --as not_done or --as given_back."],
      [
        ["resolve", duplicated, one, "--operation", operation, ...as("given_back")],
        "Pass a review or --operation, not both."
      ],
      [
        ["resolve", duplicated, "--operation", "op_none", ...as("succeeded")],
        `Payment ${duplicated} has no operation op_none. To list its operations: paymux review show ${duplicated}`
      ],
      [
        ["resolve", duplicated, "--operation", operation, ...as("dismissed")],
        `--as dismissed does not fit operation ${operation}.`
      ],
      [
        ["resolve", paid, ...as("succeeded")],
        `Payment ${paid} has no open review. To correct the outcome of an operation, pass --operation op_….`
      ],
      [
        ["resolve", paid, "rev_none", ...as("succeeded")],
        `Payment ${paid} has no open review rev_none. The payment has no open reviews.`
      ],
      [["list", "--database", "sqlite:nowhere.db"], "Database not found"]
    ]
    for (const [args, words] of refusals) {
      const { code, text } = await said(...args)
      assert.strictEqual(code, 1, args.join(" "))
      assert.include(text, words, args.join(" "))
    }
    assert.deepStrictEqual(await shown(duplicated), before)
  })

  it("resolves the review that is named, then the only one that is left", async () => {
    const [first, second] = (await shown(duplicated)).reviews
    const one = await said("resolve", duplicated, first?.id ?? "", "--as", "given_back", ...proof)
    assert.strictEqual(one.code, 0, one.text)
    assert.include(one.stderr, "Saved. Payment status: succeeded. Open reviews: 1.")
    const left = await shown(duplicated)
    assert.deepStrictEqual(
      [left.reviews.map(({ id }) => id), left.overpayment, left.amount_captured, left.amount_refunded],
      [[second?.id ?? ""], 700, 1200, 0]
    )
    assert.deepInclude(left.evidence.at(-1) ?? {}, { source: "operator", document: proof[1] ?? "" })

    const other = await said("resolve", duplicated, "--as", "given_back", ...proof)
    assert.strictEqual(other.code, 0, other.text)
    assert.include(other.stderr, "Saved. Payment status: succeeded. No open reviews.")
    assert.deepInclude(await shown(duplicated), { reviews: [], amount_captured: 1200, amount_refunded: 0 })
    assert.notProperty(await shown(duplicated), "overpayment")

    const again = await said("resolve", duplicated, first?.id ?? "", "--as", "given_back", ...proof)
    assert.strictEqual(again.code, 1)
    const resolved = `Review ${first?.id} was resolved at \\d{4}-[\\dT:.-]+Z as given_back\\.`
    assert.match(again.text, new RegExp(`${resolved} The payment has no open reviews\\.`))
  })

  it("says when and how a review was resolved", async () => {
    await report(database, paid, () => ({ _tag: "CaptureFailed" }))
    const [only] = (await shown(paid)).reviews
    const id = only?.id ?? ""
    assert.strictEqual(only?.reason, "capture_failed")
    const refused = await said("resolve", paid, "--as", "given_back", ...proof)
    assert.include(refused.text, "(capture_failed). Pass --as")
    assert.include(refused.text, "--as dismissed")
    assert.strictEqual((await said("resolve", paid, "--as", "dismissed", ...proof)).code, 0)
    const again = await said("resolve", paid, id, "--as", "dismissed", ...proof)
    assert.strictEqual(again.code, 1)
    assert.match(again.text, new RegExp(`Review ${id} was resolved at \\d{4}-[\\dT:.-]+Z as dismissed\\.`))
  })

  it("corrects the outcome of an operation that has no review", async () => {
    assert.deepInclude(await shown(declined), { status: "failed", amount_captured: 0, reviews: [] })
    const operation = /(op_\w+) +create/.exec((await said("show", declined)).stdout)?.[1] ?? ""
    const wrong = await said("resolve", declined, "--operation", operation, "--as", "given_back", ...proof)
    assert.include(wrong.text, `--as given_back does not fit operation ${operation}. Pass --as succeeded.`)
    const corrected = await said("resolve", declined, "--operation", operation, "--as", "succeeded", ...proof)
    assert.strictEqual(corrected.code, 0, corrected.text)
    assert.deepInclude(await shown(declined), { status: "succeeded", amount_captured: 1200, reviews: [] })
    const again = await said("resolve", declined, "--operation", operation, "--as", "succeeded", ...proof)
    assert.strictEqual(again.code, 1)
    assert.include(again.text, `--as succeeded does not fit operation ${operation}.`)
  })

  it("names the consequences, and accepts another amount only with the amount and a reason", async () => {
    await report(database, partial, (amount) => ({
      _tag: "Succeeded",
      amount: { ...amount, minorUnits: 500 },
      reference: "ch_partial"
    }))
    const before = await shown(partial)
    const resolve = (...more: ReadonlyArray<string>) => said("resolve", partial, "--as", "succeeded", ...proof, ...more)
    const asked = await commands.run(folder, "review", "resolve", partial, "--as", "succeeded", ...proof)
    assert.strictEqual(asked.code, 1)
    assert.include(asked.stderr, "A resolution cannot be undone. Not an interactive terminal: pass --yes to confirm.")
    for (const [more, words] of [
      [
        [],
        "The provider has EUR 5.00, and EUR 12.00 was requested. To accept it, pass exactly this amount and a reason."
      ],
      [["--accept", "1200", "--reason", "x"], "The accepted amount must be exactly the amount that the provider has."],
      [["--accept", "500", "--reason", " "], "Accepting another amount than requested needs a reason"],
      [["--accept", "500"], "Pass --accept and --reason together."],
      [["--reason", "x"], "Pass --accept and --reason together."],
      [["--amount", "400"], "The provider has reported more than this amount."]
    ] as const) {
      const { code, text } = await resolve(...more)
      assert.strictEqual(code, 1, more.join(" "))
      assert.include(text, words, more.join(" "))
    }
    assert.deepStrictEqual(await shown(partial), before)
    const { code, stderr } = await resolve("--accept", "500", "--reason", "Paid the rest in cash")
    assert.strictEqual(code, 0, stderr)
    for (const line of [
      "Payment status: pending, then succeeded",
      "Captured: EUR 0.00, then EUR 5.00",
      "Received, as the events show it: EUR 5.00",
      "Events: payment.succeeded, payment.review_resolved",
      "Accepts EUR 5.00 of the requested EUR 12.00"
    ]) {
      assert.include(stderr, line)
    }
    assert.deepInclude(await shown(partial), { status: "succeeded", amount_captured: 500, amount_received: 500 })
  })

  it("is no part of `paymux payments`", async () => {
    assert.strictEqual((await commands.run(folder, "payments", "review")).code, 1)
  })
})
