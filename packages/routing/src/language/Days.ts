/** The Schemas of days: weekdays, dates, and calendars of holidays. */
import { Schema } from "effect"
import { dayOfText, weekdays } from "./Day.ts"
import { list, word } from "./words.ts"

const FORM = /^\d{4}-\d{2}-\d{2}$/u

const day = word(FORM, 'must be a day such as "2026-12-24"').check(
  Schema.makeFilter((text: string) => !FORM.test(text) || dayOfText(text) !== null, {
    message: "must be a valid date (YYYY-MM-DD)"
  })
)

const range = Schema.Struct({
  from: day.annotateKey({ description: "The first day." }),
  to: day.annotateKey({ description: "The last day; it is included." })
}).check(
  Schema.makeFilter(({ from, to }: { readonly from: string; readonly to: string }) => from <= to, {
    message: "must not end before it begins"
  })
)

export const Weekday = Schema.Literals(weekdays).annotate({ identifier: "Weekday" })

export const Dates = list(Schema.Union([day, range]).annotate({ identifier: "Date" }))
export type Dates = typeof Dates.Type

/**
 * Holidays by the name that conditions use. The merchant defines them, since any built-in list would become outdated.
 */
export const Calendars = Schema.Record(Schema.String, Dates)
export type Calendars = typeof Calendars.Type
