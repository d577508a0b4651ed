import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import {
  PaymuxAbortError,
  PaymuxApiError,
  PaymuxConnectionError,
  PaymuxInvalidRequestError,
  PaymuxNotFoundError,
  PaymuxUsageError
} from "../src/index.ts"
import type { Paymux, WebhookEvent } from "../src/index.ts"
import { card, openShop, rejection, upi } from "./Shop.ts"
import type { Shop } from "./Shop.ts"

let shop: Shop
let paymux: Paymux
/** In the order of the sequence. */
let all: ReadonlyArray<WebhookEvent>

beforeAll(async () => {
  shop = await openShop()
  paymux = shop.client()
  for (let n = 0; n < 6; n++) await shop.server.payments.create(n < 3 ? card : upi)
  all = (await paymux.events.list({ limit: 100 })).data
})
afterAll(() => shop[Symbol.asyncDispose]())

/** The first events, as many as given, of an iteration. */
const first = async (count: number, events: AsyncIterable<WebhookEvent>): Promise<ReadonlyArray<WebhookEvent>> => {
  const found: Array<WebhookEvent> = []
  for await (const event of events) if (found.push(event) === count) break
  return found
}

describe("events", () => {
  it("are listed in pages, with a cursor also on the last one, and read by id", async () => {
    assert.isAtLeast(all.length, 6)
    const page = await paymux.events.list({ limit: 4 })
    assert.deepStrictEqual(page.data, all.slice(0, 4))
    assert.isTrue(page.has_more)
    const rest = await paymux.events.list({ limit: 100, after: page.next_cursor ?? "" })
    assert.deepStrictEqual(rest.data, all.slice(4))
    assert.isFalse(rest.has_more)
    assert.isString(rest.next_cursor)
    const [event] = all
    const id = event?.data.id ?? ""
    assert.deepStrictEqual(await paymux.events.get(id), event)
    assert.deepStrictEqual(await paymux.events.retrieve(id), event)
    const { data: succeeded } = await paymux.events.list({ types: ["payment.succeeded", "refund.failed"], limit: 100 })
    assert.deepStrictEqual(
      succeeded,
      all.filter(({ type }) => type === "payment.succeeded")
    )
    const payment = event?.data.payment.id ?? ""
    assert.deepStrictEqual(
      (await paymux.events.list({ payment })).data,
      all.filter(({ data }) => data.payment.id === payment)
    )
  })

  it("are followed from any of them, over pages and broken connections, each once", async () => {
    shop.faults.push({ type: "cut answer" }, { type: "refused" })
    assert.deepStrictEqual(await first(all.length, paymux.events.follow({ limit: 2 })), all)
    for (let seen = 1; seen < all.length; seen++) {
      const after = all[seen - 1]?.data.id ?? ""
      assert.deepStrictEqual(await first(all.length - seen, paymux.events.follow({ after, limit: 2 })), all.slice(seen))
    }
  })

  it("are followed while the server restarts, and not at all if it is unreachable at the start", async () => {
    const unreachable = Array.from({ length: 2 }, () => ({ type: "refused" }) as const)
    const once = shop.client({ maxRetries: 0 })
    const found: Array<WebhookEvent> = []
    for await (const event of once.events.follow({ limit: 2, interval: 1 })) {
      if (found.push(event) === 1) shop.faults.push(...unreachable)
      if (found.length === all.length) break
    }
    assert.deepStrictEqual(found, all)
    assert.isEmpty(shop.faults)
    shop.faults.push({ type: "refused" })
    await rejection(first(1, once.events.follow({ interval: 1 })), PaymuxConnectionError)
    shop.faults.push({ type: "answer", status: 401, body: JSON.stringify({ code: "unauthorized" }) })
    await rejection(first(1, once.events.follow()), PaymuxApiError)
  })

  it("that come later are followed, too", async () => {
    const seen: Array<WebhookEvent> = []
    const made: Array<string> = []
    const after = all.at(-1)?.data.id ?? ""
    const from = shop.seen.length
    const following = (async () => {
      for await (const event of paymux.events.follow({ after, interval: 1, types: ["payment.succeeded"] })) {
        if (seen.push(event) === 3) break
      }
    })()
    for (let n = 0; n < 3; n++) {
      const requests = shop.seen.length
      made.push((await shop.server.payments.create(card)).id)
      // The next one is made once the follower has asked again.
      while (shop.seen.length < requests + 2 && seen.length < 3) await new Promise((resolve) => setImmediate(resolve))
    }
    await following
    assert.isAbove(shop.seen.length, from)
    assert.deepStrictEqual(
      seen.map(({ data }) => data.payment.id),
      made
    )
  })

  it("are followed until the signal, with the reason", async () => {
    const controller = new AbortController()
    const end = new Error("the receiver stops")
    const following = (async () => {
      for await (const event of paymux.events.follow({ interval: 2_147_483_647 }, { signal: controller.signal })) {
        if (event.data.id === all[2]?.data.id) controller.abort(end)
      }
    })()
    const error = await rejection(following, PaymuxAbortError)
    assert.strictEqual(error.cause, end)
  })

  it("say from where to continue if the event is not stored, and refuse other texts", async () => {
    // No event has this id, which was made in 2025.
    const after = "evt_01k3zq6v9n8m4c7x2t5w0b1d3f"
    const gone = await rejection(first(1, paymux.events.follow({ after })), PaymuxApiError)
    assert.deepInclude(gone, { code: "event_not_stored", status: 410, resumeAfter: null })
    assert.deepStrictEqual(await first(all.length, paymux.events.follow({ after: gone.resumeAfter })), all)
    shop.faults.push({
      type: "answer",
      status: 410,
      body: JSON.stringify({ code: "event_not_stored", resume_after: after })
    })
    assert.strictEqual((await rejection(paymux.events.list({ after }), PaymuxApiError)).resumeAfter, after)
    const refused = await rejection(paymux.events.list({ after: "pay_1" }), PaymuxInvalidRequestError)
    assert.strictEqual(refused.errors[0]?.pointer, "after")
    await rejection(paymux.events.get(after), PaymuxNotFoundError)
    await rejection(paymux.events.get("../keys"), PaymuxUsageError)
    for (const interval of [0, -1, 1.5, Number.NaN, 2_147_483_648]) {
      assert.throws(() => paymux.events.follow({ interval }), PaymuxUsageError)
    }
  })
})
