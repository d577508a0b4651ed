/** An operator states what happened, and confirms what follows from it. The version that was read goes with it, so that it acts once, and on what was read. */
import { useMutation } from "@tanstack/react-query"
import { useRef, useState } from "react"
import type { FormEvent } from "react"
import { call, queryClient } from "../../api/client.ts"
import { ConnectionLost, isProblem, problemAt } from "../../api/problems.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions } from "../../ui/Dialog.tsx"
import { Checkbox, Field, Input, Textarea } from "../../ui/Field.tsx"
import { Card } from "../../ui/Layout.tsx"
import { exampleOf, minorUnits } from "../../ui/amounts.ts"
import type { Stated } from "./changes.ts"
import { ResolutionDialog } from "./ResolutionDialog.tsx"
import type { Acceptance } from "./ResolutionDialog.tsx"
import { explanationOf, labelOf, questionOf } from "./reviewWords.ts"
import type { Resolution, ReviewDetails, ReviewedPayment } from "./reviewWords.ts"

interface ResolutionFormProps {
  readonly review: ReviewDetails
  readonly reviewed: ReviewedPayment
  readonly onResolved: () => void
  /** No answer arrived, or the payment has changed meanwhile: perhaps by this very statement. */
  readonly onUncertain: (statement: Stated) => void
  /** The payment has changed meanwhile. */
  readonly onConflict: () => void
}

interface Entered {
  readonly resolution: Resolution | null
  readonly evidence: string
  readonly amount: string
}

type Faults = { readonly [field in keyof Entered]?: string }

export const ResolutionForm = ({ review, reviewed, ...outcome }: ResolutionFormProps) => {
  const form = useRef<HTMLFormElement>(null)
  const only = review.resolutions.length === 1 ? review.resolutions[0] : undefined
  const [entered, setEntered] = useState<Entered>({ resolution: null, evidence: "", amount: "" })
  const [faults, setFaults] = useState<Faults>({})
  const [isConfirming, setConfirming] = useState(false)
  const conflict = () => {
    setConfirming(false)
    outcome.onConflict()
  }
  const { error, isPending, resolve } = useResolve({
    review,
    reviewed,
    ...outcome,
    onResolved: () => {
      setConfirming(false)
      outcome.onResolved()
    },
    onConflict: conflict
  })
  // Of a newer version of the payment, another resolution may fit.
  const chosen = review.resolutions.find(({ resolution }) => resolution === entered.resolution) ?? only
  const resolution = chosen?.resolution ?? null
  const change = (changes: Partial<Entered>) => {
    setEntered({ ...entered, ...changes })
    setFaults({})
  }
  const stated = { ...entered, resolution, amount: chosen?.takesAmount === true ? entered.amount : "" }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = faultsOf(stated, reviewed.payment.currency)
    setFaults(found)
    const [first] = Object.keys(found)
    if (first !== undefined) return focusField(form.current, first)
    setConfirming(true)
  }
  const confirm = (acceptance: Acceptance | null) => {
    if (!isPending()) resolve.mutate({ ...stated, acceptance, version: reviewed.version })
  }
  return (
    <Card>
      <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Outcomes
          review={review}
          reviewed={reviewed}
          chosen={resolution}
          fault={faults.resolution ?? problemAt(error, "/resolution")}
          onChoose={(next) => change({ resolution: next })}
        />
        {chosen?.takesAmount === true && (
          <Field
            label={`Amount at the provider, in ${reviewed.payment.currency}`}
            hint="Only if the provider shows another amount than it reported. Leave it empty otherwise."
            error={faults.amount ?? problemAt(error, "/amount")}
          >
            <Input
              name="amount"
              inputMode="decimal"
              maxLength={20}
              value={entered.amount}
              onChange={({ target }) => change({ amount: target.value })}
            />
          </Field>
        )}
        <Field
          label="Evidence"
          hint="What proves it: the provider's reference, and who looked it up. It is stored with the payment; everyone who may read the payment can read it."
          error={faults.evidence ?? problemAt(error, "/evidence")}
        >
          <Textarea
            name="evidence"
            rows={3}
            maxLength={10_000}
            required
            value={entered.evidence}
            onChange={({ target }) => change({ evidence: target.value })}
          />
        </Field>
        <Actions>
          <Button type="submit" look="primary">
            Continue
          </Button>
        </Actions>
      </form>
      {isConfirming && resolution !== null && (
        <ResolutionDialog
          title={labelOf(review, reviewed, resolution)}
          payment={reviewed.payment.id}
          review={review.id}
          resolution={resolution}
          amount={minorUnits(stated.amount, reviewed.payment.currency)}
          version={reviewed.version}
          error={error}
          isPending={resolve.isPending}
          onClose={() => setConfirming(false)}
          onConflict={conflict}
          onConfirm={confirm}
        />
      )}
    </Card>
  )
}

