/** What `paymux.rules` does. */
import type { Tenant } from "@paymux/core"
import { RoutingRules } from "@paymux/dashboard"
import type {
  BacktestResult,
  CheckedDraft,
  CurrentRules,
  ExplainedDecision,
  RulesHistoryPage,
  RulesHistoryQuery,
  RulesPublication,
  RulesRollback,
  RulesSubject,
  RulesVersion,
  RulesVersionText
} from "@paymux/dashboard"
import { Clock, Effect, Predicate } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"

/** What is explained, and by which rules: `text`, or those that decided the stored payment, or the current ones. */
export type ExplainQuery = RulesSubject & { readonly text?: string }

export interface BacktestOptions {
  /** The draft, in YAML. Default: the current rules. */
  readonly text?: string
  /** ms UTC, inclusive. */
  readonly from: number
  /** ms UTC, exclusive. Default: now. */
  readonly until?: number
  /** 0 to 1, several times a second. */
  readonly onProgress?: (done: number) => void
  /** Cancels it: the call rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

/**
 * The routing rules. They apply to all accounts and modes; payments that are explained or replayed are those of this account
 * and mode. Errors: `RulesInvalid` has the line and column of each problem, `RulesWorkFailed` says what took too long.
 */
export interface RulesOperations {
  readonly current: () => Promise<CurrentRules>
  /** Of YAML, against the providers of this process. At most 512 KB and 2,000 rules. */
  readonly check: (text: string) => Promise<CheckedDraft>
  readonly explain: (query: ExplainQuery) => Promise<ExplainedDecision>
  /** Newest first; 20 unless `limit` says otherwise (at most 1000). `ruleset` leads from a payment to its versions. */
  readonly history: (query?: Partial<RulesHistoryQuery>) => Promise<RulesHistoryPage>
  /** `null`: no such version. */
  readonly get: (version: number) => Promise<RulesVersionText | null>
  /** Unified. Rejects with `RulesVersionNotFound`. */
  readonly diff: (from: number, to: number) => Promise<string>
  /**
   * Rules in the database only (`routing: { source: "database" }`). In force in this process when it resolves, and in all
   * others within seconds. Rejects with `RulesConflict`, with a diff, where `from` is not the newest version.
   */
  readonly publish: (publication: RulesPublication) => Promise<RulesVersion>
  /** Publishes the text of the version `to` as a new version. */
  readonly rollback: (rollback: RulesRollback) => Promise<RulesVersion>
  /** Replays stored payments against a draft, in another thread. A restart of this process cancels it. */
  readonly backtest: (options: BacktestOptions) => Promise<BacktestResult>
}

type Run = <A, E>(effect: Effect.Effect<A, E, RoutingRules>) => Promise<A>

export const rulesOperations = (tenant: Tenant, run: Run): RulesOperations => ({
  current: () => run(RoutingRules.use((rules) => rules.current)),
  check: (text) =>
    run(
      Effect.andThen(
        draft(text, ""),
        RoutingRules.use((rules) => rules.check(text))
      )
    ),
  explain: (query) => run(explain(tenant, query)),
  history: (query = {}) => run(history(query)),
  get: (version) =>
    run(
      Effect.andThen(
        asVersion(version, ""),
        Effect.catchTag(
          RoutingRules.use((rules) => rules.get(version)),
          "RulesVersionNotFound",
          () => Effect.succeed(null)
        )
      )
    ),
  diff: (from, to) =>
    run(
      Effect.andThen(
        Effect.all([asVersion(from, "/from"), asVersion(to, "/to")]),
        RoutingRules.use((rules) => rules.diff(from, to))
      )
    ),
  publish: (publication) => run(publish(tenant, publication)),
  rollback: (rollback) => run(rollBack(tenant, rollback)),
  backtest: (options) => run(backtest(tenant, options))
})

const explain = Effect.fnUntraced(function* (tenant: Tenant, query: ExplainQuery) {
  yield* PaymentCalls.onlyKnown(query, ["paymentId", "request", "at", "text"])
  if (query.text !== undefined) yield* draft(query.text, "/text")
  if ("paymentId" in query) {
    if ("request" in query || "at" in query) {
      return yield* PaymentCalls.invalid("/paymentId", "cannot be combined with `request` or `at`")
    }
    if (typeof query.paymentId !== "string") return yield* PaymentCalls.invalid("/paymentId", "must be text")
  } else {
    if (!("request" in query)) return yield* PaymentCalls.invalid("/paymentId", "is missing, or `request` is")
    yield* PaymentCalls.asTime(query.at, "/at")
  }
  return yield* RoutingRules.use((rules) => rules.explain(tenant, query, query.text))
})

const history = Effect.fnUntraced(function* (query: Partial<RulesHistoryQuery>) {
  yield* PaymentCalls.onlyKnown(query, ["ruleset", "after", "limit"])
  const limit = yield* PaymentCalls.asLimit(query.limit)
  for (const name of ["ruleset", "after"] as const) yield* PaymentCalls.asText(query[name], `/${name}`)
  return yield* RoutingRules.use((rules) => rules.history({ ...query, limit }))
})

const publish = Effect.fnUntraced(function* (tenant: Tenant, publication: RulesPublication) {
  yield* PaymentCalls.onlyKnown(publication, ["text", "from", "note", "acceptNoRoute"])
  yield* draft(publication.text, "/text")
  yield* asVersion(publication.from, "/from")
  yield* PaymentCalls.asText(publication.note ?? undefined, "/note")
  yield* asAccepted(publication)
  return yield* RoutingRules.use((rules) => rules.publish(tenant, publication))
})

const asAccepted = ({ acceptNoRoute }: Pick<RulesPublication, "acceptNoRoute">) =>
  acceptNoRoute === undefined || typeof acceptNoRoute === "boolean"
    ? Effect.void
    : PaymentCalls.invalid("/acceptNoRoute", "must be true or false")

const rollBack = Effect.fnUntraced(function* (tenant: Tenant, rollback: RulesRollback) {
  yield* PaymentCalls.onlyKnown(rollback, ["to", "from", "note", "acceptNoRoute"])
  for (const name of ["to", "from"] as const) yield* asVersion(rollback[name], `/${name}`)
  yield* PaymentCalls.asText(rollback.note ?? undefined, "/note")
  yield* asAccepted(rollback)
  return yield* RoutingRules.use((rules) => rules.rollback(tenant, rollback))
})

const backtest = Effect.fnUntraced(function* (tenant: Tenant, options: BacktestOptions) {
  yield* PaymentCalls.onlyKnown(options, ["text", "from", "until", "onProgress", "signal"])
  const { from, onProgress = () => undefined, signal, text } = options
  if (text !== undefined) yield* draft(text, "/text")
  if (from === undefined) return yield* PaymentCalls.invalid("/from", "is missing")
  for (const name of ["from", "until"] as const) yield* PaymentCalls.asTime(options[name], `/${name}`)
  if (typeof onProgress !== "function") return yield* PaymentCalls.invalid("/onProgress", "must be a function")
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    return yield* PaymentCalls.invalid("/signal", "must be an AbortSignal")
  }
  const until = options.until ?? (yield* Clock.currentTimeMillis)
  const replayed = RoutingRules.use((rules) =>
    rules.backtest(tenant, { ...(text === undefined ? {} : { text }), from, until }, onProgress)
  )
  return yield* signal === undefined ? replayed : Effect.raceFirst(replayed, aborted(signal))
})

const aborted = (signal: AbortSignal): Effect.Effect<never, unknown> =>
  Effect.callback((resume) => {
    const stop = () => resume(Effect.fail(signal.reason))
    if (signal.aborted) return stop()
    signal.addEventListener("abort", stop)
    return Effect.sync(() => signal.removeEventListener("abort", stop))
  })

const draft = (text: unknown, pointer: string) =>
  Predicate.isString(text) ? Effect.void : Effect.fail(PaymentCalls.invalid(pointer, "must be the rules as YAML text"))

const asVersion = (version: unknown, pointer: string) =>
  Number.isSafeInteger(version) && Number(version) > 0
    ? Effect.void
    : Effect.fail(PaymentCalls.invalid(pointer, "must be the number of a version, from 1"))
