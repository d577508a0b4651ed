/** What an owner does with an open invitation: each asks first. */
import { useMutation } from "@tanstack/react-query"
import { call, reread } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { toast } from "../../ui/Toast.tsx"
import { Ask } from "./Ask.tsx"
import { invitationsPath } from "./invitationReads.ts"
import type { Invitation } from "./invitationReads.ts"
import { LinkDialog } from "./LinkDialog.tsx"

interface InvitationDialogProps {
  readonly invitation: Invitation
  readonly onClose: () => void
}

export const RenewDialog = ({ invitation: { email, id }, onClose }: InvitationDialogProps) => {
  const tenant = useTenant()
  const make = async () =>
    (
      await call.POST("/dashboard/api/{account}/{mode}/team/invitations/{id}/link", {
        params: { path: { ...tenant, id } }
      })
    ).data
  return (
    <LinkDialog
      title={`New link for ${email}`}
      description="It works for 72 hours. The former link no longer works."
      name="invitation link"
      make={make}
      onMade={() => reread(invitationsPath)}
      onClose={onClose}
    />
  )
}

export const RevokeDialog = ({ invitation: { email, id }, onClose }: InvitationDialogProps) => {
  const tenant = useTenant()
  const revoke = useMutation({
    mutationFn: () =>
      call.DELETE("/dashboard/api/{account}/{mode}/team/invitations/{id}", { params: { path: { ...tenant, id } } }),
    onSuccess: async () => {
      toast("The invitation is revoked.")
      onClose()
      await reread(invitationsPath)
    }
  })
  return (
    <Dialog open onClose={onClose} title={`Revoke the invitation for ${email}`}>
      <Ask
        action="Revoke invitation"
        look="danger"
        error={revoke.error}
        busy={revoke.isPending}
        onClose={onClose}
        onSubmit={() => revoke.mutate()}
      >
        <p className="text-sm">The link no longer works. To let the person in, invite them again.</p>
      </Ask>
    </Dialog>
  )
}
