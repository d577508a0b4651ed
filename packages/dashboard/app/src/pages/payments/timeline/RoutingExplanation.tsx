/** Why the rules chose as they did: each rule from the first, and each condition with what the payment had. */
import { useGet } from "../../../api/client.ts"
import { useTenant } from "../../../session/session.ts"
import { SkeletonLines } from "../../../ui/Layout.tsx"
import { ProblemNote } from "../../../ui/Problem.tsx"
import { useState } from "react"
import { Button } from "../../../ui/Button.tsx"
import { TenantLink } from "../../../session/TenantLink.tsx"
import { RulesLookedAt } from "../../routing/RulesLookedAt.tsx"
import { Summary } from "../../routing/Summary.tsx"

export const RoutingExplanation = ({ payment }: { readonly payment: string }) => {
  const [shown, setShown] = useState(false)
  return shown ? (
    <Explanation payment={payment} />
  ) : (
    <div>
      <Button onClick={() => setShown(true)}>Explain rule by rule</Button>
    </div>
  )
}

const Explanation = ({ payment }: { readonly payment: string }) => {
  const { data, error, refetch } = useGet(
    "/dashboard/api/{account}/{mode}/payments/{id}/routing",
    { path: { ...useTenant(), id: payment } },
    // The rules of then do not change.
    { staleTime: Infinity }
  )
  if (data === undefined) {
    return error === null ? <SkeletonLines lines={3} /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  }
  const { explanation, ratesUnknown } = data
  return (
    <div className="flex flex-col gap-2">
      <Summary text={explanation.summary} />
      <RulesLookedAt rules={explanation.rules} />
      {ratesUnknown && <p className="text-sm text-muted">Success rates could not be read and count as unknown.</p>}
      <p className="text-sm">
        <TenantLink path="routing/explain" search={{ payment }}>
          Explain it by other rules
        </TenantLink>
      </p>
    </div>
  )
}
