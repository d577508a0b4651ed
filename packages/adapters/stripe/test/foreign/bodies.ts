/** The bodies of `bodies.json`. */
import { Schema } from "effect"
import { readFileSync } from "node:fs"

const Expected = Schema.Union([
  Schema.Struct({
    class: Schema.Literal("account_not_enabled"),
    /** Each with a payment that lacks no fact before it. */
    about: Schema.Array(Schema.String),
    code: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({ class: Schema.Literals(["credentials", "unknown"]), code: Schema.optionalKey(Schema.String) }),
  Schema.Struct({ class: Schema.Literal("declined"), code: Schema.String, retry: Schema.String }),
  Schema.Struct({ class: Schema.Literal("request") })
])

const Bodies = Schema.Array(
  Schema.Struct({
    id: Schema.String,
    source: Schema.NonEmptyString,
    assumed: Schema.NonEmptyString,
    call: Schema.Literals(["create_token", "create_hosted", "refund", "webhook"]),
    status: Schema.Int,
    body: Schema.Unknown,
    expected: Expected
  })
)
export type Body = (typeof Bodies.Type)[number]

export const bodies = Schema.decodeUnknownSync(Schema.fromJsonString(Bodies))(
  readFileSync(new URL("bodies.json", import.meta.url), "utf8")
)
