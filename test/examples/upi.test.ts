/** The example of two UPI providers, run as a person runs it: a server, a key, a payment. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "../support/freePort.ts"

const root = resolve(import.meta.dirname, "../..")
const bin = join(root, "packages/paymux/src/bin.ts")
const config = join(root, "docs/examples/upi/paymux.config.ts")
const readme = readFileSync(join(root, "docs/examples/upi/README.md"), "utf8")

interface Payment {
  readonly id: string
  readonly status: string
  readonly next_action: { readonly type: string } | null
  readonly attempts: ReadonlyArray<{ readonly provider: string; readonly status: string }>
}

describe.concurrent("docs/examples/upi", () => {
  it("takes a payment at Razorpay, which reports by webhook that it is paid", () =>
    serving(undefined, async ({ create, until }) => {
      const created = await create()
      assert.strictEqual(created.status, "pending")
      assert.strictEqual(created.next_action?.type, "upi_intent")
      const paid = await until(created, ({ status }) => status !== "pending")
      assert.strictEqual(paid.status, "succeeded")
      assert.deepStrictEqual(triedAt(paid), ["razorpay succeeded"])
    }))

  it("goes to Cashfree where Razorpay refuses the connection", () =>
    serving("refuses", async ({ create, until }) => {
      const created = await create()
      assert.strictEqual(created.next_action?.type, "redirect")
      const paid = await until(created, ({ status }) => status !== "pending")
      assert.strictEqual(paid.status, "succeeded")
      assert.deepStrictEqual(triedAt(paid), ["razorpay not_executed", "cashfree succeeded"])
    }))

  it("stays with Razorpay where it does not answer", () =>
    serving("silent", async ({ create }) => {
      const held = await create()
      assert.strictEqual(held.status, "pending")
      assert.deepStrictEqual(
        held.attempts.map(({ provider }) => provider),
        ["razorpay"]
      )
    }))
})

const triedAt = ({ attempts }: Payment) => attempts.map(({ provider, status }) => `${provider} ${status}`)

interface Server {
  readonly create: () => Promise<Payment>
  readonly until: (payment: Payment, holds: (payment: Payment) => boolean) => Promise<Payment>
}

const serving = async (razorpay: string | undefined, act: (server: Server) => Promise<void>) => {
  const folder = await mkdtemp(join(tmpdir(), "paymux-upi-"))
  const url = `http://127.0.0.1:${await freePort()}`
  const env = { ...process.env, PAYMUX_URL: url, ...(razorpay !== undefined && { RAZORPAY: razorpay }) }
  const flags = ["serve", "--config", config, "--port", new URL(url).port]
  const child = spawn(process.execPath, [bin, ...flags], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] })
  try {
    const lines = createInterface({ input: child.stdout })
    await once(lines, "line")
    const headers = { authorization: `Bearer ${await newKey(folder)}`, "content-type": "application/json" }
    const asked = async (path: string, body?: string): Promise<Payment> => {
      const answer = await fetch(
        `${url}/v1/payments${path}`,
        body === undefined ? { headers } : { method: "POST", headers, body }
      )
      assert.isTrue(answer.ok, `${answer.status}`)
      // Boundary: the shape is what other tests of the API check.
      return (await answer.json()) as Payment
    }
    await act({
      create: () => asked("", requestOf(readme)),
      until: async ({ id }, holds) => {
        for (;;) {
          const payment = await asked(`/${id}`)
          if (holds(payment)) return payment
          await sleep(100)
        }
      }
    })
  } finally {
    child.kill("SIGKILL")
    await rm(folder, { recursive: true, force: true })
  }
}

/** What the curl command of the README sends. */
const requestOf = (page: string): string => /-d '(\{[^']+\})'/.exec(page)?.[1] ?? assert.fail("no curl -d '…'")

const newKey = async (folder: string): Promise<string> => {
  const child = spawn(process.execPath, [bin, "keys", "create"], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] })
  const [line] = await once(createInterface({ input: child.stdout }), "line")
  return String(line)
}