/** For the version of the payment that was read. */
interface Sent extends Entered {
  readonly acceptance: Acceptance | null
  readonly version: number
}

const useResolve = ({ onConflict, onResolved, onUncertain, review, reviewed }: ResolutionFormProps) => {
  const tenant = useTenant()
  const mutationKey = ["resolve", review.id]
  const { currency, id } = reviewed.payment
  const resolve = useMutation({
    mutationKey,
    mutationFn: ({ acceptance, amount, evidence, resolution, version }: Sent) => {
      const minor = minorUnits(amount, currency)
      return call.POST("/dashboard/api/{account}/{mode}/reviews/{id}/resolve", {
        params: { path: { ...tenant, id }, header: { "If-Match": `"${version}"` } },
        body: {
          review: review.id,
          resolution: resolution ?? "dismissed",
          evidence: evidence.trim(),
          ...(amount.trim() !== "" && minor !== null && { amount: minor }),
          ...(acceptance !== null && { acceptance })
        }
      })
    },
    onSuccess: onResolved,
    // `not_in_review`: the review has closed without a new version that this page knows.
    onError: (error, { evidence, resolution }) => {
      const isConflict = isProblem(error, "version_conflict") || problemAt(error, "/review") !== undefined
      if (isConflict || error instanceof ConnectionLost) {
        onUncertain({ review: review.id, resolution: resolution ?? "dismissed", evidence: evidence.trim() })
      }
      if (isConflict) onConflict()
    }
  })
  // What was said of a former version is no longer about what the page shows.
  const error = resolve.variables?.version === reviewed.version ? resolve.error : null
  // The second click of a double click may come before the page shows that the first one acts.
  return { error, resolve, isPending: () => queryClient.isMutating({ mutationKey }) > 0 }
}

const faultsOf = ({ amount, evidence, resolution }: Entered, currency: string): Faults => ({
  ...(resolution === null && { resolution: "Choose what happened." }),
  ...(amount.trim() !== "" &&
    minorUnits(amount, currency) === null && {
      amount: `Enter an amount in ${currency}, such as ${exampleOf(currency)}.`
    }),
  ...(evidence.trim() === "" && {
    evidence: "Enter what proves it, such as the provider's reference and who looked it up."
  })
})

const focusField = (form: HTMLFormElement | null, name: string) => {
  const field = form?.querySelector<HTMLElement>(`[name="${name}"]`)
  field?.focus()
}

interface OutcomesProps {
  readonly review: ReviewDetails
  readonly reviewed: ReviewedPayment
  readonly chosen: Resolution | null
  readonly fault: string | undefined
  readonly onChoose: (resolution: Resolution) => void
}

const Outcomes = ({ chosen, fault, onChoose, review, reviewed }: OutcomesProps) => (
  <fieldset className="flex flex-col gap-2.5">
    <legend className="mb-2 text-sm font-medium">{questionOf(review)}</legend>
    {review.resolutions.map(({ resolution }) => (
      <Checkbox
        key={resolution}
        type="radio"
        name="resolution"
        value={resolution}
        checked={chosen === resolution}
        onChange={() => onChoose(resolution)}
        label={
          <>
            <span className="font-medium">{labelOf(review, reviewed, resolution)}</span>
            <span className="block text-xs text-muted">{explanationOf(review, resolution)}</span>
          </>
        }
      />
    ))}
    {fault !== undefined && (
      <p role="alert" className="text-xs text-bad">
        {fault}
      </p>
    )}
  </fieldset>
)
