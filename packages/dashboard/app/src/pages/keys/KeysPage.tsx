/** API keys: created, replaced and revoked here. The text of a key is shown once, when it is made. */
import { useState } from "react"
import { Plus } from "lucide-react"
import { useGet } from "../../api/client.ts"
import { List } from "../../lists/List.tsx"
import type { Column } from "../../lists/List.tsx"
import { useMay, useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Empty, Foreign, Page } from "../../ui/Layout.tsx"
import { Time } from "../../ui/Time.tsx"
import { CreateKeyDialog } from "./CreateKeyDialog.tsx"
import { KeyStatus, keyStateOf } from "./keyStatus.tsx"
import type { ApiKey } from "./keyStatus.tsx"
import { RevokeKeyDialog } from "./RevokeKeyDialog.tsx"
import { RotateKeyDialog } from "./RotateKeyDialog.tsx"

type Change = { readonly kind: "create" } | { readonly kind: "rotate" | "revoke"; readonly apiKey: ApiKey }

const columns: ReadonlyArray<Column<ApiKey>> = [
  {
    title: "Name",
    cell: ({ display, name }) => (
      <>
        <span className="font-medium">
          <Foreign text={name} />
        </span>
        <code className="block font-mono text-xs whitespace-nowrap text-muted sm:hidden">{display}</code>
      </>
    )
  },
  {
    title: "Key",
    cell: ({ display }) => <code className="font-mono text-xs whitespace-nowrap">{display}</code>,
    hideBelow: "sm"
  },
  { title: "Created", cell: ({ createdAt }) => <Time at={createdAt} />, hideBelow: "md" },
  {
    title: "Last used",
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? <span className="text-muted">Never</span> : <Time at={lastUsedAt} />,
    hideBelow: "sm"
  },
  { title: "Status", cell: (apiKey) => <KeyStatus apiKey={apiKey} /> }
]

export const KeysPage = () => {
  const tenant = useTenant()
  const may = useMay("developer")
  const [change, setChange] = useState<Change | null>(null)
  const query = useGet("/dashboard/api/{account}/{mode}/keys", { path: tenant }, { refetchInterval: 30_000 })
  const close = () => setChange(null)
  const actions: Column<ApiKey> = {
    title: "Actions",
    align: "right",
    cell: (apiKey) => <KeyActions apiKey={apiKey} onChange={setChange} />
  }
  const createButton = may && (
    <Button look="primary" onClick={() => setChange({ kind: "create" })}>
      <Plus size={14} aria-hidden />
      Create key
    </Button>
  )
  return (
    <Page
      title="API keys"
      description={
        may
          ? "Your servers call the API with them. Replace a key without downtime: both are accepted for a while."
          : "Your servers call the API with them. Owners and developers can create, replace and revoke them."
      }
      actions={createButton}
    >
      <List
        label="API keys"
        columns={may ? [...columns, actions] : columns}
        query={query}
        rowKey={({ keyId }) => keyId}
        empty={
          <Empty title="No API keys">
            <p>Create one, store it on your server, and send it with each request.</p>
          </Empty>
        }
      />
      {change?.kind === "create" && <CreateKeyDialog onClose={close} />}
      {change?.kind === "rotate" && <RotateKeyDialog apiKey={change.apiKey} onClose={close} />}
      {change?.kind === "revoke" && <RevokeKeyDialog apiKey={change.apiKey} onClose={close} />}
    </Page>
  )
}

interface KeyActionsProps {
  readonly apiKey: ApiKey
  readonly onChange: (change: Change) => void
}

const KeyActions = ({ apiKey, onChange }: KeyActionsProps) => {
  const state = keyStateOf(apiKey, Date.now())
  const shown = `${apiKey.name}, ${apiKey.display}`
  return (
    <span className="-my-1.5 -mr-2 inline-flex flex-col sm:flex-row">
      {state === "active" && (
        <Button look="ghost" aria-label={`Replace ${shown}`} onClick={() => onChange({ kind: "rotate", apiKey })}>
          Replace
        </Button>
      )}
      {(state === "active" || state === "accepted_until") && (
        <Button look="ghost" aria-label={`Revoke ${shown}`} onClick={() => onChange({ kind: "revoke", apiKey })}>
          Revoke
        </Button>
      )}
    </span>
  )
}
