import { useParams } from "@tanstack/react-router"
import { PeriodLinks } from "../../statistics/PeriodLinks.tsx"
import { usePeriod } from "../../statistics/period.ts"
import { Code } from "../../ui/Copy.tsx"
import { Details, Page, Section, SkeletonLines } from "../../ui/Layout.tsx"
import { ProblemNote } from "../../ui/Problem.tsx"
import { NotFoundPage } from "../NotFoundPage.tsx"
import { AccountRefusals } from "./AccountRefusals.tsx"
import { Breakers } from "./Breakers.tsx"
import { Capabilities } from "./Capabilities.tsx"
import { InstanceCheck } from "./Doctor.tsx"
import { Health } from "./Health.tsx"
import { useProviders } from "./reads.ts"
import type { Instance } from "./reads.ts"

export const ProviderPage = () => {
  const { id = "" } = useParams({ strict: false })
  const { data, error, refetch } = useProviders()
  if (data === undefined) {
    return (
      <Page title="Provider">
        {error === null ? <SkeletonLines lines={8} /> : <ProblemNote error={error} onRetry={() => void refetch()} />}
      </Page>
    )
  }
  const instance = data.data.find((each) => each.id === id)
  return instance === undefined ? <NotFoundPage /> : <Provider instance={instance} />
}

const Provider = ({ instance }: { readonly instance: Instance }) => {
  const period = usePeriod("7")
  const { adapter, formerly, id, mode, retired, specVersion, webhookUrl } = instance
  return (
    <Page
      title={id}
      heading={<bdi className="font-mono">{id}</bdi>}
      description="A provider instance, as routing rules name it. It serves every account of this mode."
      actions={<PeriodLinks period={period} />}
    >
      <Details
        entries={[
          ["Adapter", adapter],
          ["Mode", mode === "live" ? "Live" : "Test"],
          ["Status", retired ? "Retired: takes no new payments" : "Active"],
          ["Former ids", formerly.length === 0 ? null : formerly.join(", ")],
          ["Contract version", String(specVersion)]
        ]}
      />
      <Section
        title="Webhook URL"
        description={
          webhookUrl === null ? "This provider sends no webhooks." : "Enter it in the provider's own dashboard."
        }
      >
        {webhookUrl !== null && <Code text={webhookUrl} label="Copy the webhook URL" />}
      </Section>
      <InstanceCheck id={id} />
      <AccountRefusals id={id} />
      <Health id={id} period={period} />
      <Breakers id={id} />
      <Capabilities instance={instance} />
    </Page>
  )
}
