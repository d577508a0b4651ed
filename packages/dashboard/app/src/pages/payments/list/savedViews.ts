/** Filters with a name, kept in this browser for each account and mode. */
import { stringifySearch, valuesOf } from "../../../lists/search.ts"
import type { Search } from "../../../lists/search.ts"
import { useStored } from "../../../lists/stored.ts"
import { useTenant } from "../../../session/session.ts"

export interface View {
  readonly name: string
  readonly search: Search
}

export const builtInViews: ReadonlyArray<View> = [
  { name: "All", search: {} },
  { name: "Succeeded", search: { status: "succeeded" } },
  { name: "Failed", search: { status: "failed" } },
  { name: "Pending", search: { status: "pending" } },
  { name: "In review", search: { inReview: "true" } }
]

const isSearch = (value: unknown): value is Search =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every(
    (each) => typeof each === "string" || (Array.isArray(each) && each.every((one) => typeof one === "string"))
  )

const isView = (value: unknown): value is View =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  typeof value.name === "string" &&
  "search" in value &&
  isSearch(value.search)

const viewsIn = (stored: unknown): ReadonlyArray<View> | null =>
  Array.isArray(stored) && stored.every(isView) ? stored : null

export const useSavedViews = () => {
  const { account, mode } = useTenant()
  return useStored<ReadonlyArray<View>>(`paymux-payment-views:${account}:${mode}`, viewsIn, [])
}

/** Whether both select the same payments, whatever the order of their filters. */
export const isSameSearch = (one: Search, other: Search): boolean => inOrder(one) === inOrder(other)

const inOrder = (search: Search): string =>
  stringifySearch(
    Object.fromEntries(
      Object.keys(search)
        .toSorted(byText)
        .map((name) => [name, valuesOf(search, name).toSorted(byText)] as const)
    )
  )

const byText = (one: string, other: string): number => (one < other ? -1 : 1)
