import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { withSection, writeReliabilitySection } from "../../scripts/reliabilityReport.ts"

describe("the sections of docs/reliability.md", () => {
  it("are replaced between their markers, and nothing around them", () => {
    const page = "# Title\n\n<!-- crash:begin -->\nold\n<!-- crash:end -->\n\nText.\n"
    const once = withSection(page, "crash", "new")
    assert.strictEqual(once, "# Title\n\n<!-- crash:begin -->\nnew\n<!-- crash:end -->\n\nText.\n")
    assert.strictEqual(withSection(once, "crash", "new"), once)
  })

  it("are put at the end where they are missing, and half a pair of markers is refused", () => {
    const both = withSection(withSection("# Title\n", "crash", "a"), "simulate", "b")
    assert.match(
      both,
      /<!-- crash:begin -->\na\n<!-- crash:end -->\n\n<!-- simulate:begin -->\nb\n<!-- simulate:end -->\n$/
    )
    assert.throws(() => withSection("<!-- crash:begin -->\n", "crash", "a"), /pair/)
  })

  it("are written into the file, which is created if it is missing", () => {
    const folder = mkdtempSync(join(tmpdir(), "paymux-report-"))
    const path = join(folder, "reliability.md")
    writeReliabilitySection("crash", "| a |", path)
    assert.match(readFileSync(path, "utf8"), /^# .+\n[^]*<!-- crash:begin -->\n\| a \|\n<!-- crash:end -->\n$/)
    rmSync(folder, { recursive: true })
  })
})
