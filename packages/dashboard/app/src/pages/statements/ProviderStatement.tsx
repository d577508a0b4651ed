/** The frame of the pages about one provider's statement: its runs, its payouts, and movements of other systems. */
import { useParams } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Details, Page } from "../../ui/Layout.tsx"
import { NotFoundPage } from "../NotFoundPage.tsx"
import { useStatements } from "./reads.ts"
import type { Statement } from "./statementWords.ts"
import { Ended, ReadUntil } from "./Summary.tsx"
import { Unread } from "./Unread.tsx"

export const useProviderParam = (): string => {
  const { id = "" } = useParams({ strict: false })
  return id
}

export const ProviderStatement = ({ children }: { readonly children: ReactNode }) => {
  const id = useProviderParam()
  const { data, error, refetch } = useStatements()
  if (data === undefined)
    return (
      <Page title="Statement">
        <Unread error={error} onRetry={() => void refetch()} />
      </Page>
    )
  const statement = data.data.find(({ provider }) => provider === id)
  return statement === undefined ? <NotFoundPage /> : <Found statement={statement}>{children}</Found>
}

interface FoundProps {
  readonly statement: Statement
  readonly children: ReactNode
}

const Found = ({ children, statement }: FoundProps) => {
  const { lastRun, provider } = statement
  return (
    <Page
      title={`Statement of ${provider}`}
      heading={
        <>
          Statement of <bdi className="font-mono">{provider}</bdi>
        </>
      }
      description={<TenantLink path="statements">Statements</TenantLink>}
    >
      <Details
        entries={[
          ["Read until", <ReadUntil statement={statement} />],
          ["Last run", lastRun === null ? null : <Ended run={lastRun} />],
          [
            "Differences",
            <TenantLink path="statements" search={{ provider }}>
              Show the differences
            </TenantLink>
          ]
        ]}
      />
      <Tabs provider={provider} />
      {children}
    </Page>
  )
}

const tabs = [
  { path: "", title: "Runs" },
  { path: "/payouts", title: "Payouts" },
  { path: "/foreign", title: "Other systems" }
] as const

const Tabs = ({ provider }: { readonly provider: string }) => (
  <nav aria-label="Statement" className="flex gap-1 overflow-x-auto border-b border-line">
    {tabs.map(({ path, title }) => (
      <TenantLink
        key={path}
        path={`statements/${encodeURIComponent(provider)}${path}`}
        activeOptions={{ exact: true, includeSearch: false }}
        className="-mb-px border-b-2 border-transparent px-3 py-1.5 text-sm text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
      >
        {title}
      </TenantLink>
    ))}
  </nav>
)
