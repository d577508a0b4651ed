import { useMutation } from "@tanstack/react-query"
import { call } from "../../api/client.ts"
import { OverlapForm } from "../../secrets/OverlapForm.tsx"
import { SecretDialog } from "../../secrets/SecretDialog.tsx"
import { useTenant } from "../../session/session.ts"
import { exactTime } from "../../ui/Time.tsx"
import { SecretUse } from "./AddEndpointDialog.tsx"
import type { Endpoint } from "./endpointReads.ts"

interface RotateSecretDialogProps {
  readonly endpoint: Endpoint
  readonly onClose: () => void
}

export const RotateSecretDialog = ({ endpoint, onClose }: RotateSecretDialogProps) => {
  const tenant = useTenant()
  const rotate = useMutation({
    mutationFn: (overlapMs: number) =>
      call.POST("/dashboard/api/{account}/{mode}/endpoints/{id}/rotate", {
        params: { path: { ...tenant, id: endpoint.id } },
        body: { overlapMs }
      })
  })
  const rotated = rotate.data?.data
  return (
    <SecretDialog
      title="Replace the signing secret"
      description="Each event is signed with both secrets until the overlap ends, so that no event is rejected."
      made={
        rotated === undefined
          ? null
          : {
              title: "The new signing secret",
              name: "signing secret",
              text: rotated.secret,
              next: <NewSecret formerUntil={rotated.formerUntil} />
            }
      }
      onClose={onClose}
    >
      <OverlapForm
        label="Sign with the former secret too for"
        action="Replace secret"
        rotation={rotate}
        onClose={onClose}
      />
    </SecretDialog>
  )
}

const NewSecret = ({ formerUntil }: { readonly formerUntil: number | null }) => (
  <div className="flex flex-col gap-2">
    <p>
      {formerUntil === null
        ? "Events are signed with the new secret only."
        : `The former secret signs too until ${exactTime(formerUntil)}.`}
    </p>
    <SecretUse />
  </div>
)
