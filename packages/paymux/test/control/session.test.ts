/** What the session says of its person: the accounts and modes that they may open. */
import { assert, describe, it } from "@effect/vitest"
import type { Identity } from "@paymux/dashboard"
import { ask, controlServer } from "./ControlServer.ts"
import type { ControlServer } from "./ControlServer.ts"
import { liveProvider } from "./liveProvider.ts"

const person = (memberships: Identity["memberships"]): Identity => ({
  id: "usr_1",
  name: "asha@shop.example",
  memberships,
  authenticatedAt: Date.now()
})

const people = {
  everywhere: person([{ account: null, modes: ["test", "live"], role: "operator" }]),
  shop: person([{ account: "shop_c", modes: ["test", "live"], role: "owner" }])
}

interface OpenAccount {
  readonly account: string
  readonly mode: string
  readonly role: string
}

const accountsOf = async (server: ControlServer, as: keyof typeof people) => {
  const response = await ask(server, { path: "/dashboard/api/session", as })
  assert.strictEqual(response.status, 200)
  const { accounts }: { readonly accounts: ReadonlyArray<OpenAccount> } = JSON.parse(await response.text())
  return accounts
}

describe("the accounts of a session", () => {
  it("are, for a person in every account, those with a key or a member", async () => {
    await using server = await controlServer(people)
    assert.deepStrictEqual(await accountsOf(server, "everywhere"), [
      { account: "default", mode: "test", role: "operator" }
    ])
    await server.of({ account: "shop_b", livemode: false }).apiKeys.create({ name: "server" })
    await server.addUser("shop_a")
    assert.deepStrictEqual(await accountsOf(server, "everywhere"), [
      { account: "default", mode: "test", role: "operator" },
      { account: "shop_a", mode: "test", role: "operator" },
      { account: "shop_b", mode: "test", role: "operator" }
    ])
    assert.deepStrictEqual(await accountsOf(server, "shop"), [{ account: "shop_c", mode: "test", role: "owner" }])
  })

  it("have live mode where there may be live payments, and each of them opens", async () => {
    await using server = await controlServer(people, {
      sandbox: false,
      providers: [liveProvider],
      secret: "a secret of a test, with 32 characters",
      dashboard: {}
    })
    const accounts = await accountsOf(server, "shop")
    assert.deepStrictEqual(accounts, [
      { account: "shop_c", mode: "test", role: "owner" },
      { account: "shop_c", mode: "live", role: "owner" }
    ])
    for (const { account, mode } of accounts) {
      const { status } = await ask(server, { path: `/dashboard/api/${account}/${mode}/keys`, as: "shop" })
      assert.strictEqual(status, 200)
    }
  })
})
