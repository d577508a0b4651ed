/** `paymux disputes …` on a database with a paid payment. */
import { assert, describe, it } from "@effect/vitest"
import { card } from "./card.ts"
import { paymuxOnDisk } from "./PaymuxOnDisk.ts"

const { commands, folder, paymux } = await paymuxOnDisk()
const { id } = await paymux.payments.create(card)
await paymux.close()

const said = async (...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await commands.run(folder, "disputes", "record", ...args)
  return { code, stderr, stdout }
}
const proof = ["--evidence", "Letter of the acquirer, 3 May, read by A. Rao"]

describe("paymux disputes record", () => {
  it("records a dispute, then its end, and prints the payment", async () => {
    const opened = await said(
      id,
      "--as",
      "open",
      "--reference",
      "dp_1",
      "--amount",
      "500",
      "--currency",
      "EUR",
      ...proof
    )
    assert.deepStrictEqual([opened.code, opened.stderr], [0, "Saved.\n"])
    assert.deepInclude(JSON.parse(opened.stdout), { id, amount_disputed: 500, amount_captured: 1200 })
    const lost = await said(id, "--as", "lost", "--reference", "dp_1", ...proof)
    const [dispute] = JSON.parse(lost.stdout).disputes
    assert.deepInclude(dispute, { reference: "dp_1", amount: 500, status: "lost", source: "operator" })
  })

  it("refuses what cannot be true, with a sentence and exit code 1", async () => {
    const refusals: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
      [
        ["--as", "open", "--reference", "dp_2", "--amount", "1201", ...proof],
        /at most the amount that its charge captured\. It captured 1200\./
      ],
      [["--as", "open", "--reference", "dp_2", "--currency", "USD", ...proof], /in the currency of its payment/],
      [["--as", "won", "--reference", "dp_2", ...proof], /was not opened, so it cannot be won/],
      [["--as", "lost", "--reference", "dp_1", ...proof], /has this status and amount already/],
      [["--as", "open", "--reference", "dp_2"], /needs its evidence/],
      [["--as", "open", ...proof], /give the reference of the one that you mean/]
    ]
    for (const [args, sentence] of refusals) {
      const { code, stderr, stdout } = await said(id, ...args)
      assert.deepStrictEqual([code, stdout], [1, ""], args.join(" "))
      assert.match(stderr, sentence)
    }
    const { code, stderr } = await said("pay_none", "--as", "open", ...proof)
    assert.strictEqual(code, 1)
    assert.match(stderr, /Payment pay_none not found/)
  })
})
