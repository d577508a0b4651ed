/** A provider whose statement stops at a page until a file is removed, so that a test can act in the middle of a run. */
import type { Provider } from "@paymux/core"
import type { StatementMovement, StatementQuery } from "@paymux/core/statement"
import { Effect } from "effect"
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { instantProvider } from "../../../../test/bench/InstantProvider.ts"

/** One movement for each page, from `statement.json` in the folder. */
export const stalledStatement = (folder: string): Provider => {
  const { isStalled, note, pages } = statementFiles(folder)
  const statement = Effect.fnUntraced(function* ({ cursor }: StatementQuery) {
    note(cursor)
    while (isStalled(cursor)) yield* Effect.sleep("20 millis")
    const place = Number(cursor ?? 0)
    const movements = pages()
    return { movements: movements.slice(place, place + 1), next: place + 1 < movements.length ? `${place + 1}` : null }
  })
  return {
    ...instantProvider,
    capabilities: { ...instantProvider.capabilities, statement: { bookedWithin: 1 } },
    make: (context) => Effect.map(instantProvider.make(context), (operations) => ({ ...operations, statement }))
  }
}

/** What the test and the provider write for each other. */
export const statementFiles = (folder: string) => {
  const [statement, stall, asked] = ["statement.json", "stall", "asked"].map((name) => join(folder, name)) as [
    string,
    string,
    string
  ]
  return {
    stall,
    write: (movements: ReadonlyArray<StatementMovement>) => writeFileSync(statement, JSON.stringify(movements)),
    // Boundary: `write` wrote them.
    pages: () => JSON.parse(readFileSync(statement, "utf8")) as ReadonlyArray<StatementMovement>,
    stallAt: (cursor: string) => writeFileSync(stall, cursor),
    isStalled: (cursor: string | null) => existsSync(stall) && readFileSync(stall, "utf8") === cursor,
    note: (cursor: string | null) => appendFileSync(asked, `${cursor ?? "first"}\n`),
    /** The cursors that the provider was asked for, by all processes. */
    asked: () => (existsSync(asked) ? readFileSync(asked, "utf8").split("\n").slice(0, -1) : [])
  }
}
