import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import type { FormEvent } from "react"
import { call, reread } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions, Dialog } from "../../ui/Dialog.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { toast } from "../../ui/Toast.tsx"
import { EndpointFields, faultsOf, readEndpoint } from "./EndpointFields.tsx"
import type { EndpointInput } from "./EndpointFields.tsx"
import type { Endpoint } from "./endpointReads.ts"

interface EditEndpointDialogProps {
  readonly endpoint: Endpoint
  readonly onClose: () => void
}

export const EditEndpointDialog = ({ endpoint, onClose }: EditEndpointDialogProps) => {
  const tenant = useTenant()
  const [lacksEvents, setLacksEvents] = useState(false)
  const edit = useMutation({
    mutationFn: ({ events, url }: EndpointInput) =>
      call.PATCH("/dashboard/api/{account}/{mode}/endpoints/{id}", {
        params: { path: { ...tenant, id: endpoint.id } },
        body: { url, events }
      }),
    onSuccess: async () => {
      await reread("/dashboard/api/{account}/{mode}/endpoints")
      toast("Saved. It applies to events sent from now on.")
      onClose()
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const read = readEndpoint(event.currentTarget)
    setLacksEvents(read === null)
    if (read !== null && !edit.isPending) edit.mutate(read)
  }
  const faults = faultsOf(lacksEvents, edit.error)
  const isAtField = faults.url !== undefined || faults.events !== undefined
  return (
    <Dialog open onClose={onClose} title="Edit the endpoint" description="The signing secret stays.">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <EndpointFields faults={faults} url={endpoint.url} events={endpoint.events} />
        {edit.error !== null && !isAtField && <ProblemNote error={edit.error} repeatable />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={edit.isPending}>
            Save
          </Button>
        </Actions>
      </form>
    </Dialog>
  )
}
