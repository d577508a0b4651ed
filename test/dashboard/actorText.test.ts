import { assert, describe, it } from "@effect/vitest"
import { actorText, programText } from "../../packages/dashboard/app/src/pages/audit/actorText.ts"

describe("who acted, as the pages name them", () => {
  it.each([
    [{ kind: "program", id: "program", name: null }, "The program"],
    [{ kind: "program", id: "nightly-refunds", name: null }, "nightly-refunds"],
    [{ kind: "program", id: "program", name: "Nightly refunds" }, "Nightly refunds"],
    [{ kind: "user", id: "usr_1", name: "asha.rao@shop.example" }, "asha.rao@shop.example"]
  ] as const)("%o is %s", (actor, text) => {
    assert.strictEqual(actorText(actor), text)
  })

  it("is the same for an invitation", () => {
    assert.strictEqual(programText("program"), "The program")
    assert.strictEqual(programText("asha.rao@shop.example"), "asha.rao@shop.example")
  })
})
