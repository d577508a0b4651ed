/** What others met at these providers: each row of an adapter's README names a test that exists. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")
const adapters = ["adyen", "cashfree", "coinbase", "evm", "razorpay", "stripe"]

interface Row {
  readonly report: string
  readonly file: string
  readonly title: string
}

const rowsOf = (readme: string): ReadonlyArray<Row> => {
  const [, section = ""] = readme.split("## Surprises that others reported")
  const [table = ""] = section.split("\n## ")
  return [...table.matchAll(/^\| \[[^\]]+\]\((\S+)\) \|.*\| `(\S+)`: (.+) \|$/gm)].map(
    ([, report = "", file = "", title = ""]) => ({ report, file, title })
  )
}

describe("the surprises that others reported", () => {
  for (const adapter of adapters) {
    const folder = join(root, "packages/adapters", adapter)
    const readme = readFileSync(join(folder, "README.md"), "utf8")
    const rows = rowsOf(readme)

    it(`of ${adapter} are public threads, each with a test that exists`, () => {
      assert.lengthOf(rows, readme.split(/^\| \[/m).length - 1)
      assert.isAtLeast(rows.length, 3)
      for (const { file, report, title } of rows) {
        assert.match(report, /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(issues|pull)\/\d+$/)
        const path = [join(folder, file), join(root, file), join(root, "packages/testkit", file)].find(existsSync)
        assert.isTrue(path !== undefined && readFileSync(path, "utf8").includes(title), `${file}: ${title}`)
      }
    })
  }
})
