/** Counts of axes, rates and durations as texts. */
import { decimalText } from "../ui/numbers.ts"

// In English, as its words are.
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 })

/** For axes: `12K`. */
export const compactText = (count: number): string => compact.format(count)

/** `0.9342` → `93.4 %`; never `100 %` where something failed. */
export const rateText = (rate: number): string => {
  const tenths = rate < 1 ? Math.min(999, Math.round(rate * 1000)) : 1000
  return `${decimalText(tenths / 10, 1)} %`
}

/** `340 ms`, `2.4 s`, `3.5 min`, `1.2 h` */
export const durationText = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 120_000) return `${trimmed(ms / 1_000)} s`
  return ms < 3_600_000 ? `${trimmed(ms / 60_000)} min` : `${trimmed(ms / 3_600_000)} h`
}

const trimmed = (value: number): string => decimalText(value, value < 10 ? 1 : 0)

/** JSON has no infinity: the API writes it as text. */
export const numberOf = (value: number | "Infinity" | "-Infinity" | "NaN" | null): number | null => {
  if (typeof value === "number" || value === null) return value
  const number = Number(value)
  return Number.isNaN(number) ? null : number
}
