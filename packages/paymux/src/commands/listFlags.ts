/** The flags of lists, and the query that they ask for. */
import { Effect, Option, Schema } from "effect"
import { Flag } from "effect/cli"
import { jsonFlag } from "./database.ts"
import { momentOf } from "./timeRange.ts"

export const textFlag = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

/** `things`: what the list has, such as `refunds`. */
export const timeFlags = (things: string) => ({
  since: textFlag("since", `Only ${things} since this time: 12h, 3d, 2026-10-01 or 2026-10-01T08:00:00Z`),
  until: textFlag("until", `Only ${things} before this time, in the same format`)
})

/** `most`: entries of a page. `usual`: unless `--limit` says otherwise. */
export const pageFlags = (most = 1000, usual = 20) => ({
  after: textFlag("after", "The cursor that the page before printed: continue there"),
  limit: Flag.Int("limit").pipe(
    Flag.withDescription(`1 to ${most}`),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: most }))),
    Flag.withDefault(usual)
  ),
  json: jsonFlag
})

export const listFlags = (things: string, most?: number) => ({ ...timeFlags(things), ...pageFlags(most) })

interface Times {
  readonly since: Option.Option<string>
  readonly until: Option.Option<string>
}

interface Page {
  readonly after: Option.Option<string>
  readonly limit: number
}

export const timeQuery = Effect.fnUntraced(function* ({ since, until }: Times) {
  return {
    ...(Option.isSome(since) && { from: yield* momentOf("--since", since.value) }),
    ...(Option.isSome(until) && { until: yield* momentOf("--until", until.value) })
  }
})

export const pageQuery = ({ after, limit }: Page) => ({ ...given({ after }), limit })

export const listQuery = (flags: Times & Page) =>
  Effect.map(timeQuery(flags), (times) => ({ ...times, ...pageQuery(flags) }))

/** The filters that were given. */
export const given = <Filters extends { readonly [name: string]: Option.Option<unknown> }>(filters: Filters) =>
  // Boundary: `Object.fromEntries` does not keep the types of the entries.
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, filter]) => (Option.isSome(filter) ? [[name, filter.value]] : []))
  ) as { readonly [name in keyof Filters]?: Option.Option.Value<Filters[name]> }
