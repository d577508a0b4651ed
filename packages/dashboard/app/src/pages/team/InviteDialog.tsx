import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import type { FormEvent } from "react"
import { call, reread } from "../../api/client.ts"
import { problemAt } from "../../api/problems.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions, Dialog } from "../../ui/Dialog.tsx"
import { Field, Input } from "../../ui/Field.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { AccessFields, accessHere } from "./AccessFields.tsx"
import { invitationsPath } from "./invitationReads.ts"
import { OneTimeLink } from "./OneTimeLink.tsx"

export const InviteDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const path = useTenant()
  const [email, setEmail] = useState("")
  const [access, setAccess] = useState(() => accessHere(path))
  const [fault, setFault] = useState<"email" | "modes" | null>(null)
  const invite = useMutation({
    // The answer has the link: nothing keeps it after this dialog.
    mutationFn: async () =>
      (
        await call.POST("/dashboard/api/{account}/{mode}/team/invitations", {
          params: { path },
          body: { ...access, modes: [...access.modes], email: email.trim() }
        })
      ).data,
    onSuccess: () => reread(invitationsPath)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = email.trim() === "" ? "email" : access.modes.length === 0 ? "modes" : null
    setFault(found)
    if (found === null) invite.mutate()
  }
  if (invite.data !== undefined) {
    return (
      <Dialog open onClose={onClose} title={`Invitation for ${email.trim()}`}>
        <OneTimeLink name="invitation link" issued={invite.data} onDone={onClose} />
      </Dialog>
    )
  }
  const refused = problemAt(invite.error, "/email")
  return (
    <Dialog
      open
      onClose={onClose}
      title="Invite a person"
      description="You get a link to hand over. It works for 72 hours."
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field label="Email" error={fault === "email" ? "Enter the email address of the person." : refused}>
          <Input
            name="email"
            type="email"
            autoComplete="off"
            required
            maxLength={254}
            value={email}
            onChange={({ target }) => {
              setEmail(target.value)
              setFault(null)
            }}
          />
        </Field>
        <AccessFields
          access={access}
          onChange={setAccess}
          modesError={fault === "modes" ? "Choose at least one mode." : undefined}
        />
        {invite.error !== null && refused === undefined && <ProblemNote error={invite.error} />}
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={invite.isPending}>
            Make the link
          </Button>
        </Actions>
      </form>
    </Dialog>
  )
}
