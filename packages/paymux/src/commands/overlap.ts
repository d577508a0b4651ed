/** `--overlap`: for how long what is rotated goes on beside what takes its place. */
import { durationMs } from "@paymux/routing"
import { Effect } from "effect"
import { Flag } from "effect/cli"
import type { CliError } from "effect/cli"
import { userError } from "./userError.ts"

/** `former`: what goes on, such as `the former key works`. */
export const overlapFlag = (former: string) =>
  Flag.String("overlap").pipe(
    Flag.withDescription(`How long ${former} too, such as 24h or 7d; 0s if it has leaked. At most 30d`),
    Flag.withDefault("24h")
  )

/** ms; `null`: not a duration. No duration of the routing language is zero, but one of a command may be. */
export const durationOrZero = (text: string): number | null => (/^0+(?:ms|s|m|h|d)?$/.test(text) ? 0 : durationMs(text))

/** ms */
export const overlapOf = (text: string): Effect.Effect<number, CliError.UserError> => {
  const overlap = durationOrZero(text)
  return overlap === null
    ? userError(
        new Error(
          `--overlap cannot be ${JSON.stringify(text)}: say how long, such as 24h or 7d (ms, s, m, h or d), or 0s.`
        )
      )
    : Effect.succeed(overlap)
}
