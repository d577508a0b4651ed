import { Command } from "effect/cli"
import { rulesBacktest } from "./rulesBacktest.ts"
import { rulesCheck } from "./rulesCheck.ts"
import { rulesExplain } from "./rulesExplain.ts"
import { rulesHistory, rulesShow } from "./rulesHistory.ts"

export const rules = Command.make("rules").pipe(
  Command.withDescription("Check, explain and backtest routing rules, and show their history"),
  Command.withSubcommands([rulesCheck, rulesExplain, rulesBacktest, rulesHistory, rulesShow])
)
