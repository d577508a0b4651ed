/** What the control API refuses about webhook endpoints: internal addresses, and more of them than there may be. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { defineProvider, Outcome } from "@paymux/core"
import { Effect, Schema } from "effect"
import { refusedUrls } from "../../../webhooks/test/refusedUrls.ts"
import { ask, controlServer } from "./ControlServer.ts"
import type { ControlServer } from "./ControlServer.ts"

const developer = {
  id: "usr_developer",
  name: "developer@shop.example",
  memberships: [
    { account: "shop_a", modes: ["test" as const], role: "developer" as const },
    { account: "shop_b", modes: ["test" as const], role: "developer" as const }
  ],
  authenticatedAt: Date.now()
}

/** Not the sandbox, which opens the addresses of this machine. */
const acme = defineProvider({
  id: "acme",
  options: Schema.Struct({}),
  mode: () => "test",
  capabilities: () => ({
    methods: { card: { currencies: ["EUR"], flows: { token: {} } } },
    operations: { create: { idempotency: { by: "header", lifetime: "24 hours" } } }
  }),
  make: () => Effect.succeed({ create: () => Effect.succeed(Outcome.succeeded()) })
})({ id: "acme" })

describe("webhook endpoints over the control API", () => {
  let server: ControlServer
  beforeAll(async () => {
    server = await controlServer({ developer }, { sandbox: false, providers: [acme] })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const send = async (path: string, body: unknown, method = "POST") => {
    const response = await ask(server, { path: `/dashboard/api/${path}`, as: "developer", method, body })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const urlsOf = async (account: string) =>
    (await server.of({ account, livemode: false }).webhookEndpoints.list()).map(({ url }) => url)

  it("have no internal address, in whatever notation, neither when added nor by an edit", async () => {
    const added = await send("shop_a/test/endpoints", { url: "https://shop.io/hooks" })
    assert.strictEqual(added.status, 201)
    for (const [url] of refusedUrls) {
      const refused = await send("shop_a/test/endpoints", { url })
      const edited = await send(`shop_a/test/endpoints/${added.body.id}`, { url }, "PATCH")
      for (const { body, status } of [refused, edited]) {
        // JSON with NUL is refused as such.
        const code = url.includes("\u0000") ? "invalid_json" : "invalid_request"
        assert.deepStrictEqual([status, body.code, body.errors[0]?.pointer], [400, code, "/url"], url)
      }
    }
    assert.deepStrictEqual(await urlsOf("shop_a"), ["https://shop.io/hooks"])
  })

  it("are at most 50: the next one is refused, and another account has its own", async () => {
    for (let n = 1; n <= 50; n++) {
      assert.strictEqual((await send("shop_b/test/endpoints", { url: `https://shop.io/${n}` })).status, 201)
    }
    const refused = await send("shop_b/test/endpoints", { url: "https://shop.io/51" })
    assert.deepStrictEqual([refused.status, refused.body.code], [409, "conflict"])
    assert.include(refused.body.detail, "50 webhook endpoints")
    assert.lengthOf(await urlsOf("shop_b"), 50)
    assert.strictEqual((await send("shop_a/test/endpoints", { url: "https://shop.io/more" })).status, 201)
  })
})
