/** The handlers of numbers over time. */
import { Breakers } from "@paymux/core/engine"
import { openWork, periodProblem, statisticsSeries, statisticsTotals, stepMs } from "@paymux/sql"
import type { Step, StatisticsFilter, TotalsQuery } from "@paymux/sql"
import { WebhookEndpoints } from "@paymux/webhooks"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { ControlApi } from "../ControlApi.ts"
import { control, invalid } from "../controlHandler.ts"

type Services = SqlClient.SqlClient | WebhookEndpoints | Breakers

export const statisticsHandlers = HttpApiBuilder.group(ControlApi, "statistics", (handlers) =>
  Effect.map(Effect.context<Services>(), (services) =>
    handlers
      .handle("series", ({ query: { step = "day", ...query } }) =>
        control(Effect.provide(series(query, step), services))
      )
      .handle("totals", ({ query }) => control(Effect.provide(totals(query), services)))
      .handle("attention", () => control(Effect.provide(attention, services)))
  )
)

type Asked = StatisticsFilter & Partial<Pick<TotalsQuery, "of" | "from" | "until" | "groupBy">>

const series = Effect.fnUntraced(function* (query: Asked, step: Step) {
  return yield* statisticsSeries(yield* CurrentTenant, { ...(yield* complete(query, step)), step })
})

const totals = Effect.fnUntraced(function* (query: Asked) {
  return yield* statisticsTotals(yield* CurrentTenant, yield* complete(query, "day"))
})

/** With its defaults: payments of the last 30 days. */
const complete = Effect.fnUntraced(function* (query: Asked, step: Step) {
  const until = query.until ?? (yield* Clock.currentTimeMillis) + 1
  const period = { from: query.from ?? Math.max(0, until - 30 * stepMs.day), until }
  const problem = periodProblem(period, step)
  if (problem !== null) return yield* invalid({ pointer: `/${problem.field}`, message: problem.message })
  return { ...query, of: query.of ?? ("payments" as const), ...period }
})

const attention = Effect.gen(function* () {
  const tenant = yield* CurrentTenant
  const { inReview, pending } = yield* openWork(tenant)
  const endpoints = yield* WebhookEndpoints.use(({ list }) => list(tenant))
  const enabled = endpoints.filter(({ disabledAt }) => disabledAt === null)
  const breakers = yield* Breakers.use(({ snapshot }) => snapshot)
  return {
    pending,
    inReview,
    failingEndpoints: enabled.filter(({ failingSince }) => failingSince !== null).length,
    disabledEndpoints: endpoints.length - enabled.length,
    openBreakers: breakers
      .filter(({ state }) => state !== "closed")
      .map(({ key, since, state }) => ({ ...key, state, since }))
  }
})
