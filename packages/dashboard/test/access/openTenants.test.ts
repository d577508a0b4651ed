import { assert, describe, it } from "@effect/vitest"
import type { Membership } from "../../src/server/access/Identity.ts"
import { openTenants } from "../../src/server/access/openTenants.ts"

const opened = (
  memberships: ReadonlyArray<Membership>,
  accounts: ReadonlyArray<string> = [],
  hasLiveMode = true
): ReadonlyArray<string> =>
  openTenants({ id: "usr_1", name: "asha", memberships, authenticatedAt: 0 }, { accounts, hasLiveMode }).map(
    ({ account, mode, role }) => `${account}/${mode} ${role}`
  )

const modes = ["test", "live"] as const

describe("the accounts and modes that a person may open", () => {
  it("a membership of every account opens all that are known, and default", () => {
    assert.deepStrictEqual(
      opened([{ account: null, modes, role: "viewer" }], ["shop_b", "Zebra", "shop_a", "shop_b"]),
      [
        "default/test viewer",
        "default/live viewer",
        "Zebra/test viewer",
        "Zebra/live viewer",
        "shop_a/test viewer",
        "shop_a/live viewer",
        "shop_b/test viewer",
        "shop_b/live viewer"
      ]
    )
  })

  it("a membership of one account opens that one, also before it has a key", () => {
    assert.deepStrictEqual(opened([{ account: "shop_a", modes, role: "owner" }], ["default", "shop_b"]), [
      "shop_a/test owner",
      "shop_a/live owner"
    ])
  })

  it("a membership of the account takes precedence, also where it gives less", () => {
    const memberships = [
      { account: null, modes, role: "owner" },
      { account: "shop_a", modes: ["test"], role: "viewer" }
    ] as const
    assert.deepStrictEqual(opened(memberships, ["shop_a"]), [
      "default/test owner",
      "default/live owner",
      "shop_a/test viewer"
    ])
  })

  it("there is no live mode where the installation has none, nor without a right to it", () => {
    assert.deepStrictEqual(opened([{ account: null, modes, role: "owner" }], [], false), ["default/test owner"])
    assert.deepStrictEqual(opened([{ account: null, modes: ["test"], role: "owner" }]), ["default/test owner"])
    assert.deepStrictEqual(opened([{ account: "shop_a", modes: ["live"], role: "owner" }], [], false), [])
  })

  it("without a membership there is nothing", () => {
    assert.deepStrictEqual(opened([], ["default", "shop_a"]), [])
  })
})
