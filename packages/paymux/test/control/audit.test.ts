/** The audit log over HTTP: who sees the people in it. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Identity, Role } from "@paymux/dashboard"
import { ask, controlServer } from "./ControlServer.ts"
import type { ControlServer } from "./ControlServer.ts"

const person = (role: Role, name = `${role}@shop.example`): Identity => ({
  id: `usr_${role}`,
  name,
  memberships: [{ account: "shop", modes: ["test"], role }],
  authenticatedAt: Date.now()
})

const people = {
  owner: person("owner"),
  // As of a host whose ids are email addresses.
  second: { ...person("owner", "Second"), id: "second@shop.example" },
  developer: person("developer"),
  operator: person("operator"),
  routing: person("routing"),
  viewer: person("viewer")
}

const page = "/dashboard/api/shop/test/audit"
const invited = "guest@elsewhere.example"
const address = "203.0.113.7"

describe("the audit log", () => {
  let server: ControlServer
  beforeAll(async () => {
    server = await controlServer(people, { dashboard: { trustedProxies: 1 } })
    const headers = { "x-forwarded-for": address }
    for (const as of ["owner", "second"]) {
      const body = { email: invited, role: "viewer" }
      const path = "/dashboard/api/shop/test/team/invitations"
      assert.strictEqual((await ask(server, { method: "POST", path, as, headers, body })).status, 201)
    }
    await server.of({ account: "shop", livemode: false }).apiKeys.create({ name: "backend" })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const listed = async (as: string, query = "") => {
    const response = await ask(server, { path: `${page}${query}`, as })
    assert.strictEqual(response.status, 200)
    const text = await response.text()
    // Boundary: a page of the audit log.
    const { data } = JSON.parse(text) as {
      readonly data: ReadonlyArray<{ readonly action: string; readonly actor: { readonly id: string } }>
    }
    return { text, data }
  }

  it("shows an owner email addresses and the addresses of clients, as the page of the team does", async () => {
    const { text } = await listed("owner")
    for (const shown of [invited, "owner@shop.example", "second@shop.example", address]) assert.include(text, shown)
  })

  it.each(["developer", "operator", "routing", "viewer"])(
    "shows the %s no email address and no address of a client, and still who did what",
    async (role) => {
      assert.strictEqual((await ask(server, { path: "/dashboard/api/shop/test/team", as: role })).status, 403)
      const { data, text } = await listed(role)
      for (const secret of ["@", address]) assert.notInclude(text, secret)
      assert.deepStrictEqual(
        data.map(({ action, actor }) => [action, actor.id]),
        [
          ["api_key.create", "program"],
          ["user.invite", "hidden"],
          ["user.invite", "usr_owner"]
        ]
      )
    }
  )

  it("answers no filter by an email address that the reader may not see", async () => {
    for (const query of [
      `?target=${encodeURIComponent(invited)}`,
      `?actorId=${encodeURIComponent("second@shop.example")}`
    ]) {
      assert.isAbove((await listed("owner", query)).data.length, 0, query)
      assert.deepStrictEqual((await listed("viewer", query)).data, [], query)
    }
    assert.lengthOf((await listed("viewer", "?actorId=usr_owner")).data, 1)
  })
})
