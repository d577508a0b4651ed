import { useMutation } from "@tanstack/react-query"
import { call } from "../../../api/client.ts"
import type { Schemas } from "../../../api/client.ts"
import { TenantLink } from "../../../session/TenantLink.tsx"
import { useMay, useTenant } from "../../../session/session.ts"
import { durationText, numberOf } from "../../../statistics/texts.ts"
import { Button } from "../../../ui/Button.tsx"
import { Foreign } from "../../../ui/Layout.tsx"
import { Note, ProblemNote } from "../../../ui/Problem.tsx"
import { Time } from "../../../ui/Time.tsx"
import { Waiting } from "./Step.tsx"

interface EventStepProps {
  /** `null`: none was added. */
  readonly endpoint: Schemas["WebhookEndpoint"] | null
  readonly delivery: Schemas["WebhookDelivery"] | null
}

export const EventStep = ({ delivery, endpoint }: EventStepProps) => {
  const tenant = useTenant()
  const may = useMay("developer")
  const test = useMutation({
    mutationFn: async (id: string) =>
      (
        await call.POST("/dashboard/api/{account}/{mode}/endpoints/{id}/test", {
          params: { path: { ...tenant, id } }
        })
      ).data
  })
  if (endpoint === null) return <p className="text-muted">Add an endpoint first.</p>
  return (
    <>
      <p>
        When your receiver runs, send a test event to <Foreign text={endpoint.url} />. It is signed like every other.
      </p>
      {may ? (
        <Button
          look={delivery === null ? "primary" : "secondary"}
          className="self-start"
          busy={test.isPending}
          onClick={() => test.mutate(endpoint.id)}
        >
          Send a test event
        </Button>
      ) : (
        <p className="text-muted">Owners and developers of this account can send one.</p>
      )}
      {test.error !== null && <ProblemNote error={test.error} />}
      <div role="status">{test.data !== undefined && <Result result={test.data} />}</div>
      {delivery === null ? (
        <>
          <p>Then send the request of step 2 again: your receiver gets the events of that payment.</p>
          <Waiting>Waiting until your receiver accepts the event of a payment …</Waiting>
        </>
      ) : (
        <p>
          Your receiver accepted{" "}
          <TenantLink path={`events/${encodeURIComponent(delivery.eventId)}`}>the event of a payment</TenantLink>{" "}
          <Time at={delivery.lastAt} />.
        </p>
      )}
    </>
  )
}

const Result = ({
  result: { answer, delivered, duration, error, status }
}: {
  readonly result: Schemas["TestEventResult"]
}) =>
  delivered ? (
    <Note tone="good">
      <p>
        The test event arrived: status {status}, after {durationText(numberOf(duration) ?? 0)}.
      </p>
    </Note>
  ) : (
    <Note tone="bad">
      <p>
        The test event was not accepted: {status === null ? "no response" : `status ${status}`}
        {error !== null && (
          <>
            {" "}
            (<code>{error}</code>)
          </>
        )}
        .
      </p>
      {answer !== null && answer !== "" && <Foreign text={answer} />}
      <p>Check that the receiver runs, that it has this endpoint&apos;s secret, and that it answers with 2xx.</p>
    </Note>
  )
