/** The measured rates of caught mutants, which are the floor of later runs. */
import { readFileSync, writeFileSync } from "node:fs"

export interface Rate {
  readonly seed: number
  /** How many mutants were drawn. */
  readonly mutants: number
  /** How many of these TypeScript accepts. */
  readonly compiling: number
  readonly caught: number
}

export interface RecordedRate extends Rate {
  /** Percentage of `compiling`. */
  readonly rate: number
  /** `2026-11-28`. */
  readonly date: string
  readonly commit: string
}

export const percentage = ({ caught, compiling }: Pick<Rate, "caught" | "compiling">): number =>
  compiling === 0 ? 100 : (caught / compiling) * 100

/**
 * The percentage that a run must reach. A run of the recorded draw must reach the recorded rate. Another draw has other
 * mutants, so it may fall below by two standard errors of the difference between two samples.
 */
export const floorOf = (recorded: Rate, run: Rate): number => {
  const rate = percentage(recorded)
  if (recorded.seed === run.seed && recorded.mutants === run.mutants) return rate
  const share = rate / 100
  const variance = share * (1 - share) * (1 / Math.max(1, recorded.compiling) + 1 / Math.max(1, run.compiling))
  return Math.max(0, rate - 200 * Math.sqrt(variance))
}

/** Of a run with the recorded rate of its package. */
export const comparison = (
  recorded: RecordedRate | undefined,
  run: Rate
): { readonly isBelow: boolean; readonly text: string } => {
  if (recorded === undefined) {
    return { isBelow: false, text: "No rate is recorded for this package yet: run with --record." }
  }
  const floor = floorOf(recorded, run)
  const isBelow = percentage(run) < floor
  const { caught, commit, compiling, date } = recorded
  const source = `Floor: ${rounded(floor)} %, from ${caught} of ${compiling} at ${commit} on ${date}.`
  return { isBelow, text: isBelow ? `${source}\nBelow the floor: add tests for the survivors above.` : source }
}

export const rounded = (percent: number): number => Math.round(percent * 10) / 10

export const recordedRates = (file: string): { readonly [packageName: string]: RecordedRate } =>
  // The file is our own, written by `recordRate`.
  JSON.parse(readFileSync(file, "utf8")) as { readonly [packageName: string]: RecordedRate }

export const recordRate = (file: string, packageName: string, rate: RecordedRate): void => {
  writeFileSync(file, `${JSON.stringify({ ...recordedRates(file), [packageName]: rate }, null, 2)}\n`)
}
