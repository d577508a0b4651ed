/** What `paymux adapter new` makes is checked as its author would: by its own scripts, with what it depends on. */
import { assert, describe, it } from "@effect/vitest"
import { rails } from "@paymux/core"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { amount } from "../../../test/support/amount.ts"
import { newAdapter } from "../src/adapter/newAdapter.ts"
import { failureOf, install, repository, temporaryFolder } from "./adapterFolder.ts"

const slow = 120_000

describe.concurrent("the package of a new adapter", () => {
  // The card is in the template itself, whose own tests run with all others.
  for (const rail of amount<ReadonlyArray<(typeof rails)[number]>>({ part: ["upi"], all: rails })) {
    it(
      `of ${rail} type-checks, its README too, and passes every check`,
      async ({ expect }) => {
        using folder = temporaryFolder()
        const made = await Effect.runPromise(newAdapter({ name: "my-pay", rail, cwd: folder.path, dir: null }))
        install(made.folder)
        const readme = join(made.folder, "README.md")
        writeFileSync(join(made.folder, "test/usage.ts"), usageIn(readFileSync(readme, "utf8")))
        // `-u` writes what these rails declare into their templates; the card's own test does so for the card. Else, as in CI,
        // the README has to have it from the start.
        const update = rail !== "card" && expect.getState().snapshotState.snapshotUpdateState === "all"
        const [types, tests] = await Promise.all([
          failureOf(made.folder, "typescript/bin/tsc", ["--noEmit"]),
          failureOf(made.folder, "vitest/vitest.mjs", ["run", ...(update ? ["-u"] : [])], {
            ...process.env,
            CI: "true",
            NO_COLOR: "1"
          })
        ])
        if (update) copyTable(readme, join(templates, "rails", rail, "README.md"))
        assert.isNull(types, types ?? "")
        assert.isNull(tests, tests ?? "")
      },
      slow
    )
  }
})

const templates = join(repository, "packages/paymux/templates/adapter")

/** The snippet, with the sources beside it instead of the package. */
const usageIn = (readme: string): string => {
  const snippet = /^```ts\n([^]*?)^```$/m.exec(readme)?.[1] ?? "the README has no snippet"
  return `${snippet.replace('"paymux-my-pay"', '"../src/index.ts"')}await paymux.close()\n`
}

const table = /<!-- paymux:capabilities -->[^]*<!-- \/paymux:capabilities -->/

const copyTable = (from: string, to: string): void => {
  const [kept = ""] = table.exec(readFileSync(from, "utf8")) ?? []
  writeFileSync(
    to,
    readFileSync(to, "utf8").replace(table, () => kept)
  )
}
