import { assert, describe, it } from "@effect/vitest"
import { tmpdir } from "node:os"
import { command } from "./ServerProcess.ts"

describe("the help of a command", () => {
  it("describes the flags of every command once, in the help of paymux itself", async () => {
    const [root, cancel] = [await command(tmpdir(), "--help"), await command(tmpdir(), "payments", "cancel", "--help")]
    assert.include(root.stdout, "GLOBAL FLAGS")
    assert.include(cancel.stdout, "--idempotency-key")
    assert.notInclude(cancel.stdout, "GLOBAL FLAGS")
  })
})
