/** What one mutation run is asked for. Stryker hands it to the plugins with its own options. */
import type { StrykerOptions } from "@stryker-mutator/api/core"
import type { Place } from "./places.ts"
import type { RecordedRate } from "./rates.ts"

export type DrawnPlace = Omit<Place, "text" | "isStatic">

export interface RunSettings {
  /** Of `mutatedPackages`. */
  readonly package: string
  readonly seed: number
  /** How many mutants are drawn, one of a place. */
  readonly mutants: number
  /** Runs all mutants whose id starts with one of these, and draws none. Empty: draws. */
  readonly only: ReadonlyArray<string>
  /** The places that Stryker mutates, in the order of the draw. Some have no mutant, so there are more than `mutants`. */
  readonly places: ReadonlyArray<DrawnPlace>
  /** Absolute path of the recorded rates. */
  readonly ratesFile: string
  /** Writes the rate there as the floor of later runs, measured at this commit on this day. `null`: compares with the floor. */
  readonly record: Pick<RecordedRate, "commit" | "date"> | null
  /** Absolute path of the file that the draw is written to: Stryker may use several checker processes. */
  readonly drawFile: string
}

export const settingsOf = (options: StrykerOptions): RunSettings =>
  // Stryker keeps options that it does not know, without a type.
  options["paymux"] as RunSettings
