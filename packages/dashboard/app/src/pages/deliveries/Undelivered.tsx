import { useGet } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { Skeleton } from "../../ui/Layout.tsx"
import { deliveriesText } from "./ResendSinceDialog.tsx"

/** How many deliveries failed or wait for a retry, of all that are kept. `null`: to any endpoint. */
export const Undelivered = ({ endpointId }: { readonly endpointId: string | null }) => {
  const { data } = useGet(
    "/dashboard/api/{account}/{mode}/deliveries/undelivered",
    { path: { ...useTenant() }, query: { since: "0", ...(endpointId !== null && { endpointId }) } },
    { refetchInterval: 15_000 }
  )
  // As wide as the text that follows, so that the layout does not shift.
  if (data === undefined) return <Skeleton className="h-5 w-64" />
  return data.count === 0 ? (
    <span>Nothing waits for a retry.</span>
  ) : (
    <span>
      <strong className="numbers font-medium text-ink">{deliveriesText(data.count)}</strong> failed or wait for a retry.
    </span>
  )
}
