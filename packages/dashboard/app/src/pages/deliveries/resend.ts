import { useMutation } from "@tanstack/react-query"
import { call, reread } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { toast } from "../../ui/Toast.tsx"

type Outcome = Schemas["Resent"]["data"][number]["outcome"]

const sentences: { readonly [outcome in Outcome]: string } = {
  resent: "The event is sent again.",
  in_flight: "An attempt is running already.",
  endpoint_disabled: "Not sent: the endpoint is disabled. Enable it first.",
  endpoint_removed: "Not sent: the endpoint was removed."
}

const summaryOf = (outcomes: ReadonlyArray<Outcome>): string => {
  const [only] = outcomes
  if (only === undefined) return "Not sent: the event was for no endpoint."
  if (outcomes.length === 1) return sentences[only]
  const resent = outcomes.filter((outcome) => outcome === "resent").length
  return `The event is sent again to ${resent} of ${outcomes.length} endpoints.`
}

export const rereadDeliveries = (): Promise<unknown> =>
  reread(
    "/dashboard/api/{account}/{mode}/deliveries",
    "/dashboard/api/{account}/{mode}/deliveries/undelivered",
    "/dashboard/api/{account}/{mode}/events/{id}/attempts",
    "/dashboard/api/{account}/{mode}/endpoints"
  )

/** Sends an event again: to one endpoint, or with `null` to all that it was for. */
export const useResend = (eventId: string, endpointId: string | null) => {
  const tenant = useTenant()
  return useMutation({
    mutationFn: () =>
      call.POST("/dashboard/api/{account}/{mode}/events/{id}/resend", {
        params: { path: { ...tenant, id: eventId } },
        body: endpointId === null ? {} : { endpointId }
      }),
    onSuccess: ({ data }) => {
      toast(summaryOf((data?.data ?? []).map(({ outcome }) => outcome)))
      return rereadDeliveries()
    }
  })
}
