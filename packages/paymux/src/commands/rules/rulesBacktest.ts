/** `paymux rules backtest`: what a draft of the rules would have done with the payments that were made. */
import type { Tenant } from "@paymux/core"
import { Backtest } from "@paymux/routing"
import type { BacktestReport } from "@paymux/routing"
import { PaymentStore } from "@paymux/core/store"
import { iso } from "@paymux/core/wire"
import { Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { writeFile } from "node:fs/promises"
import { printBacktest } from "./backtestTables.ts"
import { accountFlag, databaseFlag, liveFlag, onExistingDatabase, orConfigured } from "../database.ts"
import { progressBar } from "../progressBar.ts"
import { replay } from "../../rules/replay.ts"
import { checkedRules, configFlag, sandboxFlag, sourceText } from "./rulesFlags.ts"
import { sinceFlag, timeRange, untilFlag } from "../timeRange.ts"
import { userError } from "../userError.ts"

export const rulesBacktest = Command.make(
  "backtest",
  {
    rules: Flag.String("rules").pipe(
      Flag.withDescription("The draft, in YAML or JSON; default: the configuration's rules"),
      Flag.optional
    ),
    since: sinceFlag,
    until: untilFlag,
    database: databaseFlag,
    account: accountFlag,
    live: liveFlag,
    config: configFlag,
    sandbox: sandboxFlag,
    json: Flag.String("json").pipe(
      Flag.withDescription("Also write the figures to this file; - prints them as JSON instead of tables"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ account, config, database, json, live, rules, sandbox, since, until }) {
    const { options, routing, source } = yield* checkedRules({ config, rules, sandbox })
    const range = yield* timeRange(since, until)
    const tenant = { account, livemode: live }
    const report = yield* onExistingDatabase(
      orConfigured(database, options),
      Layer.empty,
      progressBar("Replaying payments", (show) =>
        PaymentStore.use(({ routed }) => replay(routed, Backtest.make(routing), tenant, range, show))
      )
    )
    const replayed = { ...tenant, since: iso(range.from), until: iso(range.until), draft: sourceText(source) }
    if (report.period === null) return yield* userError(new Error(nothingIn(replayed)))
    const written = JSON.stringify({ ...replayed, ...report, period: isoPeriod(report.period) }, null, 2)
    if (Option.isSome(json) && json.value === "-") return yield* Console.log(written)
    yield* printBacktest(report, replayed)
    if (Option.isSome(json)) yield* write(json.value, written)
  })
).pipe(
  Command.withDescription("Replay stored payments against a draft, and report what it would change"),
  Command.withExamples([
    { command: "paymux rules backtest --rules draft.yaml --since 30d", description: "The last thirty days" },
    {
      command: "paymux rules backtest --rules draft.yaml --since 2026-10-01 --until 2026-11-01 --json october.json",
      description: "A month, and every figure as JSON"
    }
  ])
)

interface Asked extends Tenant {
  readonly since: string
  readonly until: string
}

const nothingIn = ({ account, livemode, since, until }: Asked): string => {
  const other = livemode ? "without --live, test payments are replayed" : "--live replays live payments"
  return `Account ${account} has no ${livemode ? "live" : "test"} payments from ${since} to ${until} (${other}).`
}

const isoPeriod = ({ from, to }: NonNullable<BacktestReport["period"]>) => ({ from: iso(from), to: iso(to) })

const write = (file: string, text: string) =>
  Effect.tryPromise({
    try: () => writeFile(file, `${text}\n`),
    catch: (error) =>
      userError(new Error(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`))
  })
