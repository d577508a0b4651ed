import { useMutation } from "@tanstack/react-query"
import { call, reread } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions, Dialog } from "../../ui/Dialog.tsx"
import { Details, Foreign } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { Time } from "../../ui/Time.tsx"
import { toast } from "../../ui/Toast.tsx"
import type { ApiKey } from "./keyStatus.tsx"

interface RevokeKeyDialogProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

export const RevokeKeyDialog = ({ apiKey, onClose }: RevokeKeyDialogProps) => {
  const tenant = useTenant()
  const revoke = useMutation({
    mutationFn: () =>
      call.POST("/dashboard/api/{account}/{mode}/keys/{id}/revoke", {
        params: { path: { ...tenant, id: apiKey.keyId } }
      }),
    onSuccess: async () => {
      await reread("/dashboard/api/{account}/{mode}/keys")
      toast(`The key ${apiKey.display} is revoked.`)
      onClose()
    }
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Revoke an API key"
      description="Requests with this key are refused from then on. This cannot be undone."
    >
      <Details
        entries={[
          ["Name", <Foreign key="name" text={apiKey.name} />],
          ["Key", <code key="key">{apiKey.display}</code>],
          ["Last used", apiKey.lastUsedAt === null ? "Never" : <Time key="used" at={apiKey.lastUsedAt} />]
        ]}
      />
      {revoke.error !== null && <ProblemNote error={revoke.error} repeatable />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke key
        </Button>
      </Actions>
    </Dialog>
  )
}
