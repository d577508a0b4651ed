/** Why the rules chose as they did: each rule from the first, and each condition with what the payment had. */
import { Check, X } from "lucide-react"
import { useGet } from "../../../api/client.ts"
import type { Schemas } from "../../../api/client.ts"
import { useTenant } from "../../../session/session.ts"
import { Foreign, SkeletonLines } from "../../../ui/Layout.tsx"
import { ProblemNote } from "../../../ui/Problem.tsx"
import { useState } from "react"
import { Button } from "../../../ui/Button.tsx"

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
      <ol className="flex flex-col gap-2">
        {explanation.rules.map((rule) => (
          <li key={rule.name} className="rounded-md border border-line bg-raised px-3 py-2 text-sm">
            <p className="flex items-center gap-2 font-medium">
              <Verdict holds={rule.matches} yes="matches" no="does not match" />
              <Foreign text={rule.name} />
              <span className="font-normal text-muted">{rule.matches ? "matches" : "does not match"}</span>
            </p>
            <Conditions conditions={rule.conditions} />
          </li>
        ))}
      </ol>
      {ratesUnknown && <p className="text-sm text-muted">Success rates could not be read, and are taken as unknown.</p>}
    </div>
  )
}

const Conditions = ({ conditions }: { readonly conditions: ReadonlyArray<Schemas["ExplainedCondition"]> }) =>
  conditions.length === 0 ? null : (
    <ul className="mt-1 flex flex-col gap-1 pl-5">
      {conditions.map((condition) => (
        <li key={`${condition.asked} ${String(condition.actual)}`}>
          <span className="flex flex-wrap items-center gap-x-2">
            <Verdict holds={condition.holds} yes="holds" no="does not hold" />
            <code className="text-xs break-all">{condition.asked}</code>
            {condition.of.length === 0 && (
              <span className="text-xs text-muted">
                the payment has {condition.actual === null ? "none" : <Foreign text={String(condition.actual)} />}
              </span>
            )}
          </span>
          <Conditions conditions={condition.of} />
        </li>
      ))}
    </ul>
  )

const Verdict = ({ holds, no, yes }: { readonly holds: boolean; readonly yes: string; readonly no: string }) =>
  holds ? (
    <Check size={14} role="img" aria-label={yes} className="shrink-0 text-good" />
  ) : (
    <X size={14} role="img" aria-label={no} className="shrink-0 text-muted" />
  )
