/**
 * The statement: Razorpay's settlement reconciliation, which lists what was settled on a day of Indian time. It is read day
 * by day, and on each day page by page.
 */
import { invalidRequest, type ProviderError } from "@paymux/core"
import type { StatementMovement, StatementPage, StatementQuery } from "@paymux/core/statement"
import { Clock, Effect } from "effect"
import { createHash } from "node:crypto"
import { type Api, type NoAnswer, reading } from "./api.ts"
import { movementOf, ofOurs } from "./movements.ts"
import { noteOf } from "./notes.ts"
import { said } from "./codes.ts"
import type * as Wire from "./wire.ts"
import { ReconItems } from "./wire.ts"

/** The link that has a name of ours, if it is one. */
export type LinkNamed = (name: string) => Effect.Effect<{ readonly id: string } | null, NoAnswer>

/** Where a page begins. */
interface Place {
  /** `2026-11-26`, of Indian time. */
  readonly day: string
  /** What was read of the day; `null`: it begins. */
  readonly after: ReadPart | null
  /** The digest of the day when all of it was read before; `null`: it was not. */
  readonly before: string | null
  /** How often the day was begun again because it had changed. */
  readonly restarts: number
}

interface ReadPart {
  /** The last item, and how many are before it. */
  readonly id: string
  readonly skip: number
  readonly pages: number
  /** Of the ids in their order. */
  readonly digest: string
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
      if (fresh === null) return { movements: [], next: written(yield* again(place, null), query) }
      const movements = yield* Effect.forEach(fresh, (item) => movementIn(item, linkNamed))
      const lastDay = dayAt(Math.min(until - 1, yield* Clock.currentTimeMillis))
      const next = fresh.length > 0 ? afterItems(place, fresh) : yield* afterDay(place, lastDay)
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

/** The most that Razorpay returns at once: most days are one page. */
const pageSize = 1000

/** Bytes: an item may have 15 notes of 512 characters. */
export const largestPage = 32 * 1024 * 1024

/** Each page begins with the last item of the page before. `null`: it does not. */
const unread = (items: ReadonlyArray<Wire.ReconItem>, last: string): ReadonlyArray<Wire.ReconItem> | null =>
  items[0]?.entity_id === last ? items.slice(1) : null

const again = (place: Place, before: string | null): Effect.Effect<Place, ProviderError> =>
  place.restarts < mostRestarts
    ? Effect.succeed({ ...place, after: null, before, restarts: place.restarts + 1 })
    : Effect.fail(invalidRequest(`the list of ${place.day} changes while it is read`))

const mostRestarts = 3

/** A page may have fewer items than were requested: the day ends with the page that has no further one. */
const afterItems = (place: Place, fresh: ReadonlyArray<Wire.ReconItem>): Place => {
  const { after } = place
  const hash = createHash("sha256").update(after?.digest ?? "")
  for (const { entity_id } of fresh) hash.update(`${entity_id} `)
  const digest = hash.digest("hex").slice(0, 32)
  const skip = (after?.skip ?? -1) + fresh.length
  return { ...place, after: { id: fresh.at(-1)?.entity_id ?? "", skip, pages: (after?.pages ?? 0) + 1, digest } }
}

/**
 * Items that are inserted, removed or moved between two requests may be missed. A day of several pages is therefore read until
 * it was the same twice. `null`: no day is left.
 */
const afterDay = (place: Place, lastDay: string): Effect.Effect<Place | null, ProviderError> => {
  const { after, before, day } = place
  const isSure = after === null ? before === null : after.pages === 1 || after.digest === before
  if (isSure) return Effect.succeed(day < lastDay ? beginning(dayAfter(day)) : null)
  return before === null && after !== null
    ? Effect.succeed({ ...place, after: null, before: after.digest })
    : again(place, after?.digest ?? null)
}

const beginning = (day: string): Place => ({ day, after: null, before: null, restarts: 0 })

/** With the range: in another one, the place would be another one without an error. */
const written = ({ after, before, day, restarts }: Place, { since, until }: StatementQuery): string =>
  [
    since,
    until,
    day,
    restarts,
    before ?? "-",
    ...(after === null ? [] : [after.skip, after.pages, after.digest, after.id])
  ].join(" ")

const cursorForm = /^\d+ \d+ (\d{4}-\d{2}-\d{2}) (\d) (-|[0-9a-f]{32})(?: (\d{1,9}) (\d{1,9}) ([0-9a-f]{32}) (\S+))?$/

const readPlace = (cursor: string, query: StatementQuery): Place | null => {
  const [, day, restarts, before, skip, pages, digest, id] = cursorForm.exec(cursor) ?? []
  if (day === undefined || restarts === undefined || before === undefined) return null
  const after =
    skip === undefined || pages === undefined || digest === undefined || id === undefined
      ? null
      : { id, skip: Number(skip), pages: Number(pages), digest }
  const place = { day, after, before: before === "-" ? null : before, restarts: Number(restarts) }
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
