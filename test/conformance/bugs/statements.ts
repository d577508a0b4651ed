import { Currency, invalidRequest, type Provider, type ProviderError, rateLimited } from "@paymux/core"
import type { StatementMovement, StatementPage, StatementQuery } from "@paymux/core/statement"
import { Effect } from "effect"
import { type Bug, withOperations } from "../Bug.ts"

type Read = (query: StatementQuery) => Effect.Effect<StatementPage, ProviderError>

/** The provider whose statement is read in another way. */
const reading = (provider: Provider, change: (read: Read) => Read): Provider =>
  withOperations(provider, ({ statement }) => (statement === undefined ? {} : { statement: change(statement) }))

/** The provider whose movements are others. */
const moving = (
  provider: Provider,
  change: (movement: StatementMovement) => ReadonlyArray<StatementMovement>
): Provider =>
  reading(
    provider,
    (read) => (query) =>
      Effect.map(read(query), ({ movements, next }) => ({ movements: movements.flatMap(change), next }))
  )

const everything = Effect.fnUntraced(function* (read: Read, window: Pick<StatementQuery, "since" | "until">) {
  const found: Array<StatementMovement> = []
  let cursor: string | null = null
  do {
    const page: StatementPage = yield* read({ ...window, cursor })
    found.push(...page.movements)
    cursor = page.next
  } while (cursor !== null)
  return found
})

const empty: StatementPage = { movements: [], next: null }
const day = 86_400_000

const ofStripe = (check: Bug["check"], name: string, plant: Bug["plant"]): Bug => ({
  check,
  name,
  adapter: "stripe",
  plant
})

