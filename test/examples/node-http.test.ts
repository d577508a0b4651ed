/** The example of the README, run as it stands, in a process of its own. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { openStream } from "../hosts/checks.ts"
import { freePort } from "../support/freePort.ts"

const root = resolve(import.meta.dirname, "../..")
const example = join(root, "docs/examples/node-http/server.ts")

describe("docs/examples/node-http", () => {
  it("takes the minimal payment of the README, and ends at SIGTERM with a payment page open", async () => {
    const folder = await mkdtemp(join(tmpdir(), "paymux-example-"))
    const port = await freePort()
    const child = spawn(process.execPath, [example], {
      cwd: folder,
      env: { ...process.env, PORT: String(port) },
      stdio: ["ignore", "pipe", "inherit"]
    })
    try {
      const testKey = / key (pmx_test_\w+)$/.exec(await firstLine(child))?.[1]
      const answer = await fetch(`http://localhost:${port}/v1/payments`, {
        method: "POST",
        headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
        body: minimalRequest()
      })
      assert.strictEqual(answer.status, 201)
      const payment: unknown = await answer.json()
      assert.containsSubset(payment, { object: "payment", amount: 10000, currency: "INR", payment_method: "upi" })
      const stream = await openStream({ url: `http://localhost:${port}`, testKey: testKey ?? "" })
      child.kill("SIGTERM")
      await stream.ended
      assert.deepStrictEqual(await once(child, "exit"), [0, null])
    } finally {
      child.kill("SIGKILL")
      await rm(folder, { recursive: true, force: true })
    }
  })

  it("stands in the README as it is", () => {
    assert.include(readme, `\`\`\`ts\n${readFileSync(example, "utf8")}\`\`\``)
  })
})

const readme = readFileSync(join(root, "README.md"), "utf8")

/** What the curl command of the README sends. */
const minimalRequest = (): string =>
  /-d '(\{[^']+\})'/.exec(readme)?.[1] ?? assert.fail("the README has no curl -d '…'")

const firstLine = async ({ stdout }: ChildProcess): Promise<string> => {
  if (stdout === null) throw new Error("the example has no output")
  for await (const line of createInterface({ input: stdout })) return line
  throw new Error("the example ended without a word")
}
