/** Fields that many requests and responses of the control API have. */
import { Schema } from "effect"

/** The path of an account and mode. */
export const tenantParams = {
  account: Schema.String.annotate({ description: "The account." }),
  mode: Schema.String.annotate({ description: "`test` or `live`." })
}

/** Of an object below that. */
export const idParams = { ...tenantParams, id: Schema.String.annotate({ description: "The id of the object." }) }

export const Time = Schema.Int.annotate({ description: "ms UTC" })

/** A time in the body of a request. */
export const TimeOfBody = Schema.Int.check(
  Schema.isBetween({ minimum: 0, maximum: 8_640_000_000_000_000 }, { message: "must be ms UTC" })
).annotate({ description: "ms UTC" })

const notWhole = { message: "must be a whole number" }

/** A whole number in the text of a parameter, in digits alone. A call of the library gives a number. */
export const whole = (minimum: number, maximum: number) =>
  Schema.String.check(Schema.isPattern(/^-?\d{1,16}$/, notWhole)).pipe(
    Schema.decodeTo(
      Schema.NumberFromString.check(
        Schema.makeFilter((value: number) => Number.isInteger(value) || notWhole.message),
        Schema.isBetween({ minimum, maximum }, { message: `must be from ${minimum} to ${maximum}` })
      )
    )
  )

export const limitTo = (most: number) => whole(1, most).annotate({ description: "Entries on a page. Default: 20." })

const Limit = limitTo(1000)

/** ms UTC in the text of a parameter. */
export const TimeParameter = whole(0, 8_640_000_000_000_000).annotate({ description: "ms UTC" })

const text = Schema.String.check(
  Schema.isPattern(/^[^\u0000]{1,512}$/, { message: "must have 1 to 512 characters, none of them NUL" })
)

/** One value of a filter. */
export const Text = text

/** Of every list: a page at a time, newest first. */
export const pageQuery = {
  limit: Schema.optionalKey(Limit),
  after: Schema.optionalKey(text.annotate({ description: "The `next` of the page before." }))
}

/** Of lists that are in the order of time. */
export const timeQuery = {
  from: Schema.optionalKey(TimeParameter.annotate({ description: "ms UTC, inclusive." })),
  until: Schema.optionalKey(TimeParameter.annotate({ description: "ms UTC, exclusive." }))
}

/** Entries on a page whose `limit` is left out. */
export const defaultLimit = 20

/** A page of a list. */
export const pageOf = <S extends Schema.Top>(entry: S) =>
  Schema.Struct({
    data: Schema.Array(entry),
    next: Schema.NullOr(Schema.String).annotate({
      description: "The cursor of the next page; `null`: this is the last."
    })
  })
