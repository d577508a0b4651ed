/** Payments of the period by failure code and by provider. */
import { Change } from "../../statistics/Change.tsx"
import { NumbersTable } from "../../statistics/NumbersTable.tsx"
import type { Period } from "../../statistics/period.ts"
import { useTotals } from "../../statistics/reads.ts"
import type { Numbers } from "../../statistics/reads.ts"
import { numberOf, rateText } from "../../statistics/texts.ts"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Section } from "../../ui/Layout.tsx"
import { countText } from "../../ui/numbers.ts"
import { wordOf } from "../../ui/Status.tsx"

export const FailureCodes = ({ period }: { readonly period: Period }) => {
  const query = useTotals({ of: "payments", groupBy: "failureCode" }, period)
  const before = useTotals({ of: "payments", groupBy: "failureCode" }, period.before).data?.groups
  return (
    <Section title="Failure codes" description="Of payments that failed, most frequent first.">
      <NumbersTable
        label="Failure codes"
        query={query}
        groups={(query.data?.groups ?? []).filter(({ group }) => group !== null)}
        empty={`No payment failed in the last ${period.days} days`}
        columns={[
          {
            title: "Code",
            cell: ({ group }) => (
              <TenantLink
                path="payments"
                search={{ failureCode: group ?? undefined, from: String(period.from), until: String(period.until) }}
              >
                {wordOf(group ?? "")}
              </TenantLink>
            )
          },
          { title: "Payments", align: "right", cell: ({ count }) => countText(count) },
          {
            title: "Change",
            align: "right",
            cell: (row) => <Change now={row.count} before={countIn(before, row)} otherwise={<Dash />} />
          }
        ]}
      />
    </Section>
  )
}

export const ByProvider = ({ period }: { readonly period: Period }) => {
  const query = useTotals({ of: "payments", groupBy: "provider" }, period)
  const before = useTotals({ of: "payments", groupBy: "provider" }, period.before).data?.groups
  return (
    <Section title="Providers" description="By the provider that has the payment.">
      <NumbersTable
        label="Payments by provider"
        query={query}
        groups={query.data?.groups ?? []}
        empty={`No payments in the last ${period.days} days`}
        columns={[
          { title: "Provider", cell: ({ group }) => <ProviderName id={group} /> },
          { title: "Payments", align: "right", cell: ({ count }) => countText(count) },
          {
            title: "Success rate",
            align: "right",
            cell: ({ successRate }) => {
              const rate = numberOf(successRate)
              return rate === null ? "–" : rateText(rate)
            }
          },
          {
            title: "Change",
            align: "right",
            cell: (row) => (
              <Change
                now={numberOf(row.successRate)}
                before={numberOf(same(before, row)?.successRate ?? null)}
                of="rate"
                otherwise={<Dash />}
              />
            )
          }
        ]}
      />
    </Section>
  )
}

const Dash = () => <span className="text-muted">–</span>

/** A payment that no provider was tried for has none. */
const ProviderName = ({ id }: { readonly id: string | null }) =>
  id === null || id === "" ? (
    <span className="text-muted">None</span>
  ) : (
    <TenantLink path={`providers/${encodeURIComponent(id)}`}>
      <bdi className="font-mono text-xs">{id}</bdi>
    </TenantLink>
  )

const same = (groups: ReadonlyArray<Numbers> | undefined, { group }: Numbers): Numbers | undefined =>
  groups?.find((each) => each.group === group)

const countIn = (groups: ReadonlyArray<Numbers> | undefined, row: Numbers): number | null =>
  groups === undefined ? null : (same(groups, row)?.count ?? 0)
