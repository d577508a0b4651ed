/** What an owner does with a person of the team: each asks first. */
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { call, reread } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Checkbox } from "../../ui/Field.tsx"
import { Note } from "../../ui/Problem.tsx"
import { toast } from "../../ui/Toast.tsx"
import { AccessFields, accessHere } from "./AccessFields.tsx"
import { Ask } from "./Ask.tsx"
import { invitationsPath } from "./invitationReads.ts"
import { LinkDialog } from "./LinkDialog.tsx"
import { membershipIn } from "./teamWords.ts"
import type { User } from "./teamWords.ts"

interface UserDialogProps {
  readonly user: User
  readonly onClose: () => void
}

export const RoleDialog = ({ onClose, user }: UserDialogProps) => {
  const tenant = useTenant()
  const now = membershipIn(user, tenant)
  const [access, setAccess] = useState(() =>
    now === undefined ? accessHere(tenant) : { role: now.role, everyAccount: now.account === null, modes: now.modes }
  )
  const [isMissing, setMissing] = useState(false)
  const change = useMutation({
    mutationFn: () =>
      call.POST("/dashboard/api/{account}/{mode}/team/{id}/role", {
        params: { path: { ...tenant, id: user.id } },
        body: { ...access, modes: [...access.modes] }
      }),
    onSuccess: async () => {
      toast("The role is changed.")
      onClose()
      // Open invitations to the same account are withdrawn, too.
      await reread("/dashboard/api/{account}/{mode}/team", invitationsPath, "/dashboard/api/session")
    }
  })
  const submit = () => {
    setMissing(access.modes.length === 0)
    if (access.modes.length > 0) change.mutate()
  }
  const isAdded = now !== undefined && now.account === null && !access.everyAccount
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Change the role of ${user.email}`}
      description="It replaces what the person has there, and holds from the next request on."
    >
      <Ask action="Change role" error={change.error} busy={change.isPending} onClose={onClose} onSubmit={submit}>
        <AccessFields
          access={access}
          onChange={setAccess}
          modesError={isMissing ? "Choose at least one mode." : undefined}
        />
        {isAdded && (
          <Note tone="info">
            <p>The role in every account stays. In account {tenant.account} the new one takes precedence.</p>
          </Note>
        )}
      </Ask>
    </Dialog>
  )
}

export const ResetDialog = ({ onClose, user }: UserDialogProps) => {
  const tenant = useTenant()
  const [totp, setTotp] = useState(false)
  const make = async () =>
    (
      await call.POST("/dashboard/api/{account}/{mode}/team/{id}/reset", {
        params: { path: { ...tenant, id: user.id } },
        body: { totp }
      })
    ).data
  return (
    <LinkDialog
      title={`Reset the password of ${user.email}`}
      description="The password stays as it is until the person opens the link and sets a new one. Then all their sessions end."
      name="reset link"
      make={make}
      onClose={onClose}
    >
      <Checkbox
        name="totp"
        checked={totp}
        disabled={!user.totp}
        onChange={({ target }) => setTotp(target.checked)}
        label={
          <>
            Also remove two-factor authentication
            <span className="block text-xs text-muted">
              {user.totp
                ? "For a lost phone. The person has test mode only until they set it up again."
                : "The person has not set it up."}
            </span>
          </>
        }
      />
    </LinkDialog>
  )
}

export const RemoveDialog = ({ onClose, user }: UserDialogProps) => {
  const tenant = useTenant()
  const remove = useMutation({
    mutationFn: () =>
      call.DELETE("/dashboard/api/{account}/{mode}/team/{id}", { params: { path: { ...tenant, id: user.id } } }),
    onSuccess: async () => {
      toast("The person is removed.")
      onClose()
      await reread("/dashboard/api/{account}/{mode}/team", invitationsPath)
    }
  })
  return (
    <Dialog open onClose={onClose} title={`Remove ${user.email}`}>
      <Ask
        action="Remove person"
        look="danger"
        error={remove.error}
        busy={remove.isPending}
        onClose={onClose}
        onSubmit={() => remove.mutate()}
      >
        <p className="text-sm">
          They lose all access that you manage, in every account, and their sessions end. Open invitations to them stop
          working. To let them in again, invite them.
        </p>
      </Ask>
    </Dialog>
  )
}
