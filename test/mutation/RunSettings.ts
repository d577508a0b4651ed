/** What one mutation run is asked for. Stryker hands it to the plugins with its own options. */
import type { StrykerOptions } from "@stryker-mutator/api/core"

export interface RunSettings {
  readonly seed: number
  /** How many mutants are drawn. */
  readonly mutants: number
  /** Runs all mutants whose id starts with one of these, and draws none. Empty: draws. */
  readonly only: ReadonlyArray<string>
  /** The percentage of caught mutants, of those that compile, below which the run fails. */
  readonly least: number
  /** Absolute path of the file that the draw is written to: Stryker may use several checker processes. */
  readonly drawFile: string
}

export const settingsOf = (options: StrykerOptions): RunSettings =>
  // Stryker keeps options that it does not know, without a type.
  options["paymux"] as RunSettings
