/** `paymux stats`: numbers over time, and their rebuild. */
import { iso } from "@paymux/core/wire"
import { countedObjects, rebuildStatistics, steps } from "@paymux/sql"
import type { AmountSums, DurationPercentiles, Numbers, StatisticsFilter } from "@paymux/sql"
import { Clock, Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as StatisticsCalls from "../StatisticsCalls.ts"
import { amountText } from "./amountText.ts"
import { accountFlag, databaseFlag, jsonFlag, liveFlag, onExistingDatabase } from "./database.ts"
import { printable } from "../printable.ts"
import { progressBar } from "./progressBar.ts"
import { printTable } from "./table.ts"
import { sinceFlag, timeRange, untilFlag } from "./timeRange.ts"

const filter = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(`${description}; repeatable. Default: all`), Flag.atLeast(0))

const flags = {
  database: databaseFlag,
  account: accountFlag,
  live: liveFlag,
  of: Flag.Literals("of", countedObjects).pipe(
    Flag.withDescription("What is counted: payments by creation, attempts by start, refunds by request"),
    Flag.withDefault("payments")
  ),
  step: Flag.Literals("step", [...steps, "total"]).pipe(
    Flag.withDescription("A row for each hour or UTC day, or the total of the period"),
    Flag.withDefault("day")
  ),
  by: Flag.Literals("by", ["provider", "method", "currency", "failure-code"]).pipe(
    Flag.withDescription("A row for each"),
    Flag.optional
  ),
  since: sinceFlag,
  until: untilFlag,
  provider: filter("provider", "Only of this provider"),
  method: filter("method", "Only of this payment method"),
  currency: filter("currency", "Only in this currency, such as EUR"),
  outcome: filter("outcome", "Only with this status, such as succeeded"),
  failureCode: filter("failure-code", "Only with this failure code"),
  json: jsonFlag
}

const show = Command.make(
  "show",
  flags,
  Effect.fnUntraced(function* (asked) {
    const { account, by, database, json, live, of, step } = asked
    const tenant = { account, livemode: live }
    const query = {
      ...(yield* Effect.map(timeRange(asked.since, asked.until), ({ from, until }) => ({ from, until }))),
      of,
      ...(Option.isSome(by) && { groupBy: by.value === "failure-code" ? ("failureCode" as const) : by.value }),
      ...given("providers", asked.provider),
      ...given("methods", asked.method),
      ...given("currencies", asked.currency),
      ...given("outcomes", asked.outcome),
      ...given("failureCodes", asked.failureCode)
    }
    const read = Effect.gen(function* () {
      if (step !== "total") return yield* StatisticsCalls.series(tenant, { ...query, step })
      return yield* StatisticsCalls.totals(tenant, query)
    })
    const found = yield* onExistingDatabase(database, Layer.empty, read)
    yield* warnBehind(found.uncountedSince)
    if (json) return yield* Console.log(JSON.stringify(found, null, 2))
    const rows = "points" in found ? found.points : found.groups
    if (rows.length === 0) return yield* Console.error(`No ${of} in this period.`)
    yield* printNumbers(rows, Option.isSome(by) ? by.value : null)
  })
).pipe(
  Command.withDescription("Show counts, success rates, amounts and durations over time"),
  Command.withExamples([
    {
      command: "paymux stats show --of attempts --by provider --since 24h --step hour",
      description: "How providers do"
    },
    { command: "paymux stats show --by failure-code --step total", description: "Why payments failed in 30 days" }
  ])
)

const given = (name: keyof StatisticsFilter, values: ReadonlyArray<string>): StatisticsFilter =>
  values.length === 0 ? {} : { [name]: values }

const printNumbers = (rows: ReadonlyArray<Numbers & { readonly start?: number }>, by: string | null) => {
  const isSeries = rows.some(({ start }) => start !== undefined)
  const isTimed = rows.some(({ duration }) => duration !== null)
  return printTable(
    [
      ...(isSeries ? ["start"] : []),
      ...(by === null ? [] : [by.replace("-", " ")]),
      "count",
      "success",
      "outcomes",
      "amount",
      "succeeded",
      ...(isTimed ? ["p50", "p95", "p99"] : [])
    ],
    rows.map((row) => [
      ...(row.start === undefined ? [] : [iso(row.start).replace(":00.000Z", "Z")]),
      ...(by === null ? [] : [printable(row.group ?? "none")]),
      String(row.count),
      row.successRate === null ? "" : `${(row.successRate * 100).toFixed(1)} %`,
      Object.entries(row.outcomes)
        .map(([outcome, count]) => `${outcome} ${count}`)
        .join(", "),
      amounts(row.amounts, "amount"),
      amounts(row.amounts, "succeeded"),
      ...(isTimed ? durations(row.duration) : [])
    ])
  )
}

const amounts = (all: ReadonlyArray<AmountSums>, which: "amount" | "succeeded"): string =>
  all.map((each) => amountText(each[which], each.currency)).join("\n")

const durations = (duration: DurationPercentiles | null): ReadonlyArray<string> =>
  duration === null ? ["", "", ""] : [duration.p50, duration.p95, duration.p99].map((ms) => `${ms} ms`)

/** A running server counts within seconds. */
const warnBehind = Effect.fnUntraced(function* (since: number | null) {
  if (since === null || (yield* Clock.currentTimeMillis) - since < 10_000) return
  yield* Console.error(
    `Events since ${iso(since)} are not counted yet. A running server counts them; "paymux stats rebuild" counts all of them now.`
  )
})

const rebuild = Command.make(
  "rebuild",
  { database: databaseFlag },
  Effect.fnUntraced(function* ({ database }) {
    yield* onExistingDatabase(
      database,
      Layer.empty,
      progressBar("Counting events", (show) => rebuildStatistics(show))
    )
    yield* Console.error("The statistics of all accounts were rebuilt from the events.")
  })
).pipe(Command.withDescription("Count all events again and replace the statistics; servers can keep running"))

export const stats = Command.make("stats").pipe(
  Command.withDescription("Show numbers over time, and rebuild them"),
  Command.withSubcommands([show, rebuild])
)
