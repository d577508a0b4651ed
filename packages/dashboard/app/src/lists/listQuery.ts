import { pageSize } from "./List.tsx"
import { valueOf, valuesOf } from "./search.ts"
import type { Search } from "./search.ts"

/** The filters of the address as the query of a list, with the place of the page. `several`: they may have more values. */
export const listQuery = <Query extends object>(
  search: Search,
  one: ReadonlyArray<string & keyof Query>,
  several: ReadonlyArray<string & keyof Query> = []
): Query => {
  const query: { [name: string]: string | ReadonlyArray<string> } = { limit: String(pageSize) }
  for (const name of [...one, "after"]) {
    const value = valueOf(search, name)
    if (value !== undefined) query[name] = value
  }
  for (const name of several) {
    const values = valuesOf(search, name)
    if (values.length > 0) query[name] = values
  }
  // Boundary: an address may hold any text, and the server refuses what it does not know.
  return query as Query
}
