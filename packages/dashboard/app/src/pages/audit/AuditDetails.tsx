import type { Column } from "../../lists/List.tsx"
import { Id } from "../../ui/Copy.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Address, Details } from "../../ui/Layout.tsx"
import { Status, wordOf } from "../../ui/Status.tsx"
import { Table } from "../../ui/Table.tsx"
import { exactTime } from "../../ui/Time.tsx"
import { actorText } from "./actorText.ts"
import { actionText, outcomeTone } from "./auditWords.ts"
import type { AuditEntry } from "./auditWords.ts"
import { Target } from "./Target.tsx"

const meanings: { readonly [outcome in AuditEntry["outcome"]]: string } = {
  done: "Written together with the change itself.",
  requested: "Requested. The object shows what became of it.",
  refused: "Refused: nothing was changed.",
  repeated: "Requested before under the same key, and not done again."
}

interface AuditDetailsProps {
  readonly entry: AuditEntry | null
  readonly onClose: () => void
}

export const AuditDetails = ({ entry, onClose }: AuditDetailsProps) => (
  <Dialog open={entry !== null} wide onClose={onClose} title={entry === null ? "" : actionText(entry.action)}>
    {entry !== null && <Entry entry={entry} />}
  </Dialog>
)

const Entry = ({ entry }: { readonly entry: AuditEntry }) => {
  const { actor, at, outcome } = entry
  const fields = fieldsOf(entry)
  return (
    <>
      <Details
        entries={[
          ["When", exactTime(at)],
          ["Who", <Address text={actorText(actor)} />],
          ["Id", <Id id={actor.id} />],
          ["Role", actor.role === null ? null : wordOf(actor.role)],
          ["Address", actor.address === null ? null : <Address text={actor.address} />],
          ["Object", <Target entry={entry} />],
          [
            "Outcome",
            <>
              <Status word={outcome} tone={outcomeTone(outcome)} />
              <span className="block text-xs text-muted">{meanings[outcome]}</span>
            </>
          ]
        ]}
      />
      {fields.length > 0 && <Table label="What changed" columns={columns} rows={fields} rowKey={({ name }) => name} />}
    </>
  )
}

interface FieldChange {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

const fieldsOf = ({ after, before }: AuditEntry): ReadonlyArray<FieldChange> =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].map((name) => ({
    name,
    before: textOf(name, before?.[name]),
    after: textOf(name, after?.[name])
  }))

type Value = NonNullable<AuditEntry["before"]>[string]

/** A number in a field such as `expiresAt` is a time. */
const textOf = (name: string, value: Value | undefined): string | null => {
  if (value === undefined || value === null) return null
  if (typeof value === "number" && name.endsWith("At")) return exactTime(value)
  return Array.isArray(value) ? value.join(", ") : String(value)
}

const Text = ({ text }: { readonly text: string | null }) =>
  text === null ? <span className="text-muted">–</span> : <Address text={text} />

const columns: ReadonlyArray<Column<FieldChange>> = [
  { title: "Field", cell: ({ name }) => <span className="font-mono text-xs">{name}</span> },
  { title: "Before", cell: ({ before }) => <Text text={before} /> },
  { title: "After", cell: ({ after }) => <Text text={after} /> }
]
