import { List } from "../../lists/List.tsx"
import type { Column } from "../../lists/List.tsx"
import { PeriodLinks } from "../../statistics/PeriodLinks.tsx"
import { usePeriod } from "../../statistics/period.ts"
import { useTotals } from "../../statistics/reads.ts"
import type { Numbers } from "../../statistics/reads.ts"
import { durationText, numberOf, rateText } from "../../statistics/texts.ts"
import { Uncounted } from "../../statistics/Uncounted.tsx"
import { TenantLink } from "../../session/TenantLink.tsx"
import { Empty, Page } from "../../ui/Layout.tsx"
import { countText } from "../../ui/numbers.ts"
import { Status } from "../../ui/Status.tsx"
import { Doctor } from "./Doctor.tsx"
import { useBreakers, useProviders, worstFirst } from "./reads.ts"
import type { Breaker, Instance } from "./reads.ts"

export const ProvidersPage = () => {
  const query = useProviders()
  const period = usePeriod("7")
  const health = useTotals({ of: "attempts", groupBy: "provider" }, period)
  const breakers = useBreakers()
  return (
    <Page
      title="Providers"
      description={`The provider instances that serve this mode, with their attempts of the last ${period.days} days.`}
      actions={<PeriodLinks period={period} />}
    >
      <Uncounted since={health.data?.uncountedSince} />
      <List
        label="Providers"
        query={query}
        columns={columnsOf(health.data?.groups, breakers.data?.data)}
        rowKey={({ id }) => id}
        rowPath={({ id }) => `providers/${encodeURIComponent(id)}`}
        empty={
          <Empty title="No provider serves this mode">
            Add a provider instance to the configuration, and restart the server.
          </Empty>
        }
      />
      <Doctor />
    </Page>
  )
}

/** `undefined`: not read yet, or not for this person. */
const columnsOf = (
  groups: ReadonlyArray<Numbers> | undefined,
  breakers: ReadonlyArray<Breaker> | undefined
): ReadonlyArray<Column<Instance>> => {
  const healthOf = ({ id }: Instance) => groups?.find(({ group }) => group === id)
  return [
    {
      title: "Instance",
      cell: ({ id }) => (
        <TenantLink path={`providers/${encodeURIComponent(id)}`}>
          <bdi className="font-mono text-xs">{id}</bdi>
        </TenantLink>
      )
    },
    { title: "Adapter", cell: ({ adapter }) => adapter ?? <Dash />, hideBelow: "md" },
    { title: "Methods", cell: ({ methods }) => Object.keys(methods).join(", "), hideBelow: "sm" },
    { title: "Breakers", cell: ({ id }) => <BreakerState breakers={breakers} id={id} /> },
    {
      title: "Attempts",
      align: "right",
      cell: (row) => (groups === undefined ? <Dash /> : <Count count={healthOf(row)?.count ?? 0} />)
    },
    {
      title: "Success rate",
      align: "right",
      cell: (row) => {
        const rate = numberOf(healthOf(row)?.successRate ?? null)
        return rate === null ? <Dash /> : <span className="numbers">{rateText(rate)}</span>
      }
    },
    {
      title: "p50",
      align: "right",
      hideBelow: "md",
      cell: (row) => <Duration ms={numberOf(healthOf(row)?.duration?.p50 ?? null)} />
    },
    {
      title: "p95",
      align: "right",
      hideBelow: "md",
      cell: (row) => <Duration ms={numberOf(healthOf(row)?.duration?.p95 ?? null)} />
    }
  ]
}

const Dash = () => <span className="text-muted">–</span>

const Count = ({ count }: { readonly count: number }) => <span className="numbers">{countText(count)}</span>

const Duration = ({ ms }: { readonly ms: number | null }) =>
  ms === null ? <Dash /> : <span className="numbers whitespace-nowrap">{durationText(ms)}</span>

interface BreakerStateProps {
  readonly breakers: ReadonlyArray<Breaker> | undefined
  readonly id: string
}

/** The worst state of all operations in all processes. */
const BreakerState = ({ breakers, id }: BreakerStateProps) => {
  if (breakers === undefined) return <Dash />
  const [worst] = worstFirst(breakers.filter(({ provider }) => provider === id))
  // A breaker is listed from its first call on.
  return <Status word={worst?.state ?? "closed"} />
}
