/** The handlers of routing rules. */
import type { Tenant } from "@paymux/core"
import type { ApiProblem } from "@paymux/http"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentCaller, CurrentTenant } from "../../access/AccessControl.ts"
import { seesContacts, withoutEmail } from "../../audit/withoutContacts.ts"
import * as BacktestRuns from "../../rules/BacktestRuns.ts"
import { RoutingRules } from "../../rules/RoutingRules.ts"
import type { RulesHistoryQuery, RulesSubject, RulesVersion } from "../../rules/RoutingRules.ts"
import type { RulesRequestInvalid } from "../../rules/RulesErrors.ts"
import { ControlApi } from "../ControlApi.ts"
import { bodyOf, expectedVersion, invalid, missing, withVersion } from "../controlHandler.ts"
import { defaultLimit } from "../fields.ts"
import { NewBacktest } from "./backtestShapes.ts"
import { ruled } from "./rulesProblems.ts"
import { Draft, Explain, Publication, Rollback } from "./rulesShapes.ts"

type Rules = RoutingRules["Service"]
type Runs = Effect.Success<ReturnType<typeof BacktestRuns.make>>

export const rulesHandlers = HttpApiBuilder.group(ControlApi, "rules", (handlers) =>
  Effect.gen(function* () {
    const rules = yield* RoutingRules
    const runs = yield* BacktestRuns.make(rules)
    return handlers
      .handle("current", () => ruled(current(rules)))
      .handle("vocabulary", () => Effect.succeed(rules.vocabulary))
      .handle("history", ({ query }) => ruled(history(rules, { limit: defaultLimit, ...query })))
      .handle("get", ({ params }) => ruled(get(rules, params.id)))
      .handle("diff", ({ query: { from, to } }) => ruled(Effect.map(rules.diff(from, to), (diff) => ({ diff }))))
      .handleRaw("check", () => ruled(Effect.flatMap(bodyOf(Draft), ({ text }) => rules.check(text))))
      .handleRaw("explain", () => ruled(explain(rules)))
      .handleRaw("publish", () => ruled(publish(rules)))
      .handleRaw("rollback", () => ruled(rollBack(rules)))
      .handleRaw("startBacktest", () => ruled(start(runs)))
      .handle("getBacktest", ({ params }) => ruled(found((tenant) => Effect.sync(() => runs.get(tenant, params.id)))))
      .handle("cancelBacktest", ({ params }) => ruled(found((tenant) => runs.cancel(tenant, params.id))))
  })
)

const current = Effect.fnUntraced(function* (rules: Rules) {
  const found = yield* rules.current
  if (found.origin.kind === "database") yield* withVersion(found.version)
  return yield* forCaller(found)
})

const history = (rules: Rules, query: RulesHistoryQuery) =>
  rules.history(query).pipe(
    Effect.flatMap(({ next, versions }) => Effect.map(Effect.forEach(versions, forCaller), (data) => ({ data, next }))),
    Effect.catchTag("RulesRequestInvalid", ofParameters)
  )

/** A parameter is named as it is written. */
const ofParameters = ({ errors }: RulesRequestInvalid) =>
  Effect.fail(invalid(...errors.map(({ message, pointer }) => ({ pointer: pointer.slice(1), message }))))

/** No version has a longer number. */
const get = (rules: Rules, id: string) =>
  /^[1-9]\d{0,8}$/.test(id)
    ? Effect.flatMap(rules.get(Number(id)), forCaller)
    : Effect.fail(missing("version of the rules"))

/** Who may not see the team sees no email address of an author either, as in the audit log. */
const forCaller = <V extends Pick<RulesVersion, "author">>(version: V) =>
  Effect.map(CurrentCaller, ({ role }) =>
    seesContacts(role) || version.author === null
      ? version
      : { ...version, author: { ...version.author, ...withoutEmail(version.author) } }
  )

const explain = Effect.fnUntraced(function* (rules: Rules) {
  const { text, ...asked } = yield* bodyOf(Explain)
  return yield* rules.explain(yield* CurrentTenant, yield* subjectOf(asked), text)
})

const subjectOf = ({
  at,
  paymentId,
  ...asked
}: Omit<typeof Explain.Type, "text">): Effect.Effect<RulesSubject, ApiProblem> => {
  const requested = "request" in asked
  if (paymentId === undefined) {
    return requested
      ? Effect.succeed({ request: asked.request, ...(at !== undefined && { at }) })
      : Effect.fail(invalid({ pointer: "/paymentId", message: "is missing, or `request` is" }))
  }
  return requested || at !== undefined
    ? Effect.fail(invalid({ pointer: "/paymentId", message: "cannot be combined with `request` or `at`" }))
    : Effect.succeed({ paymentId })
}

const publish = Effect.fnUntraced(function* (rules: Rules) {
  const from = yield* expectedVersion
  const publication = yield* bodyOf(Publication)
  return yield* versioned(rules.publish(yield* CurrentTenant, { ...publication, from }))
})

const rollBack = Effect.fnUntraced(function* (rules: Rules) {
  const from = yield* expectedVersion
  const { version, ...why } = yield* bodyOf(Rollback)
  return yield* versioned(rules.rollback(yield* CurrentTenant, { ...why, to: version, from }))
})

const versioned = <E, R>(published: Effect.Effect<RulesVersion, E, R>) =>
  Effect.tap(published, ({ version }) => withVersion(version))

const start = Effect.fnUntraced(function* (runs: Runs) {
  const asked = yield* bodyOf(NewBacktest)
  const until = asked.until ?? (yield* Clock.currentTimeMillis)
  return yield* runs.start(yield* CurrentTenant, { ...asked, until })
})

const found = Effect.fnUntraced(function* (ask: (tenant: Tenant) => Effect.Effect<BacktestRuns.BacktestRun | null>) {
  return (yield* ask(yield* CurrentTenant)) ?? (yield* missing("backtest"))
})
