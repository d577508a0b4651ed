/** The time axis of charts: hours or days of UTC, none left out. */

export type Step = "hour" | "day"

const stepMs = { hour: 3_600_000, day: 86_400_000 } as const

/** The starts of all steps from `from` (inclusive) to `until` (exclusive), ms UTC. */
export const stepsOf = (from: number, until: number, step: Step): ReadonlyArray<number> => {
  const first = Math.floor(from / stepMs[step]) * stepMs[step]
  const count = Math.max(0, Math.ceil((until - first) / stepMs[step]))
  return Array.from({ length: count }, (_, index) => first + index * stepMs[step])
}

const formats = {
  day: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }),
  hour: new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: "UTC"
  })
}

/** `12 Nov`, or `12 Nov, 14:00 UTC`. */
export const stepText = (start: number, step: Step): string =>
  step === "day" ? formats.day.format(start) : `${formats.hour.format(start)} UTC`

/** Where labels fit under the axis: indexes of steps, at most `most`, at midnight where steps are hours. */
export const labeledSteps = (starts: ReadonlyArray<number>, most: number): ReadonlyArray<number> => {
  const days = starts.flatMap((start, index) => (start % stepMs.day === 0 ? [index] : []))
  const every = Math.max(1, Math.ceil(days.length / Math.max(1, most)))
  return days.filter((_, index) => index % every === 0)
}
