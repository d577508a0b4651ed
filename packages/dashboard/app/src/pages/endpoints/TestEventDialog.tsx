/** One signed event of the type `webhook.test`, sent now, and what the receiver answered. */
import { useMutation } from "@tanstack/react-query"
import { call } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions, Dialog } from "../../ui/Dialog.tsx"
import { Details, Foreign, SkeletonLines } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { Status } from "../../ui/Status.tsx"
import { Answer, resultText } from "../deliveries/deliveryResult.tsx"
import type { Endpoint } from "./endpointReads.ts"

interface TestEventDialogProps {
  readonly endpoint: Endpoint
  readonly onClose: () => void
}

const useTestEvent = (endpointId: string) => {
  const tenant = useTenant()
  return useMutation({
    mutationFn: () =>
      call.POST("/dashboard/api/{account}/{mode}/endpoints/{id}/test", {
        params: { path: { ...tenant, id: endpointId } }
      })
  })
}

export const TestEventDialog = ({ endpoint, onClose }: TestEventDialogProps) => {
  const { data, error, isPending, mutate } = useTestEvent(endpoint.id)
  const result = data?.data
  return (
    <Dialog
      open
      onClose={onClose}
      title="Send a test event"
      description={
        <>
          One signed event of the type <code>webhook.test</code> to <Foreign text={endpoint.url} />. It contains no
          payment.
        </>
      }
    >
      <div role="status" className="flex flex-col gap-3 empty:hidden">
        {isPending && <SkeletonLines lines={2} />}
        {!isPending && result !== undefined && <TestResult result={result} />}
      </div>
      {error !== null && <ProblemNote error={error} />}
      <Actions>
        <Button onClick={onClose}>Close</Button>
        <Button look="primary" busy={isPending} onClick={() => mutate()}>
          {result === undefined ? "Send" : "Send again"}
        </Button>
      </Actions>
    </Dialog>
  )
}

const TestResult = ({ result }: { readonly result: Schemas["TestEventResult"] }) => (
  <>
    <Details
      entries={[
        ["Result", <Status key="result" word={result.delivered ? "delivered" : "failed"} />],
        ["Response", <Foreign key="response" text={resultText(result) ?? "None"} />],
        ["Duration", `${result.duration} ms`]
      ]}
    />
    {result.status !== null && <Answer text={result.answer} />}
  </>
)
