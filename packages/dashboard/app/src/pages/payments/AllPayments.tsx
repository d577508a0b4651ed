import { TenantLink } from "../../session/TenantLink.tsx"
import type { Search } from "../../lists/search.ts"
import { Foreign } from "../../ui/Layout.tsx"

interface AllPaymentsProps {
  readonly text: string
  readonly search: Search
}

/** A value of a payment, with a link to all payments that have it. */
export const AllPayments = ({ search, text }: AllPaymentsProps) => (
  <span className="flex flex-wrap items-center gap-x-3">
    <Foreign text={text} />
    <TenantLink path="payments" search={search}>
      All payments
    </TenantLink>
  </span>
)
