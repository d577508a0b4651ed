/** The table of problems in the documentation has the words of the pages that a server shows. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { failureCodes } from "@paymux/core/store"
import { errorsReference } from "../scripts/errors-reference.ts"

const page = readFileSync(resolve(import.meta.dirname, "../docs/reference/errors.md"), "utf8")

describe("docs/reference/errors.md", () => {
  it("gets it back where it was changed, and keeps what stands around it", () => {
    const changed = page.replace(/^\| `not_found` .*$/m, "| `gone` | 404 | | |")
    assert.notStrictEqual(changed, page)
    assert.strictEqual(errorsReference(changed), page)
  })

  it("has a cell for what to do about each, and no cell that breaks its row", () => {
    const rows = page.split("\n").filter((line) => /^\| `\w+` \| \d{3} \|/.test(line))
    assert.isAbove(rows.length, 20)
    for (const row of rows) assert.match(row, /^(?:\| [^|]+ ){4}\|$/)
  })

  it("names every code of a payment that failed", () => {
    for (const code of failureCodes) assert.match(page, new RegExp(`^\\| .*\`${code}\``, "m"))
  })

  it("is not written where its markers are no pair", () => {
    assert.throws(() => errorsReference("# Errors"), /markers/)
    assert.throws(() => errorsReference("<!-- problems:end --><!-- problems:begin -->"), /markers/)
  })
})
