/** `close({ server })` in a process of its own, while it streams, answers, sends and delivers. */
import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, request } from "node:http"
import type { ServerResponse } from "node:http"
import { createConnection } from "node:net"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { isAccepting } from "../../../test/hosts/Host.ts"
import { openStream } from "../../../test/hosts/checks.ts"
import { freePort } from "../../../test/support/freePort.ts"

/** Answers nothing before `release`, and everything at once after it. */
const heldServer = async (nameOf: (body: string) => string) => {
  const received: Array<string> = []
  const held: Array<ServerResponse> = []
  const waiting = new Map<number, () => void>()
  let isReleased = true
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming)
    if (isReleased) response.end()
    else held.push(response)
    received.push(nameOf(body))
    waiting.get(received.length)?.()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  // A TCP server that listens has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    reached: (count: number) =>
      received.length >= count ? Promise.resolve() : new Promise<void>((resolve) => waiting.set(count, resolve)),
    hold: () => void (isReleased = false),
    release: () => {
      isReleased = true
      for (const response of held) response.end()
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

const start = async (folder: string, port: number, vendor: string, hooks: string) => {
  const env = { ...process.env, PORT: String(port), VENDOR: vendor, HOOKS: hooks }
  const child = spawn(process.execPath, [join(import.meta.dirname, "shutdownProcess.ts")], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"]
  })
  const exited = once(child, "exit")
  const [line] = await once(child.stdout, "data")
  const testKey = / key (pmx_test_\w+)/.exec(String(line))?.[1] ?? assert.fail(String(line))
  return { child, exited, testKey, url: `http://127.0.0.1:${port}`, port }
}

const card = JSON.stringify({
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "tok_any" } },
  customer: { email: "asha@example.com", phone: "+4915112345678" }
})

const pay = ({ testKey, url }: { readonly testKey: string; readonly url: string }) => {
  const headers = { authorization: `Bearer ${testKey}`, "content-type": "application/json" }
  return request(`${url}/v1/payments`, { method: "POST", agent: false, headers }).end(card)
}

const answerOf = async (asked: ReturnType<typeof pay>) => {
  const [answer] = await once(asked, "response")
  return { status: answer.statusCode, payment: JSON.parse(await text(answer)) }
}

describe("close({ server })", () => {
  it("ends streams and idle connections at once, lets what is under way end, and exits with 0; nothing is lost or sent twice", async () => {
    const folder = await mkdtemp(join(tmpdir(), "paymux-shutdown-"))
    const vendor = await heldServer((paymentId) => paymentId)
    const hooks = await heldServer((event) => JSON.parse(event).data.payment.id)
    const port = await freePort()
    const host = await start(folder, port, vendor.url, hooks.url)
    try {
      hooks.hold()
      const first = await answerOf(pay(host))
      assert.strictEqual(first.payment.status, "succeeded")
      await hooks.reached(1)
      vendor.hold()
      const slow = answerOf(pay(host))
      await vendor.reached(2)
      const left = pay(host).on("error", () => undefined)
      await vendor.reached(3)
      left.destroy()
      const stream = await openStream(host)
      const idle = createConnection(port, "127.0.0.1")
      idle.write("GET /healthz HTTP/1.1\r\nHost: shop\r\n\r\n")
      await once(idle, "data")

      host.child.kill("SIGTERM")
      await Promise.all([stream.ended, once(idle.resume(), "close")])
      // Node closes idle connections before the port. If that never closes, the payment under way never ends.
      while (await isAccepting(port));
      vendor.release()
      const answered = await slow
      assert.deepStrictEqual([answered.status, answered.payment.status], [201, "succeeded"])
      hooks.release()
      assert.deepStrictEqual(await host.exited, [0, null])

      const again = await start(folder, port, vendor.url, hooks.url)
      await hooks.reached(3)
      const listed = await fetch(`${again.url}/v1/payments?payment_method=card`, {
        headers: { authorization: `Bearer ${again.testKey}` }
      })
      const { data } = JSON.parse(await listed.text())
      again.child.kill("SIGTERM")
      assert.deepStrictEqual(await again.exited, [0, null])
      const sent = vendor.received.toSorted()
      assert.strictEqual(new Set(sent).size, 3)
      assert.deepStrictEqual(hooks.received.toSorted(), sent)
      const settled = data.map(({ id, status }: { readonly id: string; readonly status: string }) => [id, status])
      assert.deepStrictEqual(
        settled.toSorted(),
        sent.map((id) => [id, "succeeded"])
      )
    } finally {
      host.child.kill("SIGKILL")
      vendor.close()
      hooks.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
