/** What was acted on, with a link to its page. */
import { TenantLink } from "../../session/TenantLink.tsx"
import { Foreign } from "../../ui/Layout.tsx"
import { pathOf } from "./auditWords.ts"
import type { AuditEntry } from "./auditWords.ts"

export const Target = ({ entry }: { readonly entry: AuditEntry }) => {
  const path = pathOf(entry)
  const { target } = entry
  const text = <span className="font-mono text-xs break-all">{target === null ? "–" : <Foreign text={target} />}</span>
  if (path === null) return text
  return <TenantLink path={path}>{target === null ? "Rules" : text}</TenantLink>
}
