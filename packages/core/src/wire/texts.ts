/** Texts of requests, as schemas. */
import { Schema } from "effect"

export const text = (max: number) =>
  Schema.String.check(
    Schema.isMaxLength(max, { message: `must have at most ${max} characters` }),
    Schema.isPattern(/^[^\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]*$/, {
      message: "must not have bidirectional control characters"
    })
  )
export const optionalText = (max: number) => Schema.optionalKey(Schema.NullOr(text(max)))
/** Empty, or only spaces, is what a variable that is not set makes: it names nothing. */
export const name = (max: number) => text(max).check(Schema.isPattern(/\S/, { message: "must not be blank" }))
export const optionalName = (max: number) => Schema.optionalKey(Schema.NullOr(name(max)))
export const matching = (pattern: RegExp, message: string) =>
  Schema.String.check(Schema.isPattern(pattern, { message }))
