import { assert, describe, it } from "@effect/vitest"
import { conformanceLaws, lawIds } from "@paymux/testkit"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { lawsPage } from "../../scripts/laws.ts"

describe("the laws of a provider", () => {
  it("are told in LAWS.md as they are: else run pnpm generate", () => {
    const page = readFileSync(resolve(import.meta.dirname, "../../packages/testkit/LAWS.md"), "utf8")
    assert.strictEqual(page, lawsPage())
  })

  it("are each tried, in the order of their names", () => {
    assert.deepStrictEqual(
      conformanceLaws.map(({ id }) => id),
      [...lawIds]
    )
  })
})
