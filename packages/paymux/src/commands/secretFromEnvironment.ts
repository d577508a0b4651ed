import { Config, Effect, Option, Redacted } from "effect"
import { readSecretText } from "../options/secretOption.ts"
import { userError } from "./userError.ts"

/** PAYMUX_SECRET, which overrides the option `secret`. `undefined`: it is not set. */
export const secretFromEnvironment = Effect.gen(function* () {
  const text = yield* Config.option(Config.Redacted("PAYMUX_SECRET"))
  if (Option.isNone(text)) return undefined
  const secret = readSecretText(Redacted.value(text.value))
  if (secret !== null) return secret
  return yield* userError(
    new Error(
      'PAYMUX_SECRET begins as a list and is none: write a secret, or a list such as ["new secret","old secret"].'
    )
  )
})
