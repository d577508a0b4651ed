/** A dashboard under load: payments are created beside it. `ConcurrentRequests.test.ts` has the limit itself. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { ask, controlServer, publicUrl } from "./ControlServer.ts"

const viewer = {
  id: "usr_viewer",
  name: "viewer@shop.example",
  memberships: [{ account: "default", modes: ["test" as const], role: "viewer" as const }],
  authenticatedAt: 0
}

const everything = (role: "developer" | "operator", mode: "live" | "test") => ({
  id: `usr_${role}`,
  name: `${role}@shop.example`,
  memberships: [{ account: "shop_a", modes: [mode], role }],
  authenticatedAt: Date.now()
})

const create = {
  amount: 10_000,
  currency: "INR",
  payment_method: "upi",
  customer: { email: "asha@example.com", phone: "+919999999999" }
}

describe("a dashboard under load", () => {
  it("leaves creates at 201, and answers its own requests or refuses them", async () => {
    await using server = await controlServer({ viewer })
    const lists = Array.from({ length: 400 }, (_, index) =>
      ask(server, { path: `/dashboard/api/default/test/${index % 2 === 0 ? "events" : "audit"}`, as: "viewer" })
    )
    const creates = Array.from({ length: 50 }, () =>
      server.fetch(
        new Request(`${publicUrl}/v1/payments`, {
          method: "POST",
          headers: { authorization: `Bearer ${server.testKey}`, "content-type": "application/json" },
          body: JSON.stringify(create)
        })
      )
    )
    const created = await Promise.all(creates)
    assert.deepStrictEqual(new Set(created.map(({ status }) => status)), new Set([201]))
    const listed = await Promise.all(lists)
    for (const { status } of listed) assert.include([200, 429, 503], status)
    const after = await ask(server, { path: "/dashboard/api/default/test/events", as: "viewer" })
    assert.strictEqual(after.status, 200)
  })

  it("does not keep live payments from being refunded, captured or canceled while receivers of test events are slow", async () => {
    await using server = await controlServer({
      developer: everything("developer", "test"),
      operator: everything("operator", "live")
    })
    const receiver = createServer().listen(0, "127.0.0.1")
    await once(receiver, "listening")
    // Boundary: of a server on a port, this is an object.
    const { port } = receiver.address() as AddressInfo
    const endpoint = await server
      .of({ account: "shop_a", livemode: false })
      .webhookEndpoints.add({ url: `http://127.0.0.1:${port}/` })
    const send = () =>
      ask(server, { path: `/dashboard/api/shop_a/test/endpoints/${endpoint.id}/test`, method: "POST", as: "developer" })
    const sent: Array<Promise<Response>> = []
    for (let n = 0; n < 2; n++) {
      sent.push(send())
      await once(receiver, "request")
    }
    assert.strictEqual((await send()).status, 503)
    for (const [action, body] of [
      ["refunds", {}],
      ["capture", {}],
      ["cancel", {}]
    ] as const) {
      const moved = await ask(server, {
        path: `/dashboard/api/shop_a/live/payments/pay_00000000000000000000000000/${action}`,
        method: "POST",
        as: "operator",
        headers: { "if-match": '"1"', "idempotency-key": action },
        body
      })
      assert.strictEqual(moved.status, 404, action)
    }
    receiver.closeAllConnections()
    for (const response of await Promise.all(sent)) assert.strictEqual(response.status, 200)
    receiver.close()
  })
})
