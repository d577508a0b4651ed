/** Every page of a statement, from the first to the last. Dies where the pages have no end. */
import type { ProviderError, ProviderOperations } from "@paymux/core"
import { Effect } from "effect"

type ReadPage = NonNullable<ProviderOperations["statement"]>
type Page = Effect.Success<ReturnType<ReadPage>>

export const statementPages = Effect.fnUntraced(function* (
  readPage: ReadPage,
  range: Omit<Parameters<ReadPage>[0], "cursor">
): Effect.fn.Return<ReadonlyArray<Page>, ProviderError> {
  const pages: Array<Page> = []
  let cursor: string | null = null
  do {
    const page: Page = yield* readPage({ ...range, cursor })
    if (page.next !== null && (page.next === cursor || pages.length === most)) {
      return yield* Effect.die(new Error(`After ${pages.length} pages: the next one is ${page.next}`))
    }
    pages.push(page)
    cursor = page.next
  } while (cursor !== null)
  return pages
})

const most = 500
