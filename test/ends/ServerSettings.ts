/** What a server process of these tests is started with. */
import type { ClockSetting } from "../crash/ScaledClock.ts"

export interface ServerSettings {
  /** `postgres://…` */
  readonly database: string
  /** Where this server reaches the vendor. */
  readonly vendor: string
  readonly clock: ClockSetting
  /** In the order of routing. */
  readonly providers: ReadonlyArray<"alpha" | "beta">
  /** Of creates at `alpha`. */
  readonly notFoundIsFinalAfter: `${number} ${"seconds" | "minutes"}`
}
