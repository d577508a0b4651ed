/**
 * The statement: Razorpay's settlement reconciliation, which lists what was settled on a day of Indian time. It is read day
 * by day, and on each day page by page.
 */
import { invalidRequest, type ProviderError } from "@paymux/core"
import type { StatementMovement, StatementPage, StatementQuery } from "@paymux/core/statement"
import { Clock, Effect } from "effect"
import { type Api, type NoAnswer, reading } from "./api.ts"
import { movementOf, ofOurs } from "./movements.ts"
import { noteOf } from "./notes.ts"
import { said } from "./reasons.ts"
import type * as Wire from "./wire.ts"
import { ReconItems } from "./wire.ts"

/** The link that has a name of ours, if it is one. */
export type LinkNamed = (name: string) => Effect.Effect<{ readonly id: string } | null, NoAnswer>

/** Where a page begins. */
interface Place {
  /** `2026-11-26`, of Indian time. */
  readonly day: string
  /** The last item of the page before, and how many are before it; `null`: the day begins. */
  readonly after: { readonly id: string; readonly skip: number } | null
  /** How often the day was begun again. */
  readonly restarts: number
}

export const makeStatement =
  (api: Api, linkNamed: LinkNamed) =>
  (query: StatementQuery): Effect.Effect<StatementPage, ProviderError> =>
    Effect.gen(function* () {
      const { cursor, since, until } = query
      const place = cursor === null ? beginning(dayAt(since)) : readPlace(cursor, query)
      if (place === null) return yield* Effect.fail(invalidRequest("cursor"))
      const items = yield* itemsFrom(api, place)
      const fresh = place.after === null ? items : unread(items, place.after.id)
      // The list has changed between two pages, and what was moved over their border would be missing.
      if (fresh === null) return { movements: [], next: written(yield* again(place), query) }
      const movements = yield* Effect.forEach(fresh, (item) => movementIn(item, linkNamed))
      const lastDay = dayAt(Math.min(until - 1, yield* Clock.currentTimeMillis))
      const next = nextPlace(place, fresh, lastDay)
      return {
        movements: movements
          .filter((each) => each !== null)
          .filter(({ bookedAt }) => bookedAt >= since && bookedAt < until),
        next: next === null ? null : written(next, query)
      }
    })

const itemsFrom = (api: Api, { after, day }: Place) => {
  const [year, month, date] = day.split("-").map(Number)
  const query = { year: year ?? 0, month: month ?? 0, day: date ?? 0, count: pageSize, skip: after?.skip ?? 0 }
  return reading(Effect.map(api.get(["settlements", "recon", "combined"], ReconItems, query), ({ items }) => items))
}

/** Razorpay returns 1000 at once. An item may have 15 notes of 512 characters, and an answer has 1 MiB at most. */
const pageSize = 100

/** Each page begins with the last item of the page before. `null`: it does not. */
const unread = (items: ReadonlyArray<Wire.ReconItem>, last: string): ReadonlyArray<Wire.ReconItem> | null =>
  items[0]?.entity_id === last ? items.slice(1) : null

const again = (place: Place): Effect.Effect<Place, ProviderError> =>
  place.restarts < mostRestarts
    ? Effect.succeed({ ...place, after: null, restarts: place.restarts + 1 })
    : Effect.fail(invalidRequest(`the list of ${place.day} changes while it is read`))

const mostRestarts = 3

/** A page may have fewer items than were requested: the day ends with the page that has no further one. */
const nextPlace = (place: Place, fresh: ReadonlyArray<Wire.ReconItem>, lastDay: string): Place | null => {
  const last = fresh.at(-1)
  if (last !== undefined) {
    const skip = place.after === null ? fresh.length - 1 : place.after.skip + fresh.length
    return { ...place, after: { id: last.entity_id, skip } }
  }
  return place.day < lastDay ? beginning(dayAfter(place.day)) : null
}

const beginning = (day: string): Place => ({ day, after: null, restarts: 0 })

/** With the range: in another one, the place would be another one without an error. */
const written = ({ after, day, restarts }: Place, { since, until }: StatementQuery): string =>
  [since, until, day, restarts, ...(after === null ? [] : [after.skip, after.id])].join(" ")

const readPlace = (cursor: string, query: StatementQuery): Place | null => {
  const [, day, restarts, skip, id] = /^\d+ \d+ (\d{4}-\d{2}-\d{2}) (\d)(?: (\d{1,9}) (\S+))?$/.exec(cursor) ?? []
  if (day === undefined || restarts === undefined) return null
  const after = skip === undefined || id === undefined ? null : { id, skip: Number(skip) }
  const place = { day, after, restarts: Number(restarts) }
  return written(place, query) === cursor ? place : null
}

/** ms: Indian time is five and a half hours ahead of UTC, without daylight saving time. */
const indianOffset = 5.5 * 60 * 60_000

const dayAt = (time: number): string => new Date(time + indianOffset).toISOString().slice(0, 10)

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 24 * 60 * 60_000).toISOString().slice(0, 10)

const movementIn = (
  item: Wire.ReconItem,
  linkNamed: LinkNamed
): Effect.Effect<StatementMovement | null, ProviderError> =>
  Effect.flatMap(originalOf(item, linkNamed), (original) => movementOf(item, original))

/**
 * What was paid, of a refund or dispute that was not requested here. Our receipt is that of an order or that of a Payment
 * Link, whose order we do not know.
 */
const originalOf = (item: Wire.ReconItem, linkNamed: LinkNamed): Effect.Effect<string | null, ProviderError> => {
  const receipt = ofOurs(item.order_receipt)
  const order = said(item.order_id) ?? null
  const isRequested = item.type === "refund" && ofOurs(noteOf(item.notes, "paymux_operation")) !== null
  if (isRequested || item.type === "payment") return Effect.succeed(null)
  return receipt === null ? Effect.succeed(order) : Effect.map(reading(linkNamed(receipt)), (link) => link?.id ?? order)
}
