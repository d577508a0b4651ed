/** The open invitations to this account and mode. The section is hidden if the list is empty. */
import { useState } from "react"
import { Ellipsis } from "lucide-react"
import type { Column } from "../../lists/List.tsx"
import { IconButton } from "../../ui/Button.tsx"
import { Address, Section } from "../../ui/Layout.tsx"
import { Menu, MenuItem } from "../../ui/Menu.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { wordOf } from "../../ui/Status.tsx"
import { Table } from "../../ui/Table.tsx"
import { Time } from "../../ui/Time.tsx"
import { programText } from "../audit/actorText.ts"
import { RenewDialog, RevokeDialog } from "./InvitationDialogs.tsx"
import { useInvitations } from "./invitationReads.ts"
import type { Invitation } from "./invitationReads.ts"
import { placeText } from "./teamWords.ts"

type Action = "renew" | "revoke"

const dialogs = { renew: RenewDialog, revoke: RevokeDialog } as const

export const Invitations = () => {
  const { data, error, refetch } = useInvitations()
  const [chosen, setChosen] = useState<{ readonly invitation: Invitation; readonly action: Action } | null>(null)
  const Chosen = chosen === null ? null : dialogs[chosen.action]
  const isShown = error !== null || (data !== undefined && data.data.length > 0)
  return (
    <>
      {isShown && (
        <Section title="Open invitations" description="Their links have not been used yet.">
          {data === undefined ? (
            <ProblemNote error={error} onRetry={() => void refetch()} />
          ) : (
            <Table
              label="Invited people"
              columns={columnsOf((invitation, action) => setChosen({ invitation, action }))}
              rows={data.data}
              rowKey={({ id }) => id}
            />
          )}
        </Section>
      )}
      {chosen !== null && Chosen !== null && <Chosen invitation={chosen.invitation} onClose={() => setChosen(null)} />}
    </>
  )
}

const columnsOf = (choose: (invitation: Invitation, action: Action) => void): ReadonlyArray<Column<Invitation>> => [
  {
    title: "Person",
    cell: ({ email, expiresAt }) => (
      <>
        <span className="font-medium">
          <Address text={email} />
        </span>
        <span className="block text-xs text-muted sm:hidden">
          Expires <Time at={expiresAt} />
        </span>
      </>
    )
  },
  {
    title: "Role",
    cell: (invitation) => (
      <>
        {wordOf(invitation.role)}
        <span className="block text-xs text-muted">{placeText(invitation)}</span>
      </>
    )
  },
  { title: "Invited by", hideBelow: "md", cell: ({ invitedBy }) => <Address text={programText(invitedBy)} /> },
  { title: "Expires", hideBelow: "sm", cell: ({ expiresAt }) => <Time at={expiresAt} /> },
  {
    title: "Actions",
    align: "right",
    cell: (invitation) => (
      <Menu
        label={`Actions for the invitation for ${invitation.email}`}
        trigger={
          <IconButton label={`Actions for the invitation for ${invitation.email}`} className="-my-1">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => choose(invitation, "renew")}>Make a new link</MenuItem>
        <MenuItem onSelect={() => choose(invitation, "revoke")}>Revoke</MenuItem>
      </Menu>
    )
  }
]
