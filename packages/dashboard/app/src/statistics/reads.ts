/** Reads numbers of the account and mode, and again every 30 seconds while the page is visible. */
import { useGet } from "../api/client.ts"
import type { Schemas } from "../api/client.ts"
import { useTenant } from "../session/session.ts"
import type { Period } from "./period.ts"

export type Numbers = Schemas["Numbers"]
export type SeriesPoint = Schemas["SeriesPoint"]

/** ms */
export const pollInterval = 30_000

interface Asked {
  readonly of: "payments" | "attempts"
  readonly groupBy?: "provider" | "currency" | "failureCode"
  readonly providers?: string
}

const options = { refetchInterval: pollInterval, keep: true } as const

const bounds = ({ from, until }: Pick<Period, "from" | "until">) => ({ from: String(from), until: String(until) })

export const useTotals = (asked: Asked, period: Pick<Period, "from" | "until">) =>
  useGet(
    "/dashboard/api/{account}/{mode}/statistics/totals",
    { path: { ...useTenant() }, query: { ...asked, ...bounds(period) } },
    options
  )

export const useSeries = (asked: Asked, { step, ...period }: Period) =>
  useGet(
    "/dashboard/api/{account}/{mode}/statistics/series",
    { path: { ...useTenant() }, query: { ...asked, step, ...bounds(period) } },
    options
  )
