import { useState } from "react"
import { useGet } from "../../api/client.ts"
import type { Schemas } from "../../api/client.ts"
import { List, pageSize } from "../../lists/List.tsx"
import type { Column } from "../../lists/List.tsx"
import { useListSearch, useSetSearch, valueOf } from "../../lists/search.ts"
import { useMay, useTenant } from "../../session/session.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Button } from "../../ui/Button.tsx"
import { Empty, Foreign, Page, Section } from "../../ui/Layout.tsx"
import { Time } from "../../ui/Time.tsx"
import { Author } from "./author.tsx"
import { RollBackDialog } from "./RollBackDialog.tsx"
import { RoutingTabs } from "./RoutingTabs.tsx"
import { VersionsCompared } from "./VersionsCompared.tsx"

type Version = Schemas["RulesVersion"]

export const HistoryPage = () => {
  const path = useTenant()
  const search = useListSearch()
  const [after, ruleset] = [valueOf(search, "after"), valueOf(search, "ruleset")]
  const versions = useGet(
    "/dashboard/api/{account}/{mode}/rules/versions",
    {
      path,
      query: {
        limit: String(pageSize),
        ...(after !== undefined && { after }),
        ...(ruleset !== undefined && { ruleset })
      }
    },
    { keep: true }
  )
  const { data: current } = useGet("/dashboard/api/{account}/{mode}/rules", { path })
  const [restored, setRestored] = useState<Version | null>(null)
  const mayRestore = useMay("routing") && current?.origin.kind === "database"
  return (
    <Page
      title="History of the rules"
      description="Every version that has been in force. Rolling back publishes the text of a former version as a new one."
    >
      <RoutingTabs />
      <VersionsCompared newest={current?.version ?? null} />
      <Section
        title="Versions"
        description={ruleset === undefined ? undefined : `Only those with the ruleset ${ruleset}.`}
      >
        <List
          label="Versions of the rules"
          query={versions}
          columns={columns(current ?? null, mayRestore ? setRestored : null)}
          rowKey={({ version }) => String(version)}
          empty={
            <Empty title={ruleset === undefined ? "No rules have been in force yet" : "No version has this ruleset"} />
          }
        />
      </Section>
      {restored !== null && current !== undefined && (
        <RollBackDialog version={restored} current={current} onClose={() => setRestored(null)} />
      )}
    </Page>
  )
}

const columns = (
  current: Schemas["CurrentRules"] | null,
  restore: ((version: Version) => void) | null
): ReadonlyArray<Column<Version>> => [
  {
    title: "Version",
    cell: ({ version }) => (
      <span className="flex flex-wrap items-center gap-x-2 whitespace-nowrap">
        <TenantLink path="routing/history" search={{ to: String(version) }} aria-label={`Text of version ${version}`}>
          <span className="numbers">{version}</span>
        </TenantLink>
        {version === current?.version && <span className="text-xs text-good">Newest</span>}
      </span>
    )
  },
  {
    title: "Note",
    cell: ({ note, restores }) => (
      <>
        {note === null ? <span className="text-muted">–</span> : <Foreign text={note} />}
        {restores !== null && <span className="block text-xs text-muted">Restores version {restores}</span>}
      </>
    )
  },
  { title: "Author", cell: (version) => <Author {...version} />, hideBelow: "sm" },
  { title: "Published", cell: ({ at }) => <Time at={at} /> },
  {
    title: "Actions",
    align: "right",
    cell: ({ version, ...rest }) => (
      <span className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
        {version > 1 && <CompareButton from={version - 1} to={version} />}
        {restore !== null && current !== null && version !== current.version && (
          <Button aria-label={`Roll back to version ${version}`} onClick={() => restore({ version, ...rest })}>
            Roll back
          </Button>
        )}
      </span>
    )
  }
]

/** Keeps the page of the list. */
const CompareButton = ({ from, to }: { readonly from: number; readonly to: number }) => {
  const set = useSetSearch()
  const after = valueOf(useListSearch(), "after")
  return (
    <Button
      look="ghost"
      aria-label={`Compare version ${to} with version ${from}`}
      onClick={() => set({ after, from: String(from), to: String(to) })}
    >
      Compare
    </Button>
  )
}
