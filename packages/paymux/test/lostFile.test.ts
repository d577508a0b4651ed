/** A server whose SQLite file is taken away under load, as a process of its own. */
import { assert, describe, it } from "@effect/vitest"
import { copyFileSync, mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { command, serve } from "./ServerProcess.ts"
import type { ServerProcess } from "./ServerProcess.ts"

const payment = JSON.stringify({
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919999999999" }
})

const post = async ({ base, testKey }: ServerProcess, key: string): Promise<number> => {
  const response = await fetch(new URL("/v1/payments", base), {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json", "idempotency-key": key },
    body: payment
  })
  await response.text()
  return response.status
}

/** Sixteen clients, each of which asks again once it is answered, until they are stopped. */
const load = (server: ServerProcess) => {
  const statuses: Array<number> = []
  const state = { isOn: true }
  const clients = Array.from({ length: 16 }, async (_, client) => {
    for (let count = 0; state.isOn; count++) statuses.push(await post(server, `load-${client}-${count}`))
  })
  return {
    statuses,
    until: async (enough: () => boolean) => {
      while (!enough()) await new Promise((resolve) => setTimeout(resolve, 10))
    },
    stop: async () => {
      state.isOn = false
      await Promise.all(clients)
    }
  }
}

/** Of a configuration whose server is this one; its own database is another. */
const doctor = (folder: string, { base }: ServerProcess) => {
  const file = join(folder, "paymux.config.mjs")
  writeFileSync(file, `export default { sandbox: true, publicUrl: "${new URL(base).origin}", database: ":memory:" }\n`)
  return command(folder, "doctor", "--config", file)
}

/** `copy`: the database as it was some payments before. */
const losses: ReadonlyArray<readonly [string, (file: string, copy: string) => void]> = [
  ["deleted", unlinkSync],
  [
    "replaced",
    (file, copy) => {
      copyFileSync(copy, `${file}.new`)
      renameSync(`${file}.new`, file)
    }
  ],
  ["moved away", (file) => renameSync(file, `${file}.old`)],
  ["restored by a copy over the open file", (file, copy) => copyFileSync(copy, file)],
  ["truncated", (file) => writeFileSync(file, "")],
  ["left without its log", (file) => unlinkSync(`${file}-wal`)]
]

describe("a server under load", () => {
  for (const [what, lose] of losses) {
    it(`acknowledges nothing after its database file was ${what}, and says so where an operator looks`, async () => {
      const folder = mkdtempSync(join(tmpdir(), "paymux-test-"))
      const file = join(folder, "paymux.db")
      const server = await serve(folder)
      const clients = load(server)
      try {
        await clients.until(() => clients.statuses.length >= 50)
        const copy = join(folder, "copy.db")
        const reader = new DatabaseSync(file, { readOnly: true })
        reader.exec(`VACUUM INTO '${copy}'`)
        reader.close()
        await clients.until(() => clients.statuses.length >= 150)
        assert.deepStrictEqual(new Set(clients.statuses), new Set([201]))

        lose(file, copy)
        await clients.until(() => clients.statuses.includes(503))
        // Those that are answered now began after the first commit that followed.
        const from = clients.statuses.length
        await clients.until(() => clients.statuses.length >= from + 100)
        await clients.stop()
        const afterwards = clients.statuses.slice(from + 16)
        assert.deepStrictEqual(new Set(afterwards), new Set([503]))
        // A repeated request reads: it would acknowledge a payment that is gone.
        assert.strictEqual(await post(server, "load-0-0"), 503)

        const ready = await fetch(new URL("/readyz", server.base))
        assert.strictEqual(ready.status, 503)
        const problem = await ready.text()
        assert.include(problem, "restore the file")
        assert.notInclude(problem, folder)
        assert.strictEqual((await fetch(new URL("/healthz", server.base))).status, 200)
        assert.include(server.stdout() + server.stderr(), "while the database was open")
        const { code, stdout } = await doctor(folder, server)
        assert.strictEqual(code, 1)
        assert.match(stdout, /^✗ public URL +the server there is not ready\..*restore the file/m)
      } finally {
        await clients.stop()
        await server.kill("SIGKILL")
        rmSync(folder, { recursive: true, force: true })
      }
    })
  }
})
