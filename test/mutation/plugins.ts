/** The parts of a mutation run that Stryker loads: in its own process, and in its checker processes. */
import { declareClassPlugin, declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin"
import { Draw } from "./Draw.ts"
import { logTexts } from "./LogTexts.ts"
import { Progress } from "./Progress.ts"
import { OnlyDrawn } from "./OnlyDrawn.ts"

export const strykerPlugins = [
  declareClassPlugin(PluginKind.Checker, "draw", Draw),
  declareClassPlugin(PluginKind.Reporter, "paymux", Progress),
  declareClassPlugin(PluginKind.Ignore, "only-drawn", OnlyDrawn),
  declareValuePlugin(PluginKind.Ignore, "log-texts", logTexts)
]
