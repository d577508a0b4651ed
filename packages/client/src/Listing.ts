/** A list: its first page to `await`, and everything to iterate over. */
import { PaymuxApiError, PaymuxUsageError } from "./PaymuxError.ts"
import type { Page } from "./wire.ts"

/**
 * @example
 * ```ts
 * const page = await paymux.payments.list({ limit: 10 })
 * for await (const payment of paymux.payments.list()) console.log(payment.id)
 * ```
 */
export interface Listing<Item> extends Promise<Page<Item>>, AsyncIterable<Item> {
  /** All items, `limit` at most, over as many pages as it takes. */
  readonly autoPagingToArray: (options: { readonly limit: number }) => Promise<Array<Item>>
}

/**
 * `read`: the page after a cursor; the first one for `null`. It is asked for at once. `backwards`: from older to newer; each
 * page itself has the newest first.
 */
export const listing = <Item>(
  read: (cursor: string | null) => Promise<Page<Item>>,
  { backwards = false } = {}
): Listing<Item> => {
  const first = read(null)
  async function* items(): AsyncGenerator<Item, void> {
    const seen = new Set<string>()
    let empty = 0
    let page = await first
    for (;;) {
      // Node 18 has no toReversed.
      // oxlint-disable-next-line unicorn/no-array-reverse
      yield* backwards ? [...page.data].reverse() : page.data
      const { next_cursor: next } = page
      if (!page.has_more || next === null) return
      if (seen.has(next)) throw endless(`the cursor ${shown(next)} was returned before`)
      seen.add(next)
      // A search that goes on past payments that do not match has pages without any.
      empty = page.data.length === 0 && page.searched_until === undefined ? empty + 1 : 0
      if (empty >= mostEmptyPages)
        throw endless(`${mostEmptyPages} pages in a row are empty, up to the cursor ${shown(next)}`)
      page = await read(next)
    }
  }
  return Object.assign(first, {
    [Symbol.asyncIterator]: items,
    autoPagingToArray: async ({ limit }: { readonly limit: number }) => {
      if (!(Number.isInteger(limit) && limit >= 1)) throw new PaymuxUsageError("limit must be a whole number from 1")
      const found: Array<Item> = []
      for await (const item of items()) {
        found.push(item)
        if (found.length >= limit) break
      }
      return found
    }
  })
}

/** Of one iteration. */
const mostEmptyPages = 1000

const endless = (what: string) =>
  new PaymuxApiError({ code: "unexpected_answer", message: `The list has no end: ${what}.` })

const shown = (cursor: string): string => JSON.stringify(cursor.slice(0, 60))
