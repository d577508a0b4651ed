/**
 * Reads a provider's statement page by page, and compares the books with it. What a page says is durable before the next one
 * is read: after a kill, the run continues at the next page. One process reads a provider at a time.
 */
import { isProviderError, type Provider, type ProviderOperations } from "@paymux/core"
import type { StatementPage } from "@paymux/core/statement"
import { readStatementPage, StatementInvalid } from "@paymux/core/engine"
import { PaymentStore } from "@paymux/core/store"
import { Statements } from "@paymux/sql"
import type { StatementRules, StatementRun } from "@paymux/sql"
import { Effect, Schedule } from "effect"
import { printable } from "../printable.ts"
import { heldStatement } from "./heldStatement.ts"
import { pageTrail } from "./PageTrail.ts"
import type { PageTrail } from "./PageTrail.ts"
import { rulesOf } from "./rulesOf.ts"
import { StatementUnread } from "./StatementUnread.ts"

/** An instance that is made. */
export interface StatementSource {
  readonly provider: Provider
  readonly operations: Pick<ProviderOperations, "statement">
}

/** ms UTC; `null`: from where the last run ended, and up to now. */
export interface StatementWindow {
  readonly since: number | null
  readonly until: number | null
}

/** Called after each page. */
export type ShowRun = (run: StatementRun) => Effect.Effect<void>

export const readStatement = Effect.fnUntraced(function* (
  source: StatementSource,
  window: StatementWindow,
  owner: string,
  show: ShowRun = () => Effect.void
) {
  const { capabilities, id } = source.provider
  const { statement } = source.operations
  if (capabilities.statement === undefined || statement === undefined) {
    return yield* refused(id, "its adapter has none. Read a report of the provider with --file.")
  }
  const rules = rulesOf(capabilities.statement)
  return yield* heldStatement(
    id,
    owner,
    Effect.fnUntraced(function* (renew: Effect.Effect<void, StatementUnread>) {
      let run = yield* started(source.provider, window, rules)
      const trail = pageTrail(run.state === "reading" ? run.cursor : null)
      while (run.state === "reading" || run.state === "comparing") {
        yield* renew
        run =
          run.state === "reading"
            ? yield* readPage(run, statement, rules, trail)
            : yield* Statements.use((statements) => statements.compare(run, rules))
        yield* show(run)
      }
      return run
    })
  )
})

const refused = (provider: string, problem: string, isFinal = true) =>
  Effect.fail(new StatementUnread({ provider, problem, isFinal }))

/** ms: of a first run, how far back it reads. */
const firstRun = 30 * 24 * 60 * 60_000

const started = Effect.fnUntraced(function* (
  { id, mode }: Provider,
  { since, until }: StatementWindow,
  { bookedWithin }: StatementRules
) {
  const place = { provider: id, livemode: mode === "live" }
  const statements = yield* Statements
  const now = yield* PaymentStore.use((store) => store.now)
  const unfinished = yield* statements.unfinished(place)
  if (unfinished !== null && (since === null || since === unfinished.since) && (until ?? now) >= unfinished.until) {
    return unfinished
  }
  // What was not booked yet at the end of the last run is read again.
  const last = yield* statements.readUntil(place)
  const from = since ?? (last === null ? now - firstRun : last - bookedWithin)
  const to = Math.min(until ?? now, now)
  if (from >= to) return yield* refused(id, "the time to read is empty: --since must be before --until and before now.")
  return yield* statements.begin({ ...place, source: "provider", since: Math.max(0, from), until: to })
})

const readPage = Effect.fnUntraced(function* (
  run: StatementRun,
  statement: NonNullable<ProviderOperations["statement"]>,
  rules: StatementRules,
  trail: PageTrail
) {
  const { cursor, provider, since, until } = run
  // An adapter may also throw before it returns an effect.
  const answered: unknown = yield* Effect.suspend(() => statement({ since, until, cursor })).pipe(
    Effect.timeout(pageTimeout),
    Effect.retry({ schedule: again, times: 4, while: isTransient }),
    Effect.catch((error) => (isTransient(error) ? notNow(provider) : failed(run, reasonOf(error)))),
    Effect.catchDefect(() => notNow(provider))
  )
  const page = readStatementPage(answered)
  if (page instanceof StatementInvalid) return yield* failed(run, page.message)
  const problem = trail.problemOf(page)
  if (problem !== null) return yield* failed(run, problem)
  return yield* enterWhole(run, page, rules)
})

const enterWhole = (run: StatementRun, page: StatementPage, rules: StatementRules) =>
  Statements.use((statements) => statements.enter(run, page, rules))

const pageTimeout = "60 seconds"
const again = Schedule.exponential("1 second")

/** A rate limit, or no answer. A refusal of the credentials, of the account or of the request stays one. */
const isTransient = (error: unknown): boolean => {
  const tag = tagOf(error)
  return tag !== "Misconfigured" && tag !== "AccountNotEnabled" && tag !== "InvalidRequest"
}

const tagOf = (error: unknown): unknown => (isProviderError(error) ? error.reason._tag : null)

/** What the adapter reports is for operators: it has no secret, and may repeat the vendor's ids. */
const reasonOf = (error: unknown): string => {
  const reason = isProviderError(error) && error.reason._tag !== "RateLimited" ? error.reason : null
  if (reason?._tag === "AccountNotEnabled") {
    const code = printable(reason.code.slice(0, 200))
    return `the account is not enabled for its statement (${code}): enable it there, or read a report of the provider with --file.`
  }
  const detail = printable((reason?.detail ?? "no detail").slice(0, 200))
  return reason?._tag === "Misconfigured"
    ? `it refused the credentials (${detail}): check the keys and options of this instance.`
    : `it refused the request, or cannot be read (${detail}): update the adapter, or report this to its author.`
}

const notNow = (provider: string) =>
  refused(provider, "it did not answer. The next run continues where this one stopped.", false)

const failed = (run: StatementRun, problem: string) =>
  Effect.andThen(
    Statements.use((statements) => statements.stop(run, "failed", problem)),
    refused(run.provider, problem)
  )
