import { assert, describe, it, layer } from "@effect/vitest"
import { eventBody } from "@paymux/core/wire"
import { PaymentStore } from "@paymux/core/store"
import type { EventId } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { acme, card, minimal, obedient, TestServer } from "../support/server.ts"
import type { Answer } from "../support/server.ts"

const parsed = ({ text }: Answer) => JSON.parse(text)
const as = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } })

/** The page of events of this key, as JSON. */
const page = Effect.fnUntraced(function* (key: string, query = "") {
  const { ask } = yield* TestServer
  const answer = yield* ask({ path: `/v1/events${query}`, ...as(key) })
  assert.strictEqual(answer.status, 200, answer.text)
  return parsed(answer)
})

const problemOf = Effect.fnUntraced(function* (key: string, query: string) {
  const { ask } = yield* TestServer
  const answer = yield* ask({ path: `/v1/events${query}`, ...as(key) })
  return { status: answer.status, ...parsed(answer) }
})

const server = TestServer.layer({ providers: [acme(obedient)] })

layer(server)("GET /v1/events", (it) => {
  it.effect("returns the bytes that webhooks carry, in the order of the sequence, page by page", () =>
    Effect.gen(function* () {
      const { ask, newKey } = yield* TestServer
      const store = yield* PaymentStore
      const key = yield* newKey("pages", "test")
      const payments: Array<string> = []
      for (let n = 0; n < 3; n++) payments.push(parsed(yield* ask({ body: minimal, ...as(key) })).id)
      yield* ask({ path: `/v1/payments/${payments[0]}/refunds`, body: {}, ...as(key) })
      const all = yield* ask({ path: "/v1/events?limit=100", ...as(key) })
      const { data, has_more, next_cursor } = parsed(all)
      assert.isFalse(has_more)
      const types = data.map(({ type }: { readonly type: string }) => type)
      assert.deepStrictEqual(
        types.slice(0, 3),
        Array.from({ length: 3 }, () => "payment.succeeded")
      )
      assert.include(types, "refund.succeeded")
      const bodies: Array<string> = []
      for (const {
        data: { id }
      } of data) {
        const event = yield* store.findEvent(id)
        bodies.push(event === null ? "" : eventBody(event))
        const one = yield* ask({ path: `/v1/events/${id}`, ...as(key) })
        assert.strictEqual(one.text, bodies.at(-1))
      }
      assert.isTrue(all.text.startsWith(`{"object":"list","data":[${bodies.join(",")}],`))
      const seen: Array<unknown> = []
      let next = yield* page(key, "?limit=2")
      for (; next.has_more; next = yield* page(key, `?limit=2&after=${next.next_cursor}`)) seen.push(...next.data)
      assert.deepStrictEqual([...seen, ...next.data], data)
      // What a webhook carried is a place, too.
      assert.deepStrictEqual((yield* page(key, `?limit=100&after=${data[1].data.id}`)).data, data.slice(2))
      assert.deepStrictEqual(yield* page(key, `?after=${next_cursor}`), {
        object: "list",
        data: [],
        has_more: false,
        next_cursor
      })
      yield* ask({ body: minimal, ...as(key) })
      assert.lengthOf((yield* page(key, `?after=${next_cursor}`)).data, 1)
      assert.deepStrictEqual(
        (yield* page(key, `?payment=${payments[0]}&types=refund.succeeded&types=payment.failed`)).data,
        data.filter(({ type }: { readonly type: string }) => type === "refund.succeeded")
      )
      assert.deepStrictEqual((yield* page(key, "?types=payment.disputed")).data, [])
    })
  )

  it.effect("shows an account and mode its own events alone", () =>
    Effect.gen(function* () {
      const { ask, newKey } = yield* TestServer
      const key = yield* newKey("mine", "test")
      yield* ask({ body: minimal, ...as(key) })
      const { data } = yield* page(key)
      const own = data[0].data.id
      for (const other of [yield* newKey("mine", "live"), yield* newKey("theirs", "test")]) {
        assert.deepStrictEqual((yield* page(other)).data, [])
        const found = yield* ask({ path: `/v1/events/${own}`, ...as(other) })
        assert.strictEqual(found.status, 404)
        assert.strictEqual(parsed(found).code, "not_found")
      }
      for (const id of ["evt_", "pay_01jd8w6x2vh6k9v0q3f7m5t1ac", "evt_01k3zq6v9n8m4c7x2t5w0b1d3f", "evt_%00"]) {
        assert.strictEqual((yield* ask({ path: `/v1/events/${id}`, ...as(key) })).status, 404, id)
      }
    })
  )

  it.effect("refuses what is no place of this account, and names the parameter", () =>
    Effect.gen(function* () {
      const { ask, newKey } = yield* TestServer
      const key = yield* newKey("refused", "test")
      const payment = parsed(yield* ask({ body: minimal, ...as(key) }))
      yield* ask({ body: card, ...as(key) })
      const { data, next_cursor } = yield* page(key)
      const ofPayments = parsed(yield* ask({ path: "/v1/payments?limit=1", ...as(key) })).next_cursor
      for (const other of [yield* newKey("refused", "live"), yield* newKey("thief", "test")]) {
        for (const after of [next_cursor, data[0].data.id]) {
          const { code, errors, status } = yield* problemOf(other, `?after=${after}`)
          assert.deepStrictEqual([status, code, errors[0].pointer], [400, "invalid_request", "after"])
        }
      }
      for (const [query, pointer] of [
        [`after=${payment.id}`, "after"],
        [`after=${ofPayments}`, "after"],
        ["after=", "after"],
        ["after=evt_1", "after"],
        ["after=null", "after"],
        [`after=${next_cursor}A`, "after"],
        [`after=${next_cursor}&after=${next_cursor}`, "after"],
        // In the year 2527.
        ["after=evt_0h00000000xxxxxxxxxxxxxxxx", "after"],
        ["types=payment.flown", "types"],
        ["types=", "types"],
        [Array.from({ length: 101 }, () => "types=payment.failed").join("&"), "types"],
        ["payment=pay_1", "payment"],
        [`payment=${payment.id}&payment=${payment.id}`, "payment"],
        ["limit=0", "limit"],
        ["limit=101", "limit"],
        ["limit=1e1", "limit"],
        ["type=payment.failed", "type"],
        ["starting_after=x", "starting_after"]
      ]) {
        const { code, errors, status } = yield* problemOf(key, `?${query}`)
        assert.deepStrictEqual([status, code, errors?.[0].pointer], [400, "invalid_request", pointer], query)
      }
      for (let i = 0; i < next_cursor.length; i++) {
        const other = next_cursor[i] === "A" ? "B" : "A"
        const changed = next_cursor.slice(0, i) + other + next_cursor.slice(i + 1)
        assert.strictEqual((yield* problemOf(key, `?after=${changed}`)).status, 400, `at ${i}`)
      }
    })
  )

  it.effect("needs an API key", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestServer
      for (const path of ["/v1/events", "/v1/events/evt_01k3zq6v9n8m4c7x2t5w0b1d3f"]) {
        assert.strictEqual((yield* ask({ path, headers: { Authorization: null } })).status, 401)
      }
    })
  )
})

