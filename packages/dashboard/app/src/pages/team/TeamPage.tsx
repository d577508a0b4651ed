/** The people who may sign in to this account and mode. For its owners. */
import { useState } from "react"
import { Ellipsis } from "lucide-react"
import { useGet } from "../../api/client.ts"
import { List, pageSize } from "../../lists/List.tsx"
import type { Column } from "../../lists/List.tsx"
import { useListSearch, valueOf } from "../../lists/search.ts"
import { accessIn, useMay, useSession, useTenant } from "../../session/session.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Address, Card, Details, Empty, Foreign, Page } from "../../ui/Layout.tsx"
import { Menu, MenuItem, MenuLine } from "../../ui/Menu.tsx"
import { Note } from "../../ui/Problem.tsx"
import { Status, wordOf } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import { Invitations } from "./Invitations.tsx"
import { InviteDialog } from "./InviteDialog.tsx"
import { membershipIn, placeText, rolesText } from "./teamWords.ts"
import type { User } from "./teamWords.ts"
import { RemoveDialog, ResetDialog, RoleDialog } from "./UserDialogs.tsx"

const title = "People"

export const TeamPage = () => {
  const session = useSession()
  const isOwner = useMay("owner")
  if (session.method === "host") return <HostManaged />
  return isOwner ? <Team /> : <OwnAccess />
}

const HostManaged = () => (
  <Page title={title}>
    <Note tone="info">
      <p className="font-medium">The application that hosts this dashboard manages its people.</p>
      <p>It decides who signs in here, in which accounts and modes, and with which role. Change them there.</p>
    </Note>
    <OwnRole />
  </Page>
)

const OwnAccess = () => (
  <Page title={title}>
    <Note tone="info">
      <p>Only owners of this account see the team and change it.</p>
    </Note>
    <OwnRole />
  </Page>
)

const OwnRole = () => {
  const session = useSession()
  const tenant = useTenant()
  const access = accessIn(session, tenant)
  return (
    <Card>
      <Details
        entries={[
          ["You", <Foreign text={session.name} />],
          ["Your role here", access === null ? null : wordOf(access.role)],
          ["It allows", access === null ? null : rolesText[access.role]]
        ]}
      />
    </Card>
  )
}

type Action = "role" | "reset" | "remove"

const dialogs = { role: RoleDialog, reset: ResetDialog, remove: RemoveDialog } as const

const Team = () => {
  const path = useTenant()
  const after = valueOf(useListSearch(), "after")
  const query = useGet("/dashboard/api/{account}/{mode}/team", {
    path,
    query: { limit: String(pageSize), ...(after !== undefined && { after }) }
  })
  const [isInviting, setInviting] = useState(false)
  const [chosen, setChosen] = useState<{ readonly user: User; readonly action: Action } | null>(null)
  const Chosen = chosen === null ? null : dialogs[chosen.action]
  const hasOidc = query.data?.data.some(({ signsInWith }) => signsInWith === "oidc") ?? false
  return (
    <Page
      title={title}
      description={`Who may sign in to account ${path.account} in ${path.mode} mode, and what they may do.`}
      actions={
        <Button look="primary" onClick={() => setInviting(true)}>
          Invite a person
        </Button>
      }
    >
      {hasOidc && (
        <Note tone="info">
          <p>
            People who sign in with your identity provider get their roles from it at each sign-in. Change them there.
          </p>
        </Note>
      )}
      <List
        label={title}
        columns={columnsOf((user, action) => setChosen({ user, action }))}
        query={query}
        rowKey={({ id }) => id}
        empty={
          <Empty title="No person has an account here yet">
            <p>Invite people to this account.</p>
          </Empty>
        }
      />
      <Invitations />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {chosen !== null && Chosen !== null && <Chosen user={chosen.user} onClose={() => setChosen(null)} />}
    </Page>
  )
}

const columnsOf = (choose: (user: User, action: Action) => void): ReadonlyArray<Column<User>> => [
  { title: "Person", cell: (user) => <Person user={user} /> },
  { title: "Role", cell: (user) => <Roles user={user} /> },
  {
    title: "Two-factor",
    hideBelow: "sm",
    cell: ({ signsInWith, totp }) => {
      if (signsInWith === "oidc") return <Status word="By the identity provider" tone="quiet" />
      return totp ? <Status word="On" tone="good" /> : <Status word="Off: test mode only" tone="warn" />
    }
  },
  {
    title: "Last sign-in",
    hideBelow: "sm",
    cell: ({ signedInAt }) =>
      signedInAt === null ? <span className="text-muted">Never</span> : <Time at={signedInAt} />
  },
  { title: "Added", hideBelow: "lg", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: "Actions",
    align: "right",
    cell: (user) => <UserMenu user={user} choose={(action) => choose(user, action)} />
  }
]

const Person = ({ user }: { readonly user: User }) => {
  const { id } = useSession()
  return (
    <span className="font-medium">
      <Address text={user.email} />
      {user.id === id && <span className="font-normal text-muted"> (you)</span>}
    </span>
  )
}

const Roles = ({ user }: { readonly user: User }) => {
  const here = membershipIn(user, useTenant())
  const others = user.memberships.filter((each) => each !== here)
  return (
    <>
      {here !== undefined && (
        <>
          {wordOf(here.role)}
          <span className="block text-xs text-muted">{placeText(here)}</span>
        </>
      )}
      {others.map((each) => (
        <span key={placeText(each)} className="block text-xs text-muted">
          {wordOf(each.role)}: {placeText(each)}
        </span>
      ))}
    </>
  )
}

const UserMenu = ({ choose, user }: { readonly user: User; readonly choose: (action: Action) => void }) => {
  const isElsewhere = user.signsInWith === "oidc"
  return (
    <Menu
      label={`Actions for ${user.email}`}
      trigger={
        <IconButton label={`Actions for ${user.email}`} className="-my-1">
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
    >
      {isElsewhere ? (
        <p className="max-w-56 px-2.5 py-1.5 text-xs text-muted">
          The identity provider manages the role and the password.
        </p>
      ) : (
        <>
          <MenuItem onSelect={() => choose("role")}>Change role</MenuItem>
          <MenuItem onSelect={() => choose("reset")}>Reset password</MenuItem>
        </>
      )}
      <MenuLine />
      <MenuItem onSelect={() => choose("remove")}>Remove</MenuItem>
    </Menu>
  )
}
