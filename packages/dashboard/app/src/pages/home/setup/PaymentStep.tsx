import { useGet } from "../../../api/client.ts"
import { serverUrl } from "../../../place.ts"
import { useTenant } from "../../../session/session.ts"
import { Skeleton } from "../../../ui/Layout.tsx"
import { Note, ProblemNote } from "../../../ui/Problem.tsx"
import { CodeTabs } from "./CodeTabs.tsx"
import { paymentSamples, requestFor } from "./paymentSamples.ts"
import { Waiting } from "./Step.tsx"

interface PaymentStepProps {
  /** `null`: no key that this page could show was created on it. */
  readonly apiKey: string | null
  readonly done: boolean
}

export const PaymentStep = ({ apiKey, done }: PaymentStepProps) => {
  const tenant = useTenant()
  const { data, error, refetch } = useGet("/dashboard/api/{account}/{mode}/providers", { path: { ...tenant } })
  if (data === undefined) {
    return error === null ? (
      <Skeleton className="h-40 w-full" />
    ) : (
      <ProblemNote error={error} onRetry={() => void refetch()} />
    )
  }
  const samples = paymentSamples(serverUrl, apiKey ?? `pmx_${tenant.mode}_…`, requestFor(data.data))
  return (
    <>
      {data.data.length === 0 && (
        <Note tone="warn">
          <p>No provider serves {tenant.mode} mode: every payment will fail. Configure one, and restart the server.</p>
        </Note>
      )}
      {tenant.mode === "live" && (
        <Note tone="warn">
          <p>With a live key this request starts a real payment.</p>
        </Note>
      )}
      <p>
        Send this from your server. Amounts are integers in the smallest unit of the currency.{" "}
        {apiKey === null && "Replace the key with yours."}
      </p>
      <CodeTabs label="Language of the request" samples={samples} />
      {!done && <Waiting>Waiting for your first payment …</Waiting>}
    </>
  )
}
