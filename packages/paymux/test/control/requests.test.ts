/** The request log in the control API: the same as in the library, under the same filters. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { RequestPage } from "@paymux/http"
import { ask, controlServer, publicUrl } from "./ControlServer.ts"
import type { ControlServer } from "./ControlServer.ts"

const tenant = { account: "default", livemode: false }
const viewer = {
  id: "usr_1",
  name: "asha@shop.example",
  memberships: [{ account: "default", modes: ["test" as const], role: "viewer" as const }],
  authenticatedAt: Date.now()
}

interface Body {
  readonly data: RequestPage["data"]
  readonly next: string | null
  readonly request: unknown
  readonly code: string
}

describe("requests in the control API", () => {
  let server: ControlServer
  beforeAll(async () => {
    server = await controlServer({ viewer })
    const headers = { authorization: `Bearer ${server.testKey}`, "content-type": "application/json" }
    await server.fetch(new Request(`${publicUrl}/v1/payments`, { headers }))
    const body = JSON.stringify({ amount: -1, customer: { email: "asha@example.com" } })
    await server.fetch(new Request(`${publicUrl}/v1/payments`, { method: "POST", headers, body }))
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const read = async (path: string) => {
    const response = await ask(server, { path: `/dashboard/api/default/test${path}`, as: "viewer" })
    // Boundary: what this test reads of a page, a request or a problem.
    return { status: response.status, body: (await response.json()) as Body }
  }

  it("are listed and shown as the library has them", async () => {
    const { requests } = server.of(tenant)
    const all = await requests.list()
    assert.strictEqual(all.data.length, 2)
    assert.deepStrictEqual<unknown>(await read("/requests"), { status: 200, body: { data: all.data, next: null } })
    const first = await read("/requests?limit=1")
    const second = await read(`/requests?limit=1&after=${first.body.next}`)
    assert.deepStrictEqual([...first.body.data, ...second.body.data], all.data)
    for (const query of ["status=4xx", "status=400", "method=POST", "problem=invalid_request"]) {
      const { body } = await read(`/requests?${query}&route=/v1/payments`)
      assert.deepStrictEqual(body.data, (await requests.list({ status: 400 })).data, query)
    }
    const id = all.data[0]?.id ?? ""
    const shown = await read(`/requests/${id}`)
    assert.deepStrictEqual<unknown>(shown, { status: 200, body: await requests.get(id) })
    assert.deepStrictEqual(shown.body.request, { amount: -1, customer: { email: "[text]" } })
  })

  it("refuse a filter or cursor that makes no sense, and have no other id", async () => {
    for (const query of [
      "status=3xx",
      "status=99",
      "status=4.5",
      "limit=0",
      "limit=101",
      "from=x",
      "after=x",
      "path=/v1",
      "keyId="
    ]) {
      const { body, status } = await read(`/requests?${query}`)
      assert.deepStrictEqual([status, body.code], [400, "invalid_request"], query)
    }
    for (const id of ["req_1", "x", "%00"]) assert.strictEqual((await read(`/requests/${id}`)).status, 404)
  })
})
