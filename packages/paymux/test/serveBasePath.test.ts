/** `paymux serve` under a base path: what it prints, what it warns of, and its answers to other paths. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createConnection } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll } from "vitest"
import { command, serve } from "./ServerProcess.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paymux-under-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("paymux serve with a base path", () => {
  it("prints the address with it, sends shoppers back to it, and names pages of problems under it", async () => {
    await writeFile(
      join(folder, "paymux.config.mjs"),
      'export default { basePath: "/pay/", database: "sqlite:under.db" }'
    )
    const server = await serve(folder)
    const { origin, pathname, port } = new URL(server.base)
    assert.strictEqual(pathname, "/pay/v1")
    const created = await fetch(`${server.base}/payments`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.testKey}`, "content-type": "application/json" },
      body: JSON.stringify({
        amount: 1200,
        currency: "EUR",
        payment_method: "card",
        payment_method_details: { card: { token: "tok_3ds" } },
        customer: { email: "asha@example.com", phone: "+4915112345678" }
      })
    })
    const { next_action } = JSON.parse(await created.text())
    assert.isTrue(next_action.url.startsWith(`${origin}/pay/sandbox/`), next_action.url)
    assert.strictEqual((await fetch(next_action.url)).status, 200)
    const socket = createConnection(Number(port), "127.0.0.1")
    socket.write("GET /pay/healthz HTTP/1.1\r\n\r\n")
    assert.include(await text(socket), '"type":"/pay/docs/problems/invalid_request"')
    assert.strictEqual(await server.kill("SIGTERM"), 0)
  })

  it("is refused with every other fault, and before anything is made", async () => {
    await writeFile(
      join(folder, "wrong.mjs"),
      'export default { basePath: 5, sandbox: true, database: "sqlite:no.db" }'
    )
    const ended = await command(folder, "serve", "--port", "0", "--config", "wrong.mjs")
    assert.deepStrictEqual([ended.code, ended.stdout], [1, ""])
    assert.include(ended.stderr, "basePath must be text")
  })
})
