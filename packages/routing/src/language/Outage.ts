/** The Schema of `outages`: planned outages of providers. */
import { rails } from "@paymux/core"
import { DateTime, Schema, SchemaTransformation } from "effect"
import { dayOfText } from "./Day.ts"
import { list, name, optionally, word } from "./words.ts"

const TIME = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/u

const dayIn = (text: string): string => text.slice(0, "2026-01-26".length)

/**
 * The Schema of a time that decodes to ms UTC. The UTC offset is required, since otherwise the time would depend on the
 * server's time zone.
 */
const instant = (description: string) =>
  word(TIME, 'must be a time with an offset, such as "2026-01-26T23:30:00+05:30"')
    .annotate({ description })
    .check(
      Schema.makeFilter((text: string) => !TIME.test(text) || dayOfText(dayIn(text)) !== null, {
        message: "must be on a day that the calendar has"
      })
    )
    .pipe(
      Schema.decodeTo(
        Schema.Number,
        SchemaTransformation.transform({
          decode: (text: string) => DateTime.toEpochMillis(DateTime.makeUnsafe(text)),
          encode: (ms: number) => DateTime.formatIso(DateTime.makeUnsafe(ms)).replace(".000Z", "Z")
        })
      )
    )

export const Outage = Schema.Struct({
  provider: Schema.String.annotateKey({ description: "The provider that gets no new payments in this time." }),
  from: instant("When it begins, with an offset from UTC: 2026-01-26T23:30:00+05:30."),
  to: Schema.optionalKey(instant("When it is over. Without it: until further notice.")),
  methods: optionally(list(Schema.Literals(rails)), "The payment methods that it concerns. Default: all."),
  note: optionally(name, "Why; stored with every payment that it diverts.")
}).annotate({ identifier: "Outage" })
export type Outage = typeof Outage.Type
