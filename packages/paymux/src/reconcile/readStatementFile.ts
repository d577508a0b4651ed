/** Reads a report of a provider from a file. Nothing of a file is lost: what stands before its first fault is entered. */
import type { Provider } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { Statements } from "@paymux/sql"
import type { StatementRun } from "@paymux/sql"
import { Effect } from "effect"
import { basename } from "node:path"
import { csvPages } from "./csv/csvPages.ts"
import type { CsvPage } from "./csv/csvPages.ts"
import type { CsvStatement } from "./csv/CsvStatement.ts"
import { heldStatement } from "./heldStatement.ts"
import { rulesOf } from "./rulesOf.ts"
import { StatementUnread } from "./StatementUnread.ts"

export interface StatementFile {
  readonly file: string
  readonly mapping: CsvStatement
  /** ms UTC: the whole of this time is in the file. `null`: unknown, so nothing is missing in it. */
  readonly window: { readonly since: number; readonly until: number } | null
}

/** Of a provider whose adapter has no statement. */
const undeclared = { bookedWithin: "3 days" } as const

export const readStatementFile = Effect.fnUntraced(function* (
  { capabilities, id, mode }: Provider,
  { file, mapping, window }: StatementFile,
  owner: string,
  show: (run: StatementRun, bytes: number) => Effect.Effect<void> = () => Effect.void
) {
  const rules = rulesOf(capabilities.statement ?? undeclared)
  return yield* heldStatement(
    id,
    owner,
    Effect.fnUntraced(function* (renew: Effect.Effect<void, StatementUnread>) {
      const statements = yield* Statements
      const now = yield* PaymentStore.use((store) => store.now)
      const { since, until } = window ?? { since: 0, until: 0 }
      const source = `file:${basename(file)}`
      let run = yield* statements.begin({
        provider: id,
        livemode: mode === "live",
        source,
        since,
        until: Math.min(until, now)
      })
      const pages = csvPages(file, mapping)
      const closeFile = Effect.promise(() => pages.return())
      const readPages = Effect.gen(function* () {
        while (run.state === "reading") {
          yield* renew
          const page = yield* nextPage(pages)
          const next = page.isLast ? null : String(page.bytes)
          run = yield* statements.enter(run, { movements: page.movements, next }, rules)
          yield* show(run, page.bytes)
          if (page.fault === null) continue
          yield* statements.stop(run, "failed", page.fault)
          return yield* new StatementUnread({ provider: id, problem: page.fault, isFinal: true })
        }
      })
      yield* Effect.ensuring(readPages, closeFile)
      if (window === null) return yield* statements.end(run)
      while (run.state === "comparing") {
        yield* renew
        run = yield* statements.compare(run, rules)
      }
      return run
    })
  )
})

const nextPage = (pages: AsyncGenerator<CsvPage, void>) =>
  Effect.map(
    Effect.promise(() => pages.next()),
    ({ value }) => (value === undefined ? { ...nothing, isLast: true } : { ...value, isLast: false })
  )

const nothing: CsvPage = { movements: [], bytes: 0, fault: null }
