/** A dashboard under load: payments are created beside it. `ConcurrentRequests.test.ts` has the limit itself. */
import { assert, describe, it } from "@effect/vitest"
import { ask, controlServer, publicUrl } from "./ControlServer.ts"

const viewer = {
  id: "usr_viewer",
  name: "viewer@shop.example",
  memberships: [{ account: "default", modes: ["test" as const], role: "viewer" as const }],
  authenticatedAt: 0
}

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
    for (const { status } of listed) assert.include([200, 503], status)
    const after = await ask(server, { path: "/dashboard/api/default/test/events", as: "viewer" })
    assert.strictEqual(after.status, 200)
  })
})