describe("GET /v1/events, of events that were deleted", () => {
  it.live("says from where to continue, and what is still stored follows there", () =>
    Effect.gen(function* () {
      const { ask, key } = yield* TestServer
      const sql = yield* SqlClient.SqlClient
      for (let n = 0; n < 3; n++) yield* ask({ body: minimal, ...as(key) })
      const { data, next_cursor } = yield* page(key)
      const ids: ReadonlyArray<EventId> = data.map(
        ({ data: { id } }: { readonly data: { readonly id: EventId } }) => id
      )
      const [first = "", second = "", third = ""] = ids
      yield* sql`DELETE FROM payment_events WHERE id = ${second}`
      const gone = yield* problemOf(key, `?after=${second}`)
      assert.deepStrictEqual([gone.status, gone.code, gone.resume_after], [410, "event_not_stored", null])
      assert.deepStrictEqual((yield* page(key)).data, [data[0], data[2]])
      // Two hours later: what is older than the margin was seen before.
      yield* sql`UPDATE payment_events SET created_at = created_at - 7200000 WHERE id = ${first}`
      const later = yield* problemOf(key, `?after=${second}`)
      assert.strictEqual(later.resume_after, first)
      assert.deepStrictEqual((yield* page(key, `?after=${first}`)).data.length, 1)
      // The newest event is missing: the database was restored to a moment before it.
      yield* sql`DELETE FROM payment_events WHERE id = ${third}`
      for (const after of [third, next_cursor]) {
        const restored = yield* problemOf(key, `?after=${after}`)
        assert.deepStrictEqual([restored.status, restored.resume_after], [410, first])
      }
    }).pipe(Effect.provide(server))
  )
})
