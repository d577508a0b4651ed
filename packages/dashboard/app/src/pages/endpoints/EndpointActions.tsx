import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../../api/client.ts"
import { useMay, useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { toast } from "../../ui/Toast.tsx"
import { rereadDeliveries } from "../deliveries/resend.ts"
import { DisableDialog, RemoveDialog } from "./ConfirmEndpointDialog.tsx"
import { EditEndpointDialog } from "./EditEndpointDialog.tsx"
import { isProgram } from "./endpointReads.ts"
import type { Endpoint } from "./endpointReads.ts"
import { RotateSecretDialog } from "./RotateSecretDialog.tsx"
import { TestEventDialog } from "./TestEventDialog.tsx"

const dialogs = {
  test: TestEventDialog,
  edit: EditEndpointDialog,
  rotate: RotateSecretDialog,
  disable: DisableDialog,
  remove: RemoveDialog
} as const

export const EndpointActions = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const [open, setOpen] = useState<keyof typeof dialogs | null>(null)
  if (!useMay("developer")) return null
  const Opened = open === null ? null : dialogs[open]
  const isDisabled = endpoint.disabledAt !== null
  return (
    <>
      {!isProgram(endpoint) && (
        <>
          <Button
            look="primary"
            refusal={isDisabled ? "A disabled endpoint receives no events. Enable it first." : null}
            onClick={() => setOpen("test")}
          >
            Send test event
          </Button>
          <Button onClick={() => setOpen("edit")}>Edit</Button>
          <Button onClick={() => setOpen("rotate")}>Replace secret</Button>
        </>
      )}
      {isDisabled ? <EnableButton endpoint={endpoint} /> : <Button onClick={() => setOpen("disable")}>Disable</Button>}
      <Button onClick={() => setOpen("remove")}>Remove</Button>
      {Opened !== null && <Opened endpoint={endpoint} onClose={() => setOpen(null)} />}
    </>
  )
}

const EnableButton = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const tenant = useTenant()
  const enable = useMutation({
    mutationFn: () =>
      call.POST("/dashboard/api/{account}/{mode}/endpoints/{id}/enable", {
        params: { path: { ...tenant, id: endpoint.id } }
      }),
    onSuccess: async () => {
      await rereadDeliveries()
      toast("The endpoint is enabled. It receives new events.")
    }
  })
  return (
    <>
      <Button busy={enable.isPending} onClick={() => enable.mutate()}>
        Enable
      </Button>
      {enable.error !== null && <ProblemNote error={enable.error} repeatable />}
    </>
  )
}
