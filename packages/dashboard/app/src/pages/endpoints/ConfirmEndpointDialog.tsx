/** Disabling and removing: both cancel what waits. */
import { useMutation } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { call, reread } from "../../api/client.ts"
import { tenantPath, useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions, Dialog } from "../../ui/Dialog.tsx"
import { Foreign } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { toast } from "../../ui/Toast.tsx"
import { rereadDeliveries } from "../deliveries/resend.ts"
import { endpointName } from "./endpointReads.ts"
import type { Endpoint } from "./endpointReads.ts"

interface EndpointDialogProps {
  readonly endpoint: Endpoint
  readonly onClose: () => void
}

export const DisableDialog = ({ endpoint, onClose }: EndpointDialogProps) => {
  const tenant = useTenant()
  const disable = useMutation({
    mutationFn: () =>
      call.POST("/dashboard/api/{account}/{mode}/endpoints/{id}/disable", {
        params: { path: { ...tenant, id: endpoint.id } }
      }),
    onSuccess: async () => {
      await rereadDeliveries()
      toast("The endpoint is disabled.")
      onClose()
    }
  })
  return (
    <Dialog open onClose={onClose} title="Disable the endpoint" description={<Target endpoint={endpoint} />}>
      <p className="text-sm">
        Nothing is sent to it, and its waiting deliveries are canceled. After you enable it again, you can resend them.
      </p>
      {disable.error !== null && <ProblemNote error={disable.error} repeatable />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={disable.isPending} onClick={() => disable.mutate()}>
          Disable endpoint
        </Button>
      </Actions>
    </Dialog>
  )
}

export const RemoveDialog = ({ endpoint, onClose }: EndpointDialogProps) => {
  const tenant = useTenant()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () =>
      call.DELETE("/dashboard/api/{account}/{mode}/endpoints/{id}", {
        params: { path: { ...tenant, id: endpoint.id } }
      }),
    onSuccess: async () => {
      await navigate({ to: tenantPath(tenant, "endpoints"), replace: true })
      await reread("/dashboard/api/{account}/{mode}/endpoints")
      toast("The endpoint is removed.")
    }
  })
  return (
    <Dialog open onClose={onClose} title="Remove the endpoint" description={<Target endpoint={endpoint} />}>
      <p className="text-sm">
        Its waiting deliveries are canceled, and its signing secret is deleted. This cannot be undone.
      </p>
      {remove.error !== null && <ProblemNote error={remove.error} />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove endpoint
        </Button>
      </Actions>
    </Dialog>
  )
}

const Target = ({ endpoint }: Pick<EndpointDialogProps, "endpoint">) => (
  <span className="break-all">
    <Foreign text={endpointName(endpoint)} />
  </span>
)
