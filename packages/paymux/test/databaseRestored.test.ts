/** `paymux database restored`: what servers do then, and what it refuses. */
import { assert, describe, it } from "@effect/vitest"
import { defineProvider, Outcome } from "@paymux/core"
import { Effect, Schema } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import { migrations } from "../src/Database.ts"
import { vi } from "vitest"
import { createPaymux } from "../src/index.ts"
import { card } from "./card.ts"
import { paymuxOnDisk } from "./PaymuxOnDisk.ts"

const sends: Array<string> = []

/** It honors no keys and cannot be asked. */
const plain = defineProvider({
  id: "plain",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({ methods: { card: { currencies: "any", flows: { token: {} } } }, operations: { create: {} } }),
  make: () => Effect.succeed({ create: ({ id }) => Effect.sync(() => (sends.push(id), Outcome.succeeded())) })
})

const options = { providers: [plain({})], logs: false } as const

const { commands, database, folder, paymux } = await paymuxOnDisk(options)

const restored = (...flags: ReadonlyArray<string>) =>
  commands.run(folder, "database", "restored", "--database", database, ...flags)

const row = () => {
  const db = new DatabaseSync(database.slice("sqlite:".length), { readOnly: true })
  try {
    return { ...db.prepare("SELECT * FROM restoration").get() }
  } finally {
    db.close()
  }
}

type Paymux = typeof paymux

const pay = ({ payments }: Paymux, idempotencyKey: string) =>
  payments.create(card, { idempotencyKey }).then(
    ({ status }) => status,
    (error: unknown) => String(error)
  )

/** What the audit logs of both modes have. */
const audited = async (url = database) => {
  const entries: Array<unknown> = []
  for (const mode of [[], ["--live"]]) {
    const list = ["audit", "list", "--json", "--action", "database.mark_restored", "--database", url]
    const { code, stdout } = await commands.run(folder, ...list, ...mode)
    assert.strictEqual(code, 0)
    entries.push(...JSON.parse(stdout))
  }
  return entries
}

/** What a server logs at warning level while it starts. */
const startLog = async (start: () => Promise<Paymux>) => {
  const lines: Array<string> = []
  const spy = vi.spyOn(console, "error").mockImplementation((line: unknown) => void lines.push(String(line)))
  try {
    await (await start()).close()
    return lines.filter((line) => line.includes("is marked as restored"))
  } finally {
    spy.mockRestore()
  }
}

const restoring = async ({ metrics }: Paymux) => /^paymux_restoring (\d)$/m.exec(await metrics())?.[1]

const refusal = "The database was restored"

describe("paymux database restored", () => {
  it("refuses what makes no sense, and marks nothing", async () => {
    await paymux.close()
    const before = row()
    const refusals = [
      [["--at", "2999-01-01"], "--at cannot be 2999-01-01T00:00:00.000Z: it is in the future"],
      [["--at", "yesterday"], "--at cannot be"],
      [["--at", "1h", "--for", "soon"], "--for cannot be"],
      [["--at", "1h", "--accept-doubles", "plain,,x"], "--accept-doubles cannot name"],
      [["--at", "1h", "--accept-doubles", "a b"], "--accept-doubles cannot name"],
      [[], "--at"]
    ] as const
    for (const [flags, sentence] of refusals) {
      const { code, stderr, stdout } = await restored(...flags)
      assert.strictEqual(code, 1, flags.join(" "))
      assert.include(`${stderr}${stdout}`, sentence)
    }
    const missing = join(folder, "missing.db")
    const { stderr } = await commands.run(
      folder,
      "database",
      "restored",
      "--at",
      "1h",
      "--database",
      `sqlite:${missing}`
    )
    assert.include(stderr, "Database not found")
    assert.isFalse(existsSync(missing))
    assert.deepStrictEqual(row(), before)
    assert.deepStrictEqual(await audited(), [])
  })

  it("refuses a database of SQLite while a server is running on it", async () => {
    const before = row()
    const running = await createPaymux({ ...options, database })
    const { code, stderr } = await restored("--at", "1h")
    await running.close()
    assert.strictEqual(code, 1)
    assert.include(stderr, "is already running")
    assert.deepStrictEqual(row(), before)
  })

  it("keeps a server from sending what it may have sent before, until doubles are accepted or the mark ends", async () => {
    const at = new Date(Date.now() - 60_000).toISOString()
    const marked = await restored("--at", at)
    assert.include(marked.stdout, `as restored to ${at}`)
    const first = await createPaymux({ ...options, database })
    assert.include(await pay(first, "order-1"), refusal)
    assert.strictEqual(await restoring(first), "1")
    const found = (await first.doctor()).filter(({ text }) => text.startsWith("gets no payments with an unknown"))
    assert.deepStrictEqual(
      found.map(({ grade, name }) => `${grade} ${name}`),
      ["warning plain"]
    )
    await first.close()
    const [line = "", ...others] = await startLog(() => createPaymux({ ...options, database, logs: "json" }))
    assert.deepStrictEqual(others, [])
    assert.deepInclude(JSON.parse(line), { level: "warn" })
    assert.include(line, `restored to ${at}`)
    assert.strictEqual(sends.length, 0)
    const accepted = await restored("--at", at, "--accept-doubles", "plain")
    assert.include(accepted.stdout, "Payments are sent to plain although they may be charged twice there.")
    const second = await createPaymux({ ...options, database })
    assert.strictEqual(await pay(second, "order-1"), "succeeded")
    await second.close()
    assert.strictEqual((await restored("--at", at, "--for", "0s")).code, 0)
    const third = await createPaymux({ ...options, database })
    assert.strictEqual(await pay(third, "order-2"), "succeeded")
    assert.strictEqual(await restoring(third), "0")
    await third.close()
    assert.deepStrictEqual(await startLog(() => createPaymux({ ...options, database, logs: "json" })), [])
    const entries = await audited()
    assert.lengthOf(entries, 6)
    for (const entry of entries) {
      assert.deepInclude(entry, { action: "database.mark_restored", outcome: "requested", target: null })
    }
  })

  it.live("is seen by servers on PostgreSQL that are running", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase(migrations)
      yield* Effect.promise(async () => {
        const running = await createPaymux({ ...options, database: url })
        assert.strictEqual(await pay(running, "order-1"), "succeeded")
        const mark = ["database", "restored", "--database", url, "--at", "1m"]
        assert.include((await commands.run(folder, ...mark)).stdout, "Marked")
        assert.include(await pay(running, "order-2"), refusal)
        assert.strictEqual(await pay(running, "order-1"), "succeeded")
        await running.close()
        assert.lengthOf(await audited(url), 2)
      })
    }).pipe(Effect.scoped)
  )
})
