/** What is open now, each number with the page on which one acts. */
import { useGet } from "../../api/client.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { useTenant } from "../../session/session.ts"
import type { Search } from "../../lists/search.ts"
import { pollInterval } from "../../statistics/reads.ts"
import { Skeleton } from "../../ui/Layout.tsx"
import { countText } from "../../ui/numbers.ts"
import { ProblemNote } from "../../ui/Problem.tsx"

/** The counts of the server end there. */
const most = 10_000

const mostReports = 50

export const Attention = () => {
  const { data, error, refetch } = useGet(
    "/dashboard/api/{account}/{mode}/statistics/attention",
    { path: { ...useTenant() } },
    { refetchInterval: pollInterval }
  )
  const reports = useOpenReports()
  if (data === undefined) {
    return error === null ? (
      <Skeleton className="h-53.5 w-full sm:h-36 xl:h-18" />
    ) : (
      <ProblemNote error={error} onRetry={() => void refetch()} />
    )
  }
  const breakers = data.openBreakers.length
  return (
    <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3 xl:grid-cols-6">
      <Tile title="Pending" count={data.pending} path="payments" search={{ status: "pending" }} quiet />
      <Tile title="In review" count={data.inReview} path="reviews" />
      <Tile title="Failing endpoints" count={data.failingEndpoints} path="endpoints" />
      <Tile title="Disabled endpoints" count={data.disabledEndpoints} path="endpoints" />
      <Tile title="Open breakers" count={breakers} path="providers" />
      <Tile title="Unmatched reports" count={reports} path="reports" />
    </ul>
  )
}

/** `null`: not known, such as for a person with a role in some accounts only: reports belong to no account. */
const useOpenReports = (): number | null => {
  const tenant = useTenant()
  const read = (status: "parked" | "foreign") => ({
    path: { ...tenant },
    // Boundary: the document describes a list that is not empty by its first entry alone.
    query: { statuses: [status] as never, limit: String(mostReports) }
  })
  const options = { refetchInterval: pollInterval }
  const parked = useGet("/dashboard/api/{account}/{mode}/reports", read("parked"), options)
  const foreign = useGet("/dashboard/api/{account}/{mode}/reports", read("foreign"), options)
  return parked.data === undefined || foreign.data === undefined
    ? null
    : parked.data.data.length + foreign.data.data.length
}

interface TileProps {
  readonly title: string
  readonly count: number | null
  readonly path: string
  readonly search?: Search
  /** A number that is not zero on a good day. */
  readonly quiet?: boolean
}

const Tile = ({ count, path, quiet = false, search, title }: TileProps) => (
  <li className="bg-raised">
    <TenantLink
      path={path}
      {...(search !== undefined && { search })}
      className="flex h-full flex-col gap-0.5 px-4 py-3 hover:bg-hover"
    >
      <span className="text-xs text-muted">{title}</span>
      <span className="numbers inline-flex items-center gap-2 text-xl font-semibold">
        {countOf(count, path === "reports" ? mostReports : most)}
        {count !== null && count > 0 && !quiet && <span aria-hidden className="size-2 rounded-full bg-warn" />}
      </span>
    </TenantLink>
  </li>
)

const countOf = (count: number | null, limit: number): string => {
  if (count === null) return "–"
  return count >= limit ? `${countText(limit)}+` : countText(count)
}
