/** How a provider's report in CSV is read: the option `statements` of a configuration, by provider instance. */
import { movementTypes } from "@paymux/core/engine"
import { DateTime, Result, Schema, SchemaIssue } from "effect"
import { isDatePattern } from "./dates.ts"

const Column = Schema.NonEmptyString

const Types = Schema.Record(Schema.String, Schema.Literals([...movementTypes, "skip" as const]))

const isZone = (zone: string): boolean => DateTime.zoneFromString(zone)._tag === "Some"

export const CsvStatement = Schema.Struct({
  /** The names in the first line. Upper and lower case are different. */
  columns: Schema.Struct({
    /** The provider's id of the booking. Several columns: their texts together are unique. */
    id: Schema.Union([Column, Schema.NonEmptyArray(Column)]),
    type: Column,
    /** One column with a sign, or one for each direction. */
    amount: Schema.Union([Column, Schema.Struct({ credit: Column, debit: Column })]),
    currency: Schema.Union([Column, Schema.Struct({ fixed: Schema.String })]),
    bookedAt: Column,
    /** Our id `op_…`, where the provider returns it. */
    operation: Schema.optionalKey(Column),
    reference: Schema.optionalKey(Column),
    original: Schema.optionalKey(Column),
    fee: Schema.optionalKey(Column),
    net: Schema.optionalKey(Column),
    payout: Schema.optionalKey(Column)
  }),
  /** What each word in the type column is. A word that is not listed is refused. */
  types: Types,
  /** `iso`: with a zone, as `2026-11-26T18:00:00Z`. Or a pattern such as `DD/MM/YYYY HH:mm:ss`, and the zone of its times. */
  dates: Schema.Union([
    Schema.Struct({ format: Schema.Literal("iso") }),
    Schema.Struct({
      format: Schema.String.check(
        Schema.makeFilter((format: string) =>
          isDatePattern(format) ? undefined : "must be iso, or a pattern of YYYY, MM, DD, HH, mm and ss"
        )
      ),
      zone: Schema.String.check(
        Schema.makeFilter((zone: string) =>
          isZone(zone) ? undefined : "must be a time zone such as UTC, +05:30 or Asia/Kolkata"
        )
      )
    })
  ]),
  amounts: Schema.Struct({
    /** `minor`: cents or paise, without a fraction. */
    unit: Schema.Literals(["major", "minor"]),
    decimal: Schema.optionalKey(Schema.Literals([".", ","])),
    thousands: Schema.optionalKey(Schema.Literals([",", ".", " ", "'"]))
  }),
  delimiter: Schema.optionalKey(Schema.Literals([",", ";", "\t", "|"]))
})
export type CsvStatement = typeof CsvStatement.Type

/** What is wrong with the option `statements`, one sentence each. */
export const statementProblems = (
  statements: unknown,
  providers: ReadonlyArray<{ readonly id: string }>
): ReadonlyArray<string> => {
  if (statements === undefined) return []
  if (typeof statements !== "object" || statements === null || Array.isArray(statements)) {
    return ["statements must be an object, with how to read a report of each provider."]
  }
  return Object.entries(statements).flatMap(([id, statement]) => [
    ...(providers.some((provider) => provider.id === id) ? [] : [`statements.${id}: there is no provider "${id}".`]),
    ...problemsOf(statement).map((problem) => `statements.${id}${problem}.`)
  ])
}

const problemsOf = (statement: unknown): ReadonlyArray<string> => {
  const decoded = Schema.decodeUnknownResult(CsvStatement, { errors: "all", onExcessProperty: "error" })(statement)
  if (Result.isSuccess(decoded)) return signProblems(decoded.success)
  return SchemaIssue.makeFormatterStandardSchemaV1()(decoded.failure.issue).issues.map(
    ({ message, path = [] }) =>
      `${path.map((part) => `.${String(typeof part === "object" ? part.key : part)}`).join("")}: ${message}`
  )
}

const signProblems = ({ amounts }: CsvStatement): ReadonlyArray<string> =>
  amounts.thousands !== undefined && amounts.thousands === (amounts.decimal ?? ".")
    ? [".amounts: decimal and thousands are the same sign"]
    : []
