/** What the worker thread of the rules does. It has a connection of its own, which only reads. */
import { PaymentStore } from "@paymux/core/store"
import type { StoreUnavailable } from "@paymux/core/store"
import { RulesWorkFailed } from "@paymux/dashboard"
import type { BacktestResult, MovedPayment, RulesInvalid } from "@paymux/dashboard"
import { Backtest, compile, explain, explainDecided, facts, unknownHealth } from "@paymux/routing"
import type { CompiledRouting, Explanation, Health } from "@paymux/routing"
import { createTwoFilesPatch } from "diff"
import { Effect } from "effect"
import { readingLayer } from "../../Database.ts"
import { parseDatabaseUrl } from "../../options/DatabaseUrl.ts"
import { checkFile } from "../checkFile.ts"
import { checkText, checkToJson } from "../draft.ts"
import { replay } from "../replay.ts"
import { successRatesAt } from "../successRatesAt.ts"
import type { RulesTask, RulesTasks, RulesWorkerData, SubjectOfRules, TaskName, WrittenRules } from "./RulesTask.ts"

type Failure = RulesInvalid | RulesWorkFailed

interface Surroundings extends RulesWorkerData {
  /** 0 to 1 */
  readonly show: (done: number) => Effect.Effect<void>
}

type Run<Name extends TaskName> = (
  given: RulesTasks[Name]["given"],
  surroundings: Surroundings
) => Effect.Effect<RulesTasks[Name]["answer"], Failure>

export const runTask = <Name extends TaskName>(
  { given, name }: RulesTask<Name>,
  surroundings: Surroundings
): Effect.Effect<RulesTasks[Name]["answer"], Failure> => {
  const run: Run<Name> = runs[name]
  return run(given, surroundings)
}

const explainByRules: Run<"Explain"> = Effect.fnUntraced(function* ({ rules, ...subject }, surroundings) {
  const routing = yield* compiled(rules, surroundings)
  const health = yield* healthAt(routing, subject.time, surroundings)
  const explanation = explain(routing, subject.payment, factsOf(subject), health)
  return { explanation, ratesUnknown: health === unknownHealth && asksForRates(explanation) }
})

const explainAsDecided: Run<"ExplainDecided"> = ({ decision, json, ...subject }) =>
  Effect.sync(() => {
    const explanation = explainDecided(JSON.parse(json), decision, factsOf(subject))
    return explanation === null ? null : { explanation, ratesUnknown: false }
  })

const factsOf = ({ id, payment, tenant, time }: SubjectOfRules) => facts(payment, tenant, id, time)

const asksForRates = ({ answer }: Explanation): boolean =>
  answer._tag === "Plan" && answer.candidates.some(({ reason }) => reason.includes("success_rate "))

/** As the success rates were at that moment; breakers are taken as closed. */
const healthAt = ({ lenses }: CompiledRouting, time: number, { database }: Surroundings) =>
  database === null || lenses.length === 0
    ? Effect.succeed<Health>(unknownHealth)
    : reading(database, (store) => successRatesAt(lenses, time, store))

const compiled = Effect.fnUntraced(function* (rules: WrittenRules, { providers }: Surroundings) {
  if ("text" in rules) return (yield* checkText(rules.text, providers)).routing
  // They are in force, so they compile; where they do not, the providers were changed under them.
  return yield* Effect.mapError(
    compile(JSON.parse(rules.json), providers),
    ({ message }) => new RulesWorkFailed({ reason: message })
  )
})

const diff: Run<"Diff"> = ({ from, to }) =>
  Effect.sync(() =>
    from.text === to.text
      ? ""
      : (createTwoFilesPatch(from.name, to.name, from.text, to.text, undefined, undefined, {
          context: 3,
          timeout: DIFF_MS
        }) ?? null)
  )

const DIFF_MS = 5_000

const backtest: Run<"Backtest"> = Effect.fnUntraced(function* ({ range, rules, tenant }, surroundings) {
  const { database, show } = surroundings
  if (database === null) {
    return yield* new RulesWorkFailed({
      reason: "A backtest needs a database that another thread can read: a file of SQLite, or PostgreSQL."
    })
  }
  const { moved, replayed } = collecting(Backtest.make(yield* compiled(rules, surroundings)))
  const report = yield* reading(database, ({ routed }) => replay(routed, replayed, tenant, range, show))
  return { report, moved } satisfies BacktestResult
})

/** Of payments that would go elsewhere, so many are named; all are counted. */
const MOST_MOVED = 1_000

const collecting = (backtest: Backtest.Backtest) => {
  const moved: Array<MovedPayment> = []
  const add: Backtest.Backtest["add"] = (routed) => {
    const asked = backtest.add(routed)
    const { createdAt, id } = routed.payment
    if (asked.after !== asked.before && moved.length < MOST_MOVED) moved.push({ paymentId: id, createdAt, ...asked })
    return asked
  }
  return { moved, replayed: { ...backtest, add } }
}

const reading = <A>(url: string, read: (store: PaymentStore["Service"]) => Effect.Effect<A, StoreUnavailable>) => {
  const database = parseDatabaseUrl(url)
  if (database._tag === "Refused") return Effect.fail(new RulesWorkFailed({ reason: database.sentence }))
  return Effect.flatMap(PaymentStore, read).pipe(
    Effect.provide(readingLayer(database)),
    Effect.mapError(
      (error) =>
        new RulesWorkFailed({
          reason: error._tag === "StoreUnavailable" ? "The database is unavailable." : error.message
        })
    )
  )
}

const runs: { readonly [Name in TaskName]: Run<Name> } = {
  Check: ({ text }, { providers }) => checkToJson(text, providers),
  CheckFile: (given, { providers }) => checkFile(given, providers),
  Explain: explainByRules,
  ExplainDecided: explainAsDecided,
  Diff: diff,
  Backtest: backtest
}
