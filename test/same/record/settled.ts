/** Waits until a server has nothing left to do at once: deliveries are recorded, and statistics count every event. */
import { setTimeout } from "node:timers/promises"
import { everywhere } from "./configuration.ts"
import { rowsOf } from "./rows.ts"
import { tokensOf } from "../compare/tokens.ts"

/** ms */
const between = 400
const longest = 60_000

export const settled = async (server: string, database: string): Promise<void> => {
  const until = Date.now() + longest
  let last = ""
  while (Date.now() < until) {
    const state = (await isIdle(server)) ? await contentOf(database) : ""
    if (state !== "" && state === last) return
    last = state
    await setTimeout(between)
  }
  throw new Error(`The server at ${server} was not idle within ${longest / 1000} s.`)
}

const isIdle = async (server: string): Promise<boolean> => {
  const response = await fetch(`${server}/metrics`, { headers: { authorization: `Bearer ${everywhere.metricsToken}` } })
  const text = await response.text()
  return !/^paymux_(?:queue_age_seconds|statistics_lag_seconds|unknown_attempts)\S* (?!0$)/m.test(text)
}

/** Without times: a heartbeat is no work. */
const contentOf = async (database: string): Promise<string> => {
  const rows = await rowsOf(database)
  return JSON.stringify(
    rows.map(({ fields, route }) => [
      route,
      tokensOf(JSON.stringify(fields), Date.now()).filter(({ kind }) => kind !== "time")
    ])
  )
}
