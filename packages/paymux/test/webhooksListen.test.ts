import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll } from "vitest"
import { fileOfProgram } from "../../../test/support/program.ts"
import { command, serve } from "./ServerProcess.ts"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "paymux-listen-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const listen = async (...flags: ReadonlyArray<string>) => {
  const bin = await fileOfProgram("paymux")
  const child = spawn(process.execPath, [bin, "webhooks", "listen", "--database", "sqlite:shop.db", ...flags], {
    cwd: folder
  })
  const printed = { out: "", err: "" }
  child.stdout.on("data", (chunk: Buffer) => (printed.out += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (printed.err += chunk.toString()))
  while (!printed.err.includes("Waiting for events")) await once(child.stderr, "data")
  return {
    secret: /^Signing secret: (\S+)$/m.exec(printed.err)?.[1] ?? assert.fail(printed.err),
    printed,
    untilPrinted: async (pattern: RegExp) => {
      while (!pattern.test(printed.out)) await once(child.stdout, "data")
    },
    stop: async () => {
      child.kill("SIGINT")
      const [code] = await once(child, "exit")
      return code
    }
  }
}

describe("paymux webhooks listen", () => {
  it("prints each event, forwards it with a valid signature, and removes its endpoint at the end", async () => {
    const server = await serve(folder, ["--database", "sqlite:shop.db"])
    const received: Array<{ readonly body: string; readonly headers: Record<string, string> }> = []
    const shop = createServer((request, response) => {
      void buffer(request).then((body) => {
        // Boundary: none of the headers that are read is repeated.
        received.push({ body: body.toString(), headers: request.headers as Record<string, string> })
        response.writeHead(received.length === 1 ? 500 : 204).end()
      })
    }).listen(0, "127.0.0.1")
    await once(shop, "listening")
    // Boundary: a TCP server that listens has an address of this form.
    const target = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/webhooks`
    const listener = await listen("--forward-to", target)
    const payment = await fetch(`${server.base}/payments`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.testKey}`, "content-type": "application/json" },
      body: JSON.stringify({
        amount: 1200,
        currency: "EUR",
        payment_method: "card",
        payment_method_details: { card: { token: "tok_success" } },
        customer: { email: "asha@example.com", phone: "+4915112345678" }
      })
    })
    const { id } = JSON.parse(await payment.text())
    await listener.untilPrinted(/→ 500 \/webhooks$/m)
    assert.match(listener.printed.out, new RegExp(`payment\\.succeeded +${id} +→ 500 /webhooks$`, "m"))
    const [first] = received
    if (first === undefined) return assert.fail("nothing was forwarded")
    assert.strictEqual(
      (new Webhook(listener.secret).verify(first.body, first.headers) as { readonly type: string }).type,
      "payment.succeeded"
    )
    assert.strictEqual(await listener.stop(), 0)
    const { stderr } = await command(folder, "webhooks", "list", "--database", "sqlite:shop.db")
    assert.include(stderr, "has no webhook endpoints")
    shop.close()
    await server.kill("SIGTERM")
  })

  it("refuses a target that is no address", async () => {
    const { code, stderr } = await command(folder, "webhooks", "listen", "--forward-to", "localhost:3000")
    assert.strictEqual(code, 1)
    assert.match(stderr, /--forward-to must be an http or https address/)
  })
})
