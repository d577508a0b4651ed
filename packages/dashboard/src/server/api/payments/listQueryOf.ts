/** The query of the list of payments: the filters of `/v1`, checked as there, under the names of this API. */
import type { Tenant } from "@paymux/core"
import type { ListQuery } from "@paymux/core/store"
import { isPaymentId } from "@paymux/core/wire"
import { ApiProblem, cursors, listQuery } from "@paymux/http"
import { Effect, Redacted } from "effect"
import { invalidCursor } from "../controlHandler.ts"
import { defaultLimit } from "../fields.ts"

interface Query {
  readonly [filter: string]: string | number | ReadonlyArray<string> | undefined
  readonly metadata?: ReadonlyArray<string>
  readonly inReview?: "true" | "false"
  readonly from?: number
  readonly until?: number
  readonly after?: string
  readonly limit?: number
}

export const listQueryOf = Effect.fnUntraced(function* (tenant: Tenant, query: Query) {
  const { after, from = 0, inReview, limit = defaultLimit, metadata = [], until, ...filters } = query
  if (after !== undefined && !isPaymentId(after)) return yield* invalidCursor({ message: notACursor })
  const values = [
    ...Object.entries(filters).map(([name, value = []]) => [snakeCase(name), value] as const),
    ...metadata.map((pair) => {
      const [key = ""] = pair.split("=", 1)
      return [`metadata[${key}]`, pair.slice(key.length + 1)] as const
    })
  ].flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)] as const))
  const read = yield* Effect.mapError(listQuery(values, tenant, noCursors), inOurNames)
  return {
    ...read,
    limit,
    position: after === undefined ? null : { side: "after", id: after },
    createdAfter: from === 0 ? null : Math.min(from, latest) - 1,
    createdBefore: until === undefined ? null : Math.min(until, latest),
    inReview: inReview === "true"
  } satisfies ListQuery
})

/** ms UTC: the end of the year 9999, as on `/v1`. The time in an id ends soon after. */
const latest = 253_402_300_800_000

const notACursor = "The cursor must be the `next` of a former page of payments."

/** The place of a page is the id of its last payment: a page has nothing that is not of the caller's account and mode. */
const noCursors = cursors([Redacted.make("the control API has cursors of its own")])

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const camelCase = (text: string): string => text.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const inOurNames = ({ errors = [], ...problem }: ApiProblem) =>
  new ApiProblem({
    code: problem.code,
    ...(problem.detail !== undefined && { detail: problem.detail }),
    errors: errors.map(({ message, pointer }) => ({ pointer: camelCase(pointer), message: camelCase(message) }))
  })