export const statementBugs: ReadonlyArray<Bug> = [
  ofStripe("statement", "drops the last page", (provider) =>
    reading(
      provider,
      (read) => (query) =>
        Effect.map(read(query), (page) => (page.next === null && query.cursor !== null ? empty : page))
    )
  ),
  ofStripe("statement", "reads the first page only", (provider) =>
    reading(provider, (read) => (query) => Effect.map(read(query), ({ movements }) => ({ movements, next: null })))
  ),
  ofStripe("statement", "takes the net amount for the gross one", (provider) =>
    moving(provider, (movement) => [{ ...movement, amount: movement.net ?? movement.amount }])
  ),
  ofStripe("statement", "takes the gross amount for the net one", (provider) =>
    moving(provider, (movement) => [{ ...movement, net: movement.amount }])
  ),
  ofStripe("statement", "reports no fees", (provider) => moving(provider, (movement) => [{ ...movement, fee: null }])),
  ofStripe("statement", "reports refunds as money that came in", (provider) =>
    moving(provider, (movement) => [{ ...movement, direction: "in" }])
  ),
  ofStripe("statement", "reports refunds as payments", (provider) =>
    moving(provider, (movement) => [
      movement.type === "refund" ? { ...movement, type: "payment", direction: "in" } : movement
    ])
  ),
  ofStripe("statement", "reads the time of the booking as that of India", (provider) =>
    moving(provider, (movement) => [{ ...movement, bookedAt: movement.bookedAt - 5.5 * 3_600_000 }])
  ),
  ofStripe("statement", "multiplies each amount by 100", (provider) =>
    moving(provider, (movement) => [
      Currency.exponent(movement.amount.currency) === 0
        ? { ...movement, amount: { ...movement.amount, minorUnits: movement.amount.minorUnits * 100 } }
        : movement
    ])
  ),
  ofStripe("statement", "leaves out what another system has charged", (provider) =>
    moving(provider, (movement) => (movement.type === "payment" && movement.operation === null ? [] : [movement]))
  ),
  ofStripe("statement", "names a refund by its payment", (provider) =>
    moving(provider, (movement) => [
      movement.type === "refund" ? { ...movement, operation: null, reference: movement.original } : movement
    ])
  ),
  ofStripe("statement", "does not return our id", (provider) =>
    moving(provider, (movement) => [{ ...movement, operation: null }])
  ),
  ofStripe("statement", "takes the id of what was moved for the id of the movement", (provider) =>
    moving(provider, (movement) => [{ ...movement, id: movement.original ?? movement.reference ?? movement.id }])
  ),
  ofStripe("statement", "numbers the movements", (provider) =>
    reading(
      provider,
      (read) => (query) =>
        Effect.map(read(query), ({ movements, next }) => ({
          movements: movements.map((movement, index) => ({ ...movement, id: `${query.cursor} ${index}` })),
          next
        }))
    )
  ),
  ofStripe("statement", "takes the end of the time for inclusive", (provider) =>
    reading(provider, (read) => (query) => read({ ...query, until: query.until + 1_000 }))
  ),
  ofStripe("statement", "filters by the time of the create", (provider) =>
    withOperations(provider, ({ create, statement }) => {
      const created = new Map<string, number>()
      return {
        create: (operation) => {
          created.set(operation.id, operation.createdAt)
          return create(operation)
        },
        statement: ({ cursor, since, until }) => {
          if (statement === undefined) return Effect.fail(invalidRequest("statement"))
          const isWithin = ({ bookedAt, operation }: StatementMovement) => {
            const at = created.get(operation ?? "") ?? bookedAt
            return at >= since && at < until
          }
          return Effect.map(statement({ cursor, since: since - day, until: until + day }), ({ movements, next }) => ({
            movements: movements.filter(isWithin),
            next
          }))
        }
      }
    })
  ),
  ofStripe("statement-cursor", "takes an unknown cursor for the first page", (provider) =>
    reading(
      provider,
      (read) => (query) =>
        Effect.catch(read(query), (error) =>
          error.reason._tag === "InvalidRequest" ? read({ ...query, cursor: null }) : Effect.fail(error)
        )
    )
  ),
  ofStripe("statement-cursor", "takes an unknown cursor for the end", (provider) =>
    reading(
      provider,
      (read) => (query) =>
        Effect.catch(read(query), (error) =>
          error.reason._tag === "InvalidRequest" ? Effect.succeed(empty) : Effect.fail(error)
        )
    )
  ),
  ofStripe("statement-cursor", "takes the cursor of another time", (provider) =>
    reading(
      provider,
      (read) =>
        ({ cursor, since, until }) =>
          Effect.map(
            read({ since, until, cursor: cursor === null ? null : `${since}-${until}-${cursor}` }),
            (page) => ({
              ...page,
              next: page.next?.split("-").at(-1) ?? null
            })
          )
    )
  ),
  ofStripe("statement-cursor", "keeps its position in memory", (provider) =>
    reading(provider, (read) => {
      const positions = new Map<string, string>()
      return (query) =>
        Effect.map(read({ ...query, cursor: positions.get(query.cursor ?? "") ?? null }), (page) => {
          if (page.next === null) return page
          const name = `page ${positions.size + 1}`
          positions.set(name, page.next)
          return { ...page, next: name }
        })
    })
  ),
  ofStripe("statement-cursor", "pages by number, up to how many there were at first", (provider) =>
    reading(provider, (read) =>
      Effect.fnUntraced(function* ({ cursor, ...window }) {
        const all = yield* everything(read, window)
        const [place = 0, count = all.length, of = ""] = (cursor ?? "").split(" ").map(Number)
        const isKnown = cursor === null || cursor === `${place} ${count} ${of}`
        if (!isKnown || (cursor !== null && of !== window.since + window.until)) {
          return yield* Effect.fail(invalidRequest("cursor"))
        }
        const from = cursor === null ? 0 : place
        const until = Math.min(from + 50, cursor === null ? all.length : count)
        const total = cursor === null ? all.length : count
        return {
          movements: all.slice(from, until),
          next: until < total ? `${until} ${total} ${window.since + window.until}` : null
        }
      })
    )
  ),
  ofStripe("statement", "continues after the second of the last movement", (provider) =>
    reading(provider, (read) =>
      Effect.fnUntraced(function* ({ cursor, since, until }) {
        const [name = "", before = ""] = (cursor ?? "").split(" ")
        if (cursor !== null && (name !== String(since + until) || !/^\d+$/.test(before))) {
          return yield* Effect.fail(invalidRequest("cursor"))
        }
        const { movements, next } = yield* read({
          since,
          until: cursor === null ? until : Number(before),
          cursor: null
        })
        const last = movements.at(-1)
        return { movements, next: next === null || last === undefined ? null : `${since + until} ${last.bookedAt}` }
      })
    )
  ),
  ofStripe("statement-faults", "takes a 500 for the end", (provider) =>
    reading(
      provider,
      (read) => (query) =>
        Effect.catch(read(query), (error) =>
          error.reason._tag === "RateLimited" ? Effect.succeed(empty) : Effect.fail(error)
        )
    )
  ),
  ofStripe("statement-faults", "takes what it cannot read for the end", (provider) =>
    reading(
      provider,
      (read) => (query) =>
        Effect.catch(read(query), (error) =>
          error.reason._tag === "InvalidRequest" && query.cursor === null ? Effect.succeed(empty) : Effect.fail(error)
        )
    )
  ),
  ofStripe("statement-faults", "refuses the request where there was no answer", (provider) =>
    reading(
      provider,
      (read) => (query) =>
        Effect.mapError(read(query), (error) =>
          error.reason._tag === "RateLimited" && error.reason.retryAfterMs === null
            ? invalidRequest("no answer")
            : error
        )
    )
  ),
  ofStripe("statement-faults", "does not return how long to wait", (provider) =>
    reading(
      provider,
      (read) => (query) =>
        Effect.mapError(read(query), (error) => (error.reason._tag === "RateLimited" ? rateLimited(null) : error))
    )
  )
]
