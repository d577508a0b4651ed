import { assert, describe, it } from "@effect/vitest"
import { conformanceChecks, checkIds } from "@paymux/testkit"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { checksPage } from "../../scripts/conformance.ts"

describe("the conformance checks", () => {
  it("are described in CONFORMANCE.md as they are: else run pnpm generate", () => {
    const page = readFileSync(resolve(import.meta.dirname, "../../packages/testkit/CONFORMANCE.md"), "utf8")
    assert.strictEqual(page, checksPage())
  })

  it("are each tried, in the order of their names", () => {
    assert.deepStrictEqual(
      conformanceChecks.map(({ id }) => id),
      [...checkIds]
    )
  })
})
