/** The example of stablecoins, run as a person runs it: a server with its chain, a key, a receiver, and a wallet that pays. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { noAnvil } from "../../docs/examples/stablecoin/anvil.ts"
import { freePort } from "../support/freePort.ts"

const root = resolve(import.meta.dirname, "../..")
const bin = join(root, "packages/paymux/src/bin.ts")
const example = join(root, "docs/examples/stablecoin")
const readme = readFileSync(join(example, "README.md"), "utf8")

/** What the commands of the README send, and pay. */
const [body = "", refundBody = ""] = [...readme.matchAll(/-d '(\{[^']+\})'/g)].map(([, sent]) => sent ?? "")
const [tooLittle = "", theRest = ""] = [...readme.matchAll(/pay\.ts pay_… (\S+)/g)].map(([, amount]) => amount ?? "")

interface Payment {
  readonly id: string
  readonly status: string
  readonly pending_reason: string | null
  readonly amount_received?: number
  readonly next_action: { readonly type: string; readonly uri: string; readonly amount: string } | null
  readonly reviews: ReadonlyArray<{ readonly reason: string }>
}

interface Refund {
  readonly id: string
  readonly status: string
}

const it0 = noAnvil === null ? it : it.skip
const unless = noAnvil === null ? "" : ` (left out: ${noAnvil})`

describe.concurrent("docs/examples/stablecoin", () => {
  it0(`does what its README says, and reports money when it is final${unless}`, () =>
    serving({}, async ({ create, final, pay, payment, refund, refunded, reported, until }) => {
      const [whole, parts] = [await create(), await create()]
      assert.deepStrictEqual([whole.status, whole.pending_reason], ["pending", "awaiting_customer"])
      const { amount, type, uri = "" } = whole.next_action ?? {}
      assert.deepStrictEqual([type, amount], ["stablecoin_transfer", "12.50"])

      // It is not so for long: who begins to look when the wallet is done may be late.
      const coming = until(payment(whole), ({ pending_reason: reason }) => reason !== "awaiting_customer")
      const block = await pay(uri)
      await pay(parts.id, tooLittle)
      const seen = await coming
      assert.deepStrictEqual([seen.status, seen.pending_reason], ["pending", "awaiting_finality"])
      await reported(`payment.succeeded ${whole.id}`)
      assert.isAtLeast(await final(), block)
      assert.strictEqual((await payment(whole)()).status, "succeeded")

      const refunding = await refund(whole)
      assert.strictEqual(refunding.status, "pending")
      const short = await until(payment(parts), ({ pending_reason: reason }) => reason === "awaiting_finality")
      assert.strictEqual(short.status, "pending")
      await pay(parts.id, theRest)
      await reported(`payment.succeeded ${parts.id}`)
      await reported(`refund.pending ${refunding.id}`)
      await reported(`refund.succeeded ${refunding.id}`)
      assert.strictEqual((await refunded(refunding)).status, "succeeded")
    })
  )

  it0(`has a payment in review whose payer's time is over, and lets it succeed when the rest comes${unless}`, () =>
    serving({ PAY_WITHIN: "12 seconds" }, async ({ create, pay, payment, reported, until }) => {
      const short = await create()
      const { uri = "" } = short.next_action ?? {}
      await pay(uri, tooLittle)
      const reviewed = await until(payment(short), ({ reviews }) => reviews.length > 0)
      assert.deepStrictEqual([reviewed.status, reviewed.pending_reason], ["pending", "needs_review"])
      assert.deepStrictEqual(
        reviewed.reviews.map(({ reason }) => reason),
        ["amount_mismatch"]
      )
      assert.strictEqual(reviewed.amount_received, 1000)
      await pay(uri, theRest)
      await reported(`payment.succeeded ${short.id}`)
    })
  )
})

interface Server {
  readonly create: () => Promise<Payment>
  readonly payment: (payment: Payment) => () => Promise<Payment>
  readonly refund: (payment: Payment) => Promise<Refund>
  readonly refunded: (refund: Refund) => Promise<Refund>
  readonly until: <A>(look: () => Promise<A>, holds: (found: A) => boolean) => Promise<A>
  /** By the customer's wallet; answers the number of the block. */
  readonly pay: (...what: ReadonlyArray<string>) => Promise<number>
  /** The receiver has printed it. */
  readonly reported: (line: string) => Promise<unknown>
  /** The number of the block that is final. */
  readonly final: () => Promise<number>
}

