/** One webhook endpoint: its settings, a test event, and what was sent to it. */
import { useParams } from "@tanstack/react-router"
import { isProblem } from "../../api/problems.ts"
import { Id } from "../../ui/Copy.tsx"
import { Card, Details, Foreign, Page, SkeletonLines } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { Time } from "../../ui/Time.tsx"
import { NotFoundPage } from "../NotFoundPage.tsx"
import { EndpointActions } from "./EndpointActions.tsx"
import { EndpointDeliveries } from "./EndpointDeliveries.tsx"
import { EndpointState, LastFailure } from "./EndpointState.tsx"
import { endpointName, isProgram, useEndpoints } from "./endpointReads.ts"
import type { Endpoint } from "./endpointReads.ts"
import { VerifySignatures } from "./VerifySignatures.tsx"

export const EndpointPage = () => {
  const { id } = useParams({ from: "/$account/$mode/endpoints/$id" })
  const { data, error, refetch } = useEndpoints()
  if (data === undefined) {
    if (isProblem(error, "not_found")) return <NotFoundPage />
    return (
      <Page title="Webhook endpoint">
        {error === null ? <SkeletonLines lines={6} /> : <ProblemNote error={error} onRetry={() => void refetch()} />}
      </Page>
    )
  }
  const endpoint = data.data.find((each) => each.id === id)
  return endpoint === undefined ? <NotFoundPage /> : <FoundEndpoint endpoint={endpoint} />
}

const FoundEndpoint = ({ endpoint }: { readonly endpoint: Endpoint }) => (
  <Page
    title={endpointName(endpoint)}
    heading={
      <span className="break-all">
        <Foreign text={endpointName(endpoint)} />
      </span>
    }
    actions={<EndpointActions endpoint={endpoint} />}
  >
    <Card>
      <Details
        entries={[
          ["State", <EndpointState key="state" endpoint={endpoint} />],
          ...(endpoint.failingSince === null
            ? []
            : [
                ["Failing since", <Time key="since" at={endpoint.failingSince} />] as const,
                ["Last failure", <LastFailure key="last" endpoint={endpoint} />] as const
              ]),
          ...(endpoint.disabledAt === null
            ? []
            : [["Disabled", <Time key="disabled" at={endpoint.disabledAt} />] as const]),
          ["Events", endpoint.events === null ? "All types, also those of later versions" : endpoint.events.join(", ")],
          ["Id", <Id key="id" id={endpoint.id} />],
          ["Added", <Time key="added" at={endpoint.createdAt} />]
        ]}
      />
    </Card>
    {!isProgram(endpoint) && <VerifySignatures />}
    <EndpointDeliveries endpoint={endpoint} />
  </Page>
)
