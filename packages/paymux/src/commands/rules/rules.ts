import { Command } from "effect/cli"
import { rulesBacktest } from "./rulesBacktest.ts"
import { rulesCheck } from "./rulesCheck.ts"
import { rulesExperiment } from "./rulesExperiment.ts"
import { rulesExplain } from "./rulesExplain.ts"
import { rulesDiff, rulesHistory, rulesShow } from "./rulesHistory.ts"
import { rulesPublish, rulesRollback } from "./rulesPublish.ts"

export const rules = Command.make("rules").pipe(
  Command.withDescription(
    "Check, explain, backtest and publish routing rules, and show their history and their experiments"
  ),
  Command.withSubcommands([
    rulesCheck,
    rulesExplain,
    rulesBacktest,
    rulesExperiment,
    rulesHistory,
    rulesShow,
    rulesDiff,
    rulesPublish,
    rulesRollback
  ])
)
