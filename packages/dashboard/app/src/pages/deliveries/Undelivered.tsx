import { useGet } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { deliveriesText } from "./ResendSinceDialog.tsx"

/** How many deliveries failed or wait for a retry, of all that are kept. `null`: to any endpoint. */
export const Undelivered = ({ endpointId }: { readonly endpointId: string | null }) => {
  const { data } = useGet(
    "/dashboard/api/{account}/{mode}/deliveries/undelivered",
    { path: { ...useTenant() }, query: { since: "0", ...(endpointId !== null && { endpointId }) } },
    { refetchInterval: 15_000 }
  )
  if (data === undefined) return <span aria-hidden>&nbsp;</span>
  return data.count === 0 ? (
    <span>Everything was delivered{endpointId === null ? " to the endpoints that are enabled" : ""}.</span>
  ) : (
    <span>
      <strong className="numbers font-medium text-ink">{deliveriesText(data.count)}</strong> failed or wait for a retry.
    </span>
  )
}
