/** `paymux rules experiment`: whether the arms of an experiment differ. */
import { durationMs, Experiment } from "@paymux/routing"
import type { ExperimentReport } from "@paymux/routing"
import { PaymentStore } from "@paymux/core/store"
import { iso } from "@paymux/core/wire"
import { Clock, Console, Effect, Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { eachStoredPayment } from "../../rules/storedPayments.ts"
import { accountFlag, databaseFlag, jsonFlag, liveFlag, onExistingDatabase } from "../database.ts"
import { progressBar } from "../progressBar.ts"
import { timeRange, untilFlag } from "../timeRange.ts"
import { userError } from "../userError.ts"
import { printExperiment } from "./experimentText.ts"

export const rulesExperiment = Command.make(
  "experiment",
  {
    name: Argument.String("name").pipe(Argument.withDescription("The name under `experiment` in the rules")),
    control: Flag.String("control").pipe(
      Flag.withDescription("The provider that the others are compared with; default: the one with the largest share"),
      Flag.optional
    ),
    settled: Flag.String("settled").pipe(
      Flag.withDescription(
        "How old a payment must be to be compared, such as 2h: until then, failures may be missing. Default: 24h"
      ),
      Flag.withDefault("24h")
    ),
    since: Flag.String("since").pipe(
      Flag.withDescription(
        "The start of the period: a time, such as 2026-10-01, or a duration before now, such as 30d. Default: the first payment of the experiment"
      ),
      Flag.optional
    ),
    until: untilFlag,
    database: databaseFlag,
    account: accountFlag.pipe(
      Flag.withDescription("The account whose payments are compared: 1 to 64 letters, digits, _ or -")
    ),
    live: liveFlag.pipe(Flag.withDescription("Compare live payments instead of test payments")),
    json: jsonFlag
  },
  Effect.fnUntraced(function* ({ account, control, database, json, live, name, settled, since, until }) {
    const range = yield* timeRange(
      Option.getOrElse(since, () => "1970-01-01"),
      until
    )
    const settledMs = yield* settledOf(settled)
    const tenant = { account, livemode: live }
    const experiment = Experiment.make({
      name,
      settledBefore: (yield* Clock.currentTimeMillis) - settledMs,
      ...(Option.isSome(control) && { control: control.value })
    })
    const others = new Set<string>()
    yield* onExistingDatabase(
      database,
      Layer.empty,
      progressBar("Reading payments", (show) =>
        PaymentStore.use(({ routed }) =>
          eachStoredPayment(
            routed,
            tenant,
            range,
            (each) => {
              experiment.add(each)
              const found = each.payment.routing.experiment
              if (found !== undefined && others.size < SHOWN) others.add(found.name)
            },
            show
          )
        )
      )
    )
    const report = experiment.report()
    const fault = faultOf(report, others, Option.getOrNull(control))
    if (fault !== null) {
      return yield* userError(new Error(`${fault} (${live ? "live" : "test"} payments of account ${account}).`))
    }
    if (json)
      return yield* Console.log(JSON.stringify({ ...tenant, settled, ...report, period: periodOf(report) }, null, 2))
    yield* printExperiment(report, { ...tenant, settled, since: Option.getOrNull(since) })
  })
).pipe(
  Command.withDescription("Compare the arms of an experiment, and say whether one takes more payments"),
  Command.withExamples([
    {
      command: 'paymux rules experiment "adyen in euros" --live',
      description: "All live payments of the experiment"
    },
    {
      command: 'paymux rules experiment "adyen in euros" --live --since 2026-10-01 --control stripe',
      description: "Since a day, against stripe"
    }
  ])
)

/** Names of other experiments in an error. */
const SHOWN = 20

const settledOf = (text: string) => {
  const ms = durationMs(text)
  return ms === null
    ? userError(
        new Error(`--settled cannot be ${JSON.stringify(text)}: name a duration, such as 24h (ms, s, m, h or d).`)
      )
    : Effect.succeed(ms)
}

const faultOf = (
  { arms, control, experiment, period }: ExperimentReport,
  others: ReadonlySet<string>,
  asked: string | null
): string | null => {
  if (period === null) {
    const named = others.size === 0 ? "" : `; there are ${[...others].map((other) => JSON.stringify(other)).join(", ")}`
    return `No payments of experiment ${JSON.stringify(experiment)} were found${named}`
  }
  if (control !== null) return null
  const names = arms.map(({ arm }) => arm).join(", ")
  return `--control cannot be ${JSON.stringify(asked)}: experiment ${JSON.stringify(experiment)} has the arms ${names}`
}

const periodOf = ({ period }: ExperimentReport) =>
  period === null ? null : { from: iso(period.from), to: iso(period.to) }
