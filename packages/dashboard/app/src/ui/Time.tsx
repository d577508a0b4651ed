/** Times: how long ago, and exactly when one hovers. */
import { useSyncExternalStore } from "react"

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" })
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" })
const precise = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "long"
})

const steps = [
  { unit: "second", ms: 1_000, until: 60_000 },
  { unit: "minute", ms: 60_000, until: 3_600_000 },
  { unit: "hour", ms: 3_600_000, until: 86_400_000 },
  { unit: "day", ms: 86_400_000, until: 7 * 86_400_000 }
] as const

/** `3 min. ago`; beyond a week the date. */
const relativeTime = (at: number, now: number): string => {
  const distance = at - now
  const step = steps.find(({ until }) => Math.abs(distance) < until)
  return step === undefined ? day.format(at) : relative.format(Math.trunc(distance / step.ms), step.unit)
}

/** With the zone of the browser. */
export const exactTime = (at: number): string => precise.format(at)

/** The API of payments has ISO texts, the rest ms UTC. */
export const msOf = (at: number | string): number => (typeof at === "number" ? at : Date.parse(at))

export const Time = ({ at }: { readonly at: number | string | null }) => {
  const now = useNow()
  if (at === null) return <span className="text-muted">–</span>
  const ms = msOf(at)
  return (
    <time dateTime={new Date(ms).toISOString()} title={exactTime(ms)} className="numbers whitespace-nowrap">
      {relativeTime(ms, now)}
    </time>
  )
}

let now = Date.now()
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

const watch = (changed: () => void) => {
  // The clock stood still while nothing was shown.
  if (watchers.size === 0) now = Date.now()
  watchers.add(changed)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const watcher of watchers) watcher()
  }, 30_000)
  return () => {
    watchers.delete(changed)
    if (watchers.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** One clock for all times of the page. */
const useNow = () => useSyncExternalStore(watch, () => now)
