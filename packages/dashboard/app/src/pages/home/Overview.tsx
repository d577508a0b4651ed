/** What happened in the period, and what needs attention now. */
import { PeriodLinks } from "../../statistics/PeriodLinks.tsx"
import { usePeriod } from "../../statistics/period.ts"
import { useTotals } from "../../statistics/reads.ts"
import { Uncounted } from "../../statistics/Uncounted.tsx"
import { Page } from "../../ui/Layout.tsx"
import { Attention } from "./Attention.tsx"
import { ByProvider, FailureCodes } from "./Breakdown.tsx"
import { Outcomes } from "./Outcomes.tsx"
import { SetupLink } from "./setup/SetupLink.tsx"
import { Volume } from "./Volume.tsx"

export const Overview = () => {
  const period = usePeriod()
  const { data } = useTotals({ of: "payments" }, period)
  return (
    <Page
      title="Home"
      description={`Compared with the ${period.days} days before. Days are UTC.`}
      actions={
        <>
          <SetupLink />
          <PeriodLinks period={period} />
        </>
      }
    >
      <Attention />
      <Uncounted since={data?.uncountedSince} />
      <Outcomes period={period} />
      <Volume period={period} />
      <div className="grid gap-5 lg:grid-cols-2">
        <FailureCodes period={period} />
        <ByProvider period={period} />
      </div>
    </Page>
  )
}
