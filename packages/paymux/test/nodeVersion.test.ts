import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { nodeProblem } from "../src/nodeVersion.ts"

const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8")

describe("the command", () => {
  it("says which Node it needs, where the one at hand is older", () => {
    for (const version of ["22.19.0", "22.20.1", "23.0.0", "26.10.0"]) assert.isNull(nodeProblem(version), version)
    for (const version of ["22.18.9", "20.20.2", "18.0.0", "8.0.0"]) {
      assert.strictEqual(nodeProblem(version), `Paymux needs Node 22.19 or later; this is ${version}.`)
    }
  })

  it("needs the Node that its package asks for", () => {
    assert.include(manifest, '"node": ">=22.19"')
  })
})
