import { useMutation } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { call } from "../../api/client.ts"
import { problemAt } from "../../api/problems.ts"
import { OverlapField, overlapName } from "../../secrets/OverlapField.tsx"
import { SecretDialog } from "../../secrets/SecretDialog.tsx"
import { textIn } from "../../session/formText.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions } from "../../ui/Dialog.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
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
      }),
    gcTime: 0
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!rotate.isPending) rotate.mutate(Number(textIn(event.currentTarget, overlapName)))
  }
  const fault = problemAt(rotate.error, "/overlapMs")
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
      <form onSubmit={submit} className="flex flex-col gap-3">
        <OverlapField label="Sign with the former secret too for" error={fault} />
        {rotate.error !== null && fault === undefined && <ProblemNote error={rotate.error} />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={rotate.isPending}>
            Replace secret
          </Button>
        </Actions>
      </form>
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
