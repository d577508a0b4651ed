import { TenantLink } from "../../session/TenantLink.tsx"

const tabs = [
  { path: "routing", title: "Rules" },
  { path: "routing/history", title: "History" },
  { path: "routing/explain", title: "Explain" },
  { path: "routing/backtest", title: "Backtest" }
] as const

/** The four pages about routing rules. */
export const RoutingTabs = () => (
  <nav aria-label="Routing" className="flex gap-1 overflow-x-auto border-b border-line">
    {tabs.map(({ path, title }) => (
      <TenantLink
        key={path}
        path={path}
        activeOptions={{ exact: true, includeSearch: false }}
        className="-mb-px border-b-2 border-transparent px-3 py-1.5 text-sm text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
      >
        {title}
      </TenantLink>
    ))}
  </nav>
)
