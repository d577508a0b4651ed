/** The merchant's calls of the API, newest first. */
import { useGet } from "../../api/client.ts"
import { Filters } from "../../lists/Filters.tsx"
import type { Filter } from "../../lists/Filters.tsx"
import { List } from "../../lists/List.tsx"
import { listQuery } from "../../lists/listQuery.ts"
import { useListSearch } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { Empty, Page } from "../../ui/Layout.tsx"
import { daysFilter, paymentFilter } from "../deliveries/deliveryFilters.ts"
import { useKeyNames } from "./keyNames.ts"
import { requestColumns, requestPath } from "./requestColumns.tsx"

const statusWords: ReadonlyMap<string, string> = new Map([
  ["2xx", "2xx: succeeded"],
  ["4xx", "4xx: refused"],
  ["5xx", "5xx: failed"]
])

const exactStatuses = ["400", "401", "402", "404", "409", "422", "429"]

const filtersFor = (keys: ReadonlyMap<string, string>): ReadonlyArray<Filter> => [
  {
    kind: "choice",
    name: "status",
    label: "Status",
    options: [...statusWords.keys(), ...exactStatuses],
    wordOf: (status) => statusWords.get(status) ?? status
  },
  { kind: "choice", name: "method", label: "Method", options: ["POST", "GET"], wordOf: (method) => method },
  { kind: "text", name: "problem", label: "Problem", hint: "Its code, such as invalid_request" },
  { kind: "choice", name: "keyId", label: "Key", options: [...keys.keys()], wordOf: (id) => keys.get(id) ?? id },
  daysFilter,
  { ...paymentFilter, rare: true },
  { kind: "text", name: "requestId", label: "Request id", hint: "req_…, the header Request-Id", rare: true },
  { kind: "text", name: "route", label: "Route", hint: "Such as /v1/payments/:id", rare: true }
]

export const RequestsPage = () => {
  const tenant = useTenant()
  const search = useListSearch()
  const keys = useKeyNames()
  const query = useGet(
    "/dashboard/api/{account}/{mode}/requests",
    {
      path: { ...tenant },
      query: listQuery(search, [
        "status",
        "method",
        "route",
        "keyId",
        "problem",
        "requestId",
        "paymentId",
        "from",
        "until"
      ])
    },
    { keep: true, refetchInterval: 5_000 }
  )
  return (
    <Page title="Requests" description="Calls of the API with the keys of this account. Bodies are masked.">
      <Filters filters={filtersFor(keys)} />
      <List
        label="Requests"
        columns={requestColumns((keyId) => keys.get(keyId) ?? keyId)}
        query={query}
        rowKey={({ id }) => id}
        rowPath={requestPath}
        empty={
          <Empty title="No requests">
            <p>They appear as soon as a server calls the API. If filters are set, clear them.</p>
          </Empty>
        }
      />
    </Page>
  )
}
