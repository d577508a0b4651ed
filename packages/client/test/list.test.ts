import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { listing } from "../src/Listing.ts"
import { PaymuxApiError, PaymuxInvalidRequestError, PaymuxUsageError } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"
import type { Page } from "../src/wire.ts"
import { card, openShop, rejection, upi } from "./Shop.ts"
import type { Shop } from "./Shop.ts"

const COUNT = 1050

let shop: Shop
let paymux: Paymux
/** Newest first. */
let ids: ReadonlyArray<string>

const all = async <Item>(items: AsyncIterable<Item>): Promise<ReadonlyArray<Item>> => {
  const found: Array<Item> = []
  for await (const item of items) found.push(item)
  return found
}

beforeAll(async () => {
  shop = await openShop()
  paymux = shop.client()
  const { payments } = shop.server
  for (let made = 0; made < COUNT; made += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => payments.create(made + index < 10 ? card : upi)))
  }
  ids = (await paymux.payments.list({ limit: 100 }).autoPagingToArray({ limit: 2 * COUNT })).map(({ id }) => id)
})
afterAll(() => shop[Symbol.asyncDispose]())

describe("a list", () => {
  it(`of ${COUNT} payments is iterated to its end, each payment once, newest first`, async () => {
    const from = shop.seen.length
    const found = (await all(paymux.payments.list({ limit: 100 }))).map(({ id }) => id)
    assert.strictEqual(new Set(found).size, COUNT)
    assert.deepStrictEqual(found, found.toSorted().toReversed())
    assert.lengthOf(shop.seen.slice(from), Math.ceil(COUNT / 100))
  })

  it("is its first page where it is awaited", async () => {
    const page = await paymux.payments.list({ limit: 3 })
    assert.deepStrictEqual(
      page.data.map(({ id }) => id),
      ids.slice(0, 3)
    )
    assert.isTrue(page.has_more)
    const next = await paymux.payments.list({ limit: 3, starting_after: page.next_cursor ?? "" })
    assert.deepStrictEqual(
      next.data.map(({ id }) => id),
      ids.slice(3, 6)
    )
    assert.lengthOf((await paymux.payments.list()).data, 20)
  })

  it("does not request a page that is not read", async () => {
    const from = shop.seen.length
    for await (const { id } of paymux.payments.list({ limit: 10 })) if (id === ids[14]) break
    assert.lengthOf(shop.seen.slice(from), 2)
    const some = await paymux.payments.list({ limit: 10 }).autoPagingToArray({ limit: 20 })
    assert.lengthOf(some, 20)
    assert.lengthOf(shop.seen.slice(from), 4)
  })

  it("goes from older to newer before a cursor", async () => {
    const page = await paymux.payments.list({ limit: 30 })
    const before = await all(paymux.payments.list({ limit: 7, ending_before: page.next_cursor ?? "" }))
    const found = before.map(({ id }) => id)
    assert.deepStrictEqual(found, ids.slice(0, 29).toReversed())
  })

  it("is filtered as the query of the API, one value or any of several", async () => {
    const cards = await paymux.payments.list({ payment_method: "card", limit: 100 })
    assert.lengthOf(cards.data, 10)
    const both = await paymux.payments
      .list({ payment_method: ["card", "upi"], status: ["succeeded"], created_after: "2020-01-01T00:00:00+05:30" })
      .autoPagingToArray({ limit: 2 * COUNT })
    assert.lengthOf(both, COUNT)
    const none = await paymux.payments.list({ metadata: { order_id: ["a&b=c", "ü d"] } })
    assert.deepStrictEqual(none.data, [])
    assert.include(shop.seen.at(-1)?.path, "metadata%5Border_id%5D=a%26b%3Dc")
  })

  it("fails with what the server says, awaited and iterated alike", async () => {
    const list = () => paymux.payments.list({ limit: 1000 })
    const awaited = await rejection(list(), PaymuxInvalidRequestError)
    assert.deepStrictEqual(
      awaited.errors.map(({ pointer }) => pointer),
      ["limit"]
    )
    const iterated = await rejection(all(list()), PaymuxInvalidRequestError)
    assert.strictEqual(iterated.code, "invalid_request")
    await rejection(paymux.payments.list().autoPagingToArray({ limit: 0 }), PaymuxUsageError)
  })

  it("goes on over a fault in the middle", async () => {
    const found: Array<string> = []
    for await (const { id } of paymux.payments.list({ limit: 100 })) {
      found.push(id)
      if (found.length === 250) shop.faults.push({ type: "refused" })
    }
    assert.deepStrictEqual(found, ids)
  })
})

describe("a list without an end", () => {
  const page = (data: ReadonlyArray<number>, next_cursor: string): Page<number> => ({
    object: "list",
    data,
    has_more: true,
    next_cursor
  })

  it("fails at the first cursor that was returned before, after the items until there", async () => {
    const following: { readonly [cursor: string]: string } = { start: "a", a: "b", b: "a" }
    const found: Array<number> = []
    let read = 0
    const iterated = async () => {
      const pages = listing(async (cursor) => {
        if (++read > 20) throw new Error("the pages were read on")
        return page([read], following[cursor ?? "start"] ?? "a")
      })
      for await (const item of pages) found.push(item)
    }
    const { code, message } = await rejection(iterated(), PaymuxApiError)
    assert.deepStrictEqual(
      [code, message],
      ["unexpected_answer", 'The list has no end: the cursor "a" was returned before.']
    )
    assert.deepStrictEqual(found, [1, 2, 3])
  })

  it("fails after a thousand empty pages in a row, and not where items are between them", async () => {
    let read = 0
    const empty = listing<number>(async () => {
      if (++read > 5000) throw new Error("the pages were read on")
      return page([], String(read))
    })
    const { message } = await rejection(all(empty), PaymuxApiError)
    assert.strictEqual(message, 'The list has no end: 1000 pages in a row are empty, up to the cursor "1000".')
    const sparse = listing(async (cursor) => {
      const n = Number(cursor ?? 0) + 1
      return { ...page(n % 999 === 0 ? [n] : [], String(n)), has_more: n < 2500 }
    })
    assert.deepStrictEqual(await all(sparse), [999, 1998])
  })

  it("is none while the server says how far it has searched", async () => {
    const searched = listing(async (cursor) => {
      const n = Number(cursor ?? 0) + 1
      const until = { searched_until: new Date(2_000_000 - n).toISOString() }
      return { ...page(n === 1500 ? [n] : [], String(n)), ...(n < 1500 && until), has_more: n < 1500 }
    })
    assert.deepStrictEqual(await all(searched), [1500])
  })
})
