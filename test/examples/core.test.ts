/** The example of the engine alone, run as it stands, in a process of its own. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../..")
const example = join(root, "docs/examples/core/pay.ts")
const source = readFileSync(example, "utf8")

describe("docs/examples/core", () => {
  it("is paid at the second provider when the first declines and when the first is down", () => {
    const { status, stdout } = spawnSync(process.execPath, [example], { encoding: "utf8" })
    assert.strictEqual(status, 0)
    assert.deepStrictEqual(
      stdout.split("\n").filter((line) => line.startsWith("succeeded")),
      ["succeeded first declined second succeeded", "succeeded first not_executed second succeeded"]
    )
  })

  it("needs no other package than core, effect and the testkit with its store, and 25 lines", () => {
    const imported = [...source.matchAll(/ from "([^"]+)"/g)].map(([, specifier]) => specifier)
    assert.deepStrictEqual(imported, ["@paymux/core", "@paymux/testkit/memory-store", "effect"])
    assert.isAtMost(source.trimEnd().split("\n").length, 25)
  })

  it("stands in the README of core as it is", () => {
    assert.include(readFileSync(join(root, "packages/core/README.md"), "utf8"), `\`\`\`ts\n${source}\`\`\``)
  })
})
