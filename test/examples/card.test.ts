/** The example of two card providers, run as a person runs it: a server, a key, payments, a shopper's browser. */
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
const config = join(root, "docs/examples/card/paymux.config.ts")
const readme = readFileSync(join(root, "docs/examples/card/README.md"), "utf8")

interface Payment {
  readonly id: string
  readonly status: string
  readonly next_action: { readonly type: string; readonly url?: string } | null
  readonly failure: { readonly code: string } | null
  readonly attempts: ReadonlyArray<{ readonly provider: string; readonly status: string }>
}

describe.concurrent("docs/examples/card", () => {
  it("does what its README says of each token", () =>
    serving(undefined, async ({ create, open, read, until }) => {
      const paid = await create(byBoth())
      assert.deepStrictEqual([paid.status, ...triedAt(paid)], ["succeeded", "stripe succeeded"])

      const elsewhere = await create(byBoth("pm_card_chargeDeclinedProcessingError"))
      assert.deepStrictEqual(
        [elsewhere.status, ...triedAt(elsewhere)],
        ["succeeded", "stripe declined", "adyen succeeded"]
      )

      const refused = await create(byBoth("pm_card_visa_chargeDeclinedStolenCard"))
      assert.deepStrictEqual([refused.status, ...triedAt(refused)], ["failed", "stripe declined"])
      assert.strictEqual(refused.failure?.code, "lost_or_stolen")

      for (const [body, provider] of [
        [byBoth("pm_card_authenticationRequired"), "stripe"],
        [atAdyen, "adyen"],
        [byPage, "stripe"]
      ] as const) {
        const asked = await create(body)
        assert.strictEqual(asked.status, "pending")
        assert.strictEqual(asked.next_action?.type, "redirect")
        assert.strictEqual((await read(asked)).status, "pending", "nothing happens before the page is opened")
        const [back, shop] = await open(asked.next_action?.url ?? "")
        assert.include(back, "/return/op_")
        assert.strictEqual(shop, `https://shop.example/thanks?payment_id=${asked.id}`)
        const ended = await read(asked)
        assert.deepStrictEqual([ended.status, ...triedAt(ended)], ["succeeded", `${provider} succeeded`])
      }

      const left = await create(byBoth("pm_card_authenticationRequired"))
      await open(left.next_action?.url ?? "", { comesBack: false })
      const reported = await until(left, ({ status }) => status !== "pending")
      assert.deepStrictEqual([reported.status, ...triedAt(reported)], ["succeeded", "stripe succeeded"])
    }))

  it("stays with Stripe where it does not answer", () =>
    serving("silent", async ({ create }) => {
      const held = await create(byBoth())
      assert.strictEqual(held.status, "pending")
      assert.deepStrictEqual(
        held.attempts.map(({ provider }) => provider),
        ["stripe"]
      )
    }))
})

/** What the curl commands of the README send. */
const [first = "", atAdyen = "", byPage = ""] = [...readme.matchAll(/-d '(\{[^']+\})'/g)].map(([, body]) => body ?? "")

/** With another of the tokens in its table. */
const byBoth = (token = "pm_card_visa"): string => {
  assert.include(readme, `| \`${token}\` |`)
  return first.replace("pm_card_visa", token)
}

const triedAt = ({ attempts }: Payment) => attempts.map(({ provider, status }) => `${provider} ${status}`)

interface Server {
  readonly create: (body: string) => Promise<Payment>
  readonly read: (payment: Payment) => Promise<Payment>
  readonly until: (payment: Payment, holds: (payment: Payment) => boolean) => Promise<Payment>
  /** As a browser: the addresses that it is sent to. */
  readonly open: (url: string, shopper?: { readonly comesBack: boolean }) => Promise<ReadonlyArray<string>>
}

const serving = async (stripe: string | undefined, act: (server: Server) => Promise<void>) => {
  const folder = await mkdtemp(join(tmpdir(), "paymux-card-"))
  const url = `http://127.0.0.1:${await freePort()}`
  const env = { ...process.env, PAYMUX_URL: url, ...(stripe !== undefined && { STRIPE: stripe }) }
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
      const reported = await answer.text()
      assert.isTrue(answer.ok, reported)
      // Boundary: the shape is what other tests of the API check.
      return JSON.parse(reported) as Payment
    }
    await act({
      create: (body) => asked("", body),
      read: ({ id }) => asked(`/${id}`),
      until: async ({ id }, holds) => {
        for (;;) {
          const payment = await asked(`/${id}`)
          if (holds(payment)) return payment
          await sleep(100)
        }
      },
      open: async (page, { comesBack } = { comesBack: true }) => {
        const back = await sentFrom(page)
        return comesBack ? [back, await sentFrom(back)] : [back]
      }
    })
  } finally {
    child.kill("SIGKILL")
    await rm(folder, { recursive: true, force: true })
  }
}

/** The address that a page sends the browser to. */
const sentFrom = async (page: string): Promise<string> =>
  (await fetch(page, { redirect: "manual" })).headers.get("location") ?? assert.fail(`${page} has no redirect`)

const newKey = async (folder: string): Promise<string> => {
  const child = spawn(process.execPath, [bin, "keys", "create"], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] })
  const [line] = await once(createInterface({ input: child.stdout }), "line")
  return String(line)
}
