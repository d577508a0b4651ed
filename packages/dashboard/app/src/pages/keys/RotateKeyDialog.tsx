import { useMutation } from "@tanstack/react-query"
import { call, reread } from "../../api/client.ts"
import { OverlapForm } from "../../secrets/OverlapForm.tsx"
import { SecretDialog } from "../../secrets/SecretDialog.tsx"
import { useTenant } from "../../session/session.ts"
import { Foreign } from "../../ui/Layout.tsx"
import { exactTime } from "../../ui/Time.tsx"
import { KeyUse } from "./CreateKeyDialog.tsx"
import type { ApiKey } from "./keyStatus.tsx"

interface RotateKeyDialogProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

export const RotateKeyDialog = ({ apiKey, onClose }: RotateKeyDialogProps) => {
  const tenant = useTenant()
  const rotate = useMutation({
    mutationFn: (overlapMs: number) =>
      call.POST("/dashboard/api/{account}/{mode}/keys/{id}/rotate", {
        params: { path: { ...tenant, id: apiKey.keyId } },
        body: { overlapMs }
      }),
    onSuccess: () => reread("/dashboard/api/{account}/{mode}/keys")
  })
  const rotated = rotate.data?.data
  return (
    <SecretDialog
      title="Replace an API key"
      description={
        <>
          A new key takes the place of <Foreign text={apiKey.name} /> ({apiKey.display}).
        </>
      }
      made={
        rotated === undefined
          ? null
          : {
              title: "Your new API key",
              name: "API key",
              text: rotated.key,
              next: <Replacement display={apiKey.display} until={rotated.formerExpiresAt} />
            }
      }
      onClose={onClose}
    >
      <OverlapForm label="Accept the former key for" action="Replace key" rotation={rotate} onClose={onClose} />
    </SecretDialog>
  )
}

const Replacement = ({ display, until }: { readonly display: string; readonly until: number }) => (
  <div className="flex flex-col gap-2">
    <p>
      {until > Date.now()
        ? `The former key ${display} is accepted until ${exactTime(until)}.`
        : `The former key ${display} is refused from now on.`}
    </p>
    <KeyUse />
  </div>
)
