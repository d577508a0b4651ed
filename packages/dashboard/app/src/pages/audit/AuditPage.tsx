/** Who did what, when, and on what. */
import { useState } from "react"
import { useGet } from "../../api/client.ts"
import { Filters } from "../../lists/Filters.tsx"
import { List, pageSize } from "../../lists/List.tsx"
import type { Column } from "../../lists/List.tsx"
import { useListSearch, useSetSearch, valueOf } from "../../lists/search.ts"
import type { Search } from "../../lists/search.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Address, Empty, Page } from "../../ui/Layout.tsx"
import { Status, wordOf } from "../../ui/Status.tsx"
import { Time } from "../../ui/Time.tsx"
import { AuditDetails } from "./AuditDetails.tsx"
import { actorText } from "./actorText.ts"
import { actionText, auditActions, auditOutcomes, isAuditAction, isOutcome, outcomeTone } from "./auditWords.ts"
import type { AuditEntry } from "./auditWords.ts"
import { Target } from "./Target.tsx"

const filters = [
  { kind: "text", name: "actorId", label: "Who", hint: "The id of the person, as the details of an entry show it." },
  { kind: "choice", name: "action", label: "Action", options: auditActions, wordOf: actionText },
  { kind: "text", name: "target", label: "Object", hint: "Its id: pay_…, key_…, we_…, rpt_…, usr_…" },
  { kind: "choice", name: "outcome", label: "Outcome", options: auditOutcomes },
  { kind: "days", label: "When" }
] as const

export const AuditPage = () => {
  const path = useTenant()
  const search = useListSearch()
  const [opened, setOpened] = useState<AuditEntry | null>(null)
  const query = useGet("/dashboard/api/{account}/{mode}/audit", { path, query: queryOf(search) }, { keep: true })
  const isFiltered = ["actorId", "action", "target", "outcome", "from", "until"].some((name) => name in search)
  return (
    <Page
      title="Audit log"
      description="Every administrative action in this account and mode. Entries cannot be changed."
    >
      <Filters filters={filters} />
      <List
        label="Audit log"
        columns={columnsOf(setOpened)}
        query={query}
        rowKey={({ id }) => String(id)}
        empty={isFiltered ? <Empty title="No entry matches these filters" /> : <Empty title="Nothing was done yet" />}
      />
      <AuditDetails entry={opened} onClose={() => setOpened(null)} />
    </Page>
  )
}

const queryOf = (search: Search) => {
  const [action, outcome] = [valueOf(search, "action"), valueOf(search, "outcome")]
  const texts = ["actorId", "target", "from", "until", "after"].flatMap((name) => {
    const text = valueOf(search, name)
    return text === undefined ? [] : [[name, text] as const]
  })
  return {
    limit: String(pageSize),
    ...(isAuditAction(action) && { action }),
    ...(isOutcome(outcome) && { outcome }),
    ...Object.fromEntries(texts)
  }
}

const columnsOf = (open: (entry: AuditEntry) => void): ReadonlyArray<Column<AuditEntry>> => [
  { title: "When", hideBelow: "sm", cell: ({ at }) => <Time at={at} /> },
  { title: "Who", hideBelow: "sm", cell: ({ actor }) => <Actor actor={actor} /> },
  { title: "Action", cell: (entry) => <Action entry={entry} /> },
  { title: "Object", hideBelow: "md", cell: (entry) => <Target entry={entry} /> },
  { title: "Outcome", hideBelow: "sm", cell: ({ outcome }) => <Status word={outcome} tone={outcomeTone(outcome)} /> },
  {
    title: "Details",
    align: "right",
    cell: (entry) => (
      <Button
        look="ghost"
        className="-my-1 h-7! max-sm:px-0!"
        aria-label={`Details: ${actionText(entry.action)}`}
        onClick={() => open(entry)}
      >
        Details
      </Button>
    )
  }
]

/** On a phone who and when stand below it: in columns of their own each of them would break. */
const Action = ({ entry: { action, actor, at } }: { readonly entry: AuditEntry }) => (
  <>
    {actionText(action)}
    <span className="block text-xs text-muted sm:hidden">
      <ActorName actor={actor} />
      <span className="block">
        <Time at={at} />
      </span>
    </span>
  </>
)

interface ActorProps {
  readonly actor: AuditEntry["actor"]
}

const Actor = ({ actor }: ActorProps) => (
  <>
    <ActorName actor={actor} />
    <span className="block text-xs text-muted">
      {actor.kind === "user" ? actor.role !== null && wordOf(actor.role) : wordOf(actor.kind)}
    </span>
  </>
)

const ActorName = ({ actor }: ActorProps) => {
  const set = useSetSearch()
  const text = actorText(actor)
  return (
    <button
      type="button"
      title="Only entries of this actor"
      className={`max-w-full text-left hover:underline ${text === actor.id ? "font-mono text-xs" : ""}`}
      onClick={() => set({ actorId: actor.id })}
    >
      <Address text={text} />
    </button>
  )
}
