/** `paymux keys …` and `paymux accounts …`, on a database that a server uses. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createPaymux } from "../src/index.ts"
import { startCommands } from "./Commands.ts"
import type { Commands } from "./Commands.ts"
import { card } from "./card.ts"

let folder = ""
let commands: Commands
const run = (...args: ReadonlyArray<string>) => commands.run(folder, ...args)
const open = () => createPaymux({ sandbox: true, database: `sqlite:${join(folder, "paymux.db")}` })
const keyNamed = async (name: string, ...args: ReadonlyArray<string>) => {
  const { stdout } = await run("keys", "list", "--json", ...args)
  return (JSON.parse(stdout) as ReadonlyArray<Record<string, unknown>>).filter((key) => key["name"] === name)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "paymux-keys-"))
  commands = startCommands()
})

afterAll(() => {
  commands.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe("paymux keys rotate", () => {
  it("makes a key in the place of one, beside a running server that takes both", async () => {
    await using paymux = await open()
    const status = async (key: string) =>
      (await paymux.fetch(new Request("http://any/v1/payments", { headers: { authorization: `Bearer ${key}` } })))
        .status
    const former = (await run("keys", "create", "--name", "rotated")).stdout.trim()
    const [made] = await keyNamed("rotated")
    const rotated = await run("keys", "rotate", String(made?.["keyId"]), "--overlap", "2h")
    assert.strictEqual(rotated.code, 0, rotated.stderr)
    assert.match(rotated.stdout, /^pmx_test_[0-9A-Za-z]{38}\n$/)
    assert.match(rotated.stderr, /works until \d{4}-\d\d-\d\dT/)
    assert.deepStrictEqual([await status(former), await status(rotated.stdout.trim())], [200, 200])
    const table = (await run("keys", "list")).stdout
    assert.match(table, /expires/)
    assert.notInclude(table, rotated.stdout.trim())
    const expiring = (await keyNamed("rotated")).filter((key) => key["expiresAt"] !== null)
    assert.deepStrictEqual(
      expiring.map((key) => key["keyId"]),
      [made?.["keyId"]]
    )
  })

  it.each(["0s", "0", "0ms", "0h"])(
    "with an overlap of %s the former key, which has leaked, holds no more",
    async (no) => {
      const account = ["--account", `leaked-${no}`]
      const former = (await run("keys", "create", ...account, "--name", "leaked")).stdout.trim()
      // With two keys an account has as many as it may: only an overlap of 0 leaves them two.
      await run("keys", "create", ...account)
      const [made] = await keyNamed("leaked", ...account)
      const id = String(made?.["keyId"])
      const { code, stderr, stdout } = await run("keys", "rotate", id, "--overlap", no)
      assert.strictEqual(code, 0, stderr)
      assert.include(stderr, `${id} is refused within a second.`)
      await using paymux = await open()
      const status = async (key: string) =>
        (await paymux.fetch(new Request("http://any/v1/payments", { headers: { authorization: `Bearer ${key}` } })))
          .status
      assert.deepStrictEqual([await status(former), await status(stdout.trim())], [401, 200])
    }
  )

  it("is refused in a sentence", async () => {
    const made = (await keyNamed("rotated")).find((key) => key["expiresAt"] !== null)
    const refusals = [
      [["key_none"], "There is no API key key_none."],
      [[String(made?.["keyId"])], "is being replaced already"],
      [[String(made?.["keyId"]), "--overlap", "soon"], '--overlap cannot be "soon"'],
      [[String(made?.["keyId"]), "--overlap", "00x"], '--overlap cannot be "00x"'],
      [[String(made?.["keyId"]), "--overlap", "0.5h"], '--overlap cannot be "0.5h"'],
      [[String(made?.["keyId"]), "--overlap", "31d"], "0 ms to 30 days"]
    ] as const
    for (const [args, sentence] of refusals) {
      const { code, stderr, stdout } = await run("keys", "rotate", ...args)
      assert.deepStrictEqual([code, stdout], [1, ""], args.join(" "))
      assert.include(stderr, sentence)
    }
  })

  it("a database that a command creates is reported on standard error, and only then", async () => {
    const elsewhere = mkdtempSync(join(folder, "elsewhere-"))
    const create = (...args: ReadonlyArray<string>) => commands.run(elsewhere, "keys", "create", ...args)
    const first = await create()
    assert.include(first.stderr, `Made paymux.db, a new database, in ${realpathSync(elsewhere)}.`)
    assert.match(first.stdout, /^pmx_test_[0-9A-Za-z]{38}\n$/)
    assert.notInclude((await create()).stderr, "Made")
    assert.notInclude((await create("--database", ":memory:")).stderr, "Made")
    const refused = await create("--database", "sqlite:other.db", "--name", "a\nb")
    assert.strictEqual(refused.code, 1)
    assert.include(refused.stderr, "Made other.db")
  })

  it("a folder that is not there is named", async () => {
    const { code, stderr } = await run("keys", "create", "--database", "sqlite:data/pay/x.db")
    assert.strictEqual(code, 1)
    assert.include(stderr, "The database data/pay/x.db cannot be opened: the folder data/pay does not exist")
    assert.notInclude(stderr, "Made")
  })

  it("a name that would move the cursor is refused, and nothing is made", async () => {
    const { code, stderr } = await run("keys", "create", "--name", "\u001b[2Jx", "--account", "named")
    assert.strictEqual(code, 1)
    assert.include(stderr, "no characters that control the cursor")
    assert.strictEqual((await run("keys", "list", "--account", "named", "--json")).stdout.trim(), "[]")
  })
})

describe("an account in a command", () => {
  it("is a name, or is refused before the database is opened", async () => {
    for (const command of [
      ["keys", "create"],
      ["keys", "list"],
      ["payments", "list"],
      ["webhooks", "list"]
    ]) {
      const { code, stderr, stdout } = await run(...command, "--account", "a b", "--database", "sqlite:none.db")
      assert.notStrictEqual(code, 0)
      assert.include(stderr + stdout, "an account must have 1 to 64 letters, digits, _ or -", command.join(" "))
      assert.notInclude(stderr, "none.db")
    }
  })
})

describe("paymux accounts list", () => {
  it("has every account and mode with its keys and its newest payment", async () => {
    await using paymux = await open()
    const { created_at } = await paymux.forAccount("shop-b").payments.create(card)
    await run("keys", "create", "--account", "shop-a", "--live")
    await run("keys", "create", "--account", "shop-a")
    const { stdout } = await run("accounts", "list", "--json")
    assert.deepStrictEqual(
      (JSON.parse(stdout) as ReadonlyArray<Record<string, unknown>>).filter(({ account }) =>
        String(account).startsWith("shop-")
      ),
      [
        { account: "shop-a", mode: "test", active_keys: 1, newest_payment_at: null },
        { account: "shop-a", mode: "live", active_keys: 1, newest_payment_at: null },
        { account: "shop-b", mode: "test", active_keys: 0, newest_payment_at: created_at }
      ]
    )
    const table = (await run("accounts", "list")).stdout
    assert.match(table, /account +mode +active keys +newest payment/)
    assert.match(table, /shop-a +live +1 +none/)
  })

  it("says that there is no database, or nothing in it", async () => {
    assert.include((await run("accounts", "list", "--database", "sqlite:none.db")).stderr, "Database not found")
    assert.strictEqual((await run("migrate", "--database", "sqlite:empty.db")).code, 0)
    const { stderr, stdout } = await run("accounts", "list", "--database", "sqlite:empty.db")
    assert.deepStrictEqual(stdout, "")
    assert.include(stderr, "There are no accounts yet")
  })
})
