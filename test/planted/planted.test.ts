/** The planted bugs fit the sources, so that `pnpm planted` can plant them. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { plantedBugs } from "./bugs.ts"
import { moneyBugs } from "./moneyBugs.ts"

describe("a planted bug", () => {
  it("fits: its text is in the file once, and the tests that noticed it are there", () => {
    for (const { caughtBy, file, from, name, package: owner } of [...plantedBugs, ...moneyBugs]) {
      const folder = new URL(`../../packages/${owner}/`, import.meta.url)
      assert.lengthOf(readFileSync(new URL(`src/${file}`, folder), "utf8").split(from), 2, name)
      assert.isTrue(existsSync(new URL(`test/${caughtBy}`, folder)), name)
    }
  })
})