const serving = async (env: { readonly PAY_WITHIN?: string }, act: (server: Server) => Promise<void>) => {
  const folder = await mkdtemp(join(tmpdir(), "paymux-stablecoin-"))
  const [port, chainPort, hookPort] = await Promise.all([freePort(), freePort(), freePort()])
  const [url, chain] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${chainPort}`]
  const run = (file: string, flags: ReadonlyArray<string>, more: { readonly [name: string]: string } = {}) =>
    spawn(process.execPath, [file, ...flags], {
      cwd: folder,
      env: { ...process.env, CHAIN_PORT: String(chainPort), PAYMUX_URL: url, ...env, ...more },
      stdio: ["ignore", "pipe", "inherit"]
    })
  const printed = async (child: ReturnType<typeof run>) => {
    const [out, [code]] = await Promise.all([text(child.stdout), once(child, "exit")])
    assert.strictEqual(code, 0, out)
    return out.trim()
  }
  const command = (...words: ReadonlyArray<string>) =>
    printed(run(bin, [...words, "--database", "sqlite:stablecoin.db"]))

  const server = run(bin, ["serve", "--config", join(example, "paymux.config.ts"), "--port", String(port)])
  const children = [server]
  try {
    const [line] = await once(createInterface({ input: server.stdout }), "line")
    assert.include(String(line), url)
    const [KEY, SECRET] = await Promise.all([
      command("keys", "create"),
      command("webhooks", "add", `http://127.0.0.1:${hookPort}/`)
    ])
    const receiver = run(join(example, "webhook.ts"), [], { SECRET, PORT: String(hookPort) })
    children.push(receiver)
    const lines = new Set<string>()
    createInterface({ input: receiver.stdout }).on("line", (line) => lines.add(line))

    const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" }
    const asked = async (path: string, body?: string) => {
      const sent = body === undefined ? { headers } : { method: "POST", headers, body }
      const answer = await fetch(`${url}/v1/${path}`, sent)
      const reported = await answer.text()
      assert.isTrue(answer.ok, reported)
      return JSON.parse(reported)
    }
    const until: Server["until"] = async (look, holds) => {
      for (let looked = 0; looked < 300; looked++) {
        const found = await look()
        if (holds(found)) return found
        await sleep(100)
      }
      return assert.fail(`Not reached: ${JSON.stringify(await look())}; webhooks: ${[...lines].join(", ")}`)
    }
    await act({
      create: () => asked("payments", body),
      payment:
        ({ id }) =>
        () =>
          asked(`payments/${id}`),
      refund: ({ id }) => asked(`payments/${id}/refunds`, refundBody),
      refunded: ({ id }) => asked(`refunds/${id}`),
      until,
      pay: async (...what) => {
        const said = await printed(run(join(example, "pay.ts"), what, { KEY }))
        return Number(/ in block (\d+)$/.exec(said)?.[1] ?? assert.fail(said))
      },
      reported: (line) =>
        until(
          () => Promise.resolve(lines),
          (each) => each.has(line)
        ),
      final: () => finalBlock(chain)
    })
  } finally {
    await Promise.all(children.map(ended))
    await rm(folder, { recursive: true, force: true })
  }
  await finalBlock(chain).then(
    () => assert.fail("the chain outlives its server"),
    () => {}
  )
}

/** Gently, so that the server ends its chain. */
const ended = async (child: ReturnType<typeof spawn>) => {
  if (child.exitCode !== null) return
  const exit = once(child, "exit")
  child.kill()
  await exit
}

const finalBlock = async (chain: string): Promise<number> => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["finalized",false]}'
  const answer = await fetch(chain, { method: "POST", headers: { "content-type": "application/json" }, body })
  const { result }: { readonly result: { readonly number: string } } = JSON.parse(await answer.text())
  return Number(result.number)
}
