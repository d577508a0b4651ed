import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import type { FormEvent } from "react"
import { call, reread } from "../../api/client.ts"
import { SecretDialog } from "../../secrets/SecretDialog.tsx"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions } from "../../ui/Dialog.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { EndpointFields, faultsOf, readEndpoint } from "./EndpointFields.tsx"
import type { EndpointInput } from "./EndpointFields.tsx"

export const AddEndpointDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const tenant = useTenant()
  const [lacksEvents, setLacksEvents] = useState(false)
  const add = useMutation({
    mutationFn: ({ events, url }: EndpointInput) =>
      call.POST("/dashboard/api/{account}/{mode}/endpoints", {
        params: { path: { ...tenant } },
        body: { url, ...(events !== null && { events }) }
      }),
    onSuccess: () => reread("/dashboard/api/{account}/{mode}/endpoints")
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const read = readEndpoint(event.currentTarget)
    setLacksEvents(read === null)
    if (read !== null && !add.isPending) add.mutate(read)
  }
  const faults = faultsOf(lacksEvents, add.error)
  const isAtField = faults.url !== undefined || faults.events !== undefined
  const secret = add.data?.data?.secret
  return (
    <SecretDialog
      title="Add a webhook endpoint"
      description={`It receives the events of the account ${tenant.account} in ${tenant.mode} mode.`}
      made={
        secret === undefined
          ? null
          : { title: "The signing secret", name: "signing secret", text: secret, next: <SecretUse /> }
      }
      onClose={onClose}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <EndpointFields faults={faults} />
        {add.error !== null && !isAtField && <ProblemNote error={add.error} />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={add.isPending}>
            Add endpoint
          </Button>
        </Actions>
      </form>
    </SecretDialog>
  )
}

export const SecretUse = () => (
  <p>
    The receiver verifies each event with it. Keep it there, for example in the environment variable{" "}
    <code className="font-mono">PAYMUX_WEBHOOK_SECRET</code>.
  </p>
)
