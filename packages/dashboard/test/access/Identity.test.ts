import { assert, describe, it } from "@effect/vitest"
import { hasRoleInEveryAccount } from "../../src/server/access/Identity.ts"
import type { Membership } from "../../src/server/access/Identity.ts"
import type { Role } from "../../src/server/audit/Actor.ts"

const of = (account: string | null, role: Role, ...modes: ReadonlyArray<"test" | "live">): Membership => ({
  account,
  role,
  modes
})

describe("a role in every account of a mode", () => {
  it.each([
    ["no membership", [], false],
    ["of one account", [of("shop_a", "owner", "test")], false],
    ["of every account", [of(null, "operator", "test")], true],
    ["of every account, in the other mode", [of(null, "operator", "live")], false],
    ["a role that does not allow it", [of(null, "viewer", "test")], false],
    ["another that does allow it in one account", [of(null, "viewer", "test"), of("shop_a", "owner", "test")], false],
    [
      "one that does not allow it in one account",
      [of(null, "operator", "test"), of("shop_a", "viewer", "test")],
      false
    ],
    ["one account in the other mode alone", [of(null, "operator", "test"), of("shop_a", "owner", "live")], false],
    ["another that allows it in one account", [of(null, "operator", "test"), of("shop_a", "owner", "test")], true],
    ["different roles in test and live", [of(null, "viewer", "live"), of(null, "owner", "test")], true]
  ])("%s", (_, memberships, expected) => {
    const identity = { id: "usr_1", name: "asha", memberships, authenticatedAt: 0 }
    assert.strictEqual(hasRoleInEveryAccount(identity, false, ["owner", "operator"]), expected)
  })
})
