import { useMutation } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { call, reread } from "../../api/client.ts"
import { problemAt } from "../../api/problems.ts"
import { OverlapField, overlapName } from "../../secrets/OverlapField.tsx"
import { SecretDialog } from "../../secrets/SecretDialog.tsx"
import { textIn } from "../../session/formText.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions } from "../../ui/Dialog.tsx"
import { Foreign } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
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
    onSuccess: () => reread("/dashboard/api/{account}/{mode}/keys"),
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
      <form onSubmit={submit} className="flex flex-col gap-3">
        <OverlapField label="Accept the former key for" error={fault} />
        {rotate.error !== null && fault === undefined && <ProblemNote error={rotate.error} />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={rotate.isPending}>
            Replace key
          </Button>
        </Actions>
      </form>
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
