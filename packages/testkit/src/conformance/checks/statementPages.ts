/** Reads the statement of an adapter, as the engine does: a page that is not one of the contract is none. */
import type { ProviderError } from "@paymux/core"
import type { StatementMovement, StatementPage, StatementQuery } from "@paymux/core/statement"
import { readStatementPage, StatementInvalid } from "@paymux/core/engine"
import { Cause, Clock, Effect, Exit } from "effect"
import type { CheckFailed, CheckFacts } from "../ConformanceCheck.ts"
import type { TestHarness } from "../ConformanceContext.ts"
import { exitWithin } from "../realTime.ts"

export const withoutStatement = ({ capabilities }: CheckFacts): string | null =>
  capabilities.statement === undefined ? "it declares no statement" : null

export type PageEnding =
  | { readonly _tag: "Page"; readonly page: StatementPage }
  | { readonly _tag: "Failed"; readonly error: ProviderError }
  /** It is none of the contract, or the call threw or did not end. */
  | { readonly _tag: "NoPage"; readonly problem: string }

export type Window = Pick<StatementQuery, "since" | "until">

export const pageOf = (harness: TestHarness, query: StatementQuery): Effect.Effect<PageEnding> => {
  const { statement } = harness.operations
  if (statement === undefined) return Effect.succeed({ _tag: "NoPage", problem: "there is no statement function" })
  return Effect.map(exitWithin(Effect.suspend(() => statement(query))), (exit): PageEnding => {
    if (exit === null) return { _tag: "NoPage", problem: "no page: it did not end" }
    if (!Exit.isSuccess(exit)) {
      const failure = exit.cause.reasons.find(Cause.isFailReason)
      return failure === undefined
        ? { _tag: "NoPage", problem: `no page: it threw ${Cause.pretty(exit.cause).split("\n")[0] ?? "something"}` }
        : { _tag: "Failed", error: failure.error }
    }
    const page = readStatementPage(exit.value)
    return page instanceof StatementInvalid ? { _tag: "NoPage", problem: page.message } : { _tag: "Page", page }
  })
}

/** All pages of the window. `between` happens after the first one. */
export const pagesOf = Effect.fnUntraced(function* (
  harness: TestHarness,
  window: Window,
  between: Effect.Effect<unknown> = Effect.void
): Effect.fn.Return<ReadonlyArray<StatementPage>, CheckFailed> {
  const pages: Array<StatementPage> = []
  let cursor: string | null = null
  do {
    const ending: PageEnding = yield* pageOf(harness, { ...window, cursor })
    const tried = `page ${pages.length + 1} of the statement ${windowText(window)}`
    if (ending._tag !== "Page") {
      return yield* harness.broken({ tried, expected: "a page", seen: describePage(ending) })
    }
    const next: string | null = ending.page.next
    yield* harness.expect(next === null || (next !== cursor && pages.length < mostPages), {
      tried,
      expected: `another cursor than the one that was given, and at most ${mostPages} pages`,
      seen: `the cursor ${JSON.stringify(next)}`
    })
    pages.push(ending.page)
    if (pages.length === 1) yield* between
    cursor = next
  } while (cursor !== null)
  return pages
})

/** Each movement once: one that comes again is the same. */
export const movementsOf = Effect.fnUntraced(function* (
  harness: TestHarness,
  window: Window
): Effect.fn.Return<ReadonlyArray<StatementMovement>, CheckFailed> {
  const found = new Map<string, StatementMovement>()
  for (const { movements } of yield* pagesOf(harness, window)) {
    for (const movement of movements) {
      const before = found.get(movement.id)
      yield* harness.expect(before === undefined || JSON.stringify(before) === JSON.stringify(movement), {
        tried: `the statement ${windowText(window)}`,
        expected: "an id for each movement, with the same content whenever it is read",
        seen: `two movements ${movement.id}: ${JSON.stringify(before)} and ${JSON.stringify(movement)}`
      })
      found.set(movement.id, movement)
    }
  }
  return [...found.values()]
})

/** The last day. */
export const wholeWindow: Effect.Effect<Window> = Effect.map(Clock.currentTimeMillis, (now) => ({
  since: now - 24 * 3_600_000,
  until: now
}))

export const describePage = (ending: PageEnding): string => {
  switch (ending._tag) {
    case "Page":
      return `a page of ${ending.page.movements.length} movements, ${ending.page.next === null ? "the last" : "with a next one"}`
    case "Failed":
      return `a ProviderError ${JSON.stringify(ending.error.reason)}`
    case "NoPage":
      return ending.problem
  }
}

export const windowText = ({ since, until }: Window): string => `from ${timeText(since)} until ${timeText(until)}`

export const timeText = (ms: number): string => new Date(ms).toISOString()

/** More than any check books. */
const mostPages = 500
