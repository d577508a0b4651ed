import { useGet } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { Foreign } from "../../ui/Layout.tsx"
import { Status } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import { resultText } from "../deliveries/deliveryResult.tsx"
import type { Endpoint } from "./endpointReads.ts"

const reasons = {
  gone: "Disabled: it answered 410",
  failing: "Disabled: it failed for days",
  operator: "Disabled"
} as const

export const EndpointState = ({
  endpoint: { disabledAt, disabledReason, failingSince }
}: {
  readonly endpoint: Endpoint
}) => {
  if (disabledAt !== null) {
    return (
      <Status tone={disabledReason === "operator" ? "quiet" : "bad"} word={reasons[disabledReason ?? "operator"]} />
    )
  }
  return failingSince === null ? <Status word="enabled" /> : <Status tone="bad" word="failing" />
}

/** Read only for an endpoint that fails: the others have none to show. */
export const LastFailure = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const isFailing = endpoint.failingSince !== null || endpoint.disabledReason === "gone"
  const { data } = useGet(
    "/dashboard/api/{account}/{mode}/deliveries",
    { path: { ...useTenant() }, query: { endpointId: endpoint.id, status: "failed", limit: "1" } },
    { enabled: isFailing }
  )
  const last = data?.data[0]
  if (!isFailing || last === undefined) return <span className="text-muted">–</span>
  return (
    <span className="flex flex-col">
      <Foreign text={resultText({ status: last.lastStatus, error: last.lastError }) ?? "–"} />
      <span className="text-xs text-muted">
        <Time at={last.lastAt} />
      </span>
    </span>
  )
}

export const eventsText = ({ events }: Endpoint): string => {
  if (events === null) return "All"
  return events.length <= 2 ? events.join(", ") : `${events.length} types`
}
