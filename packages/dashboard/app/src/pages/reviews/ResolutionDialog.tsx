/** The consequences of a resolution, before it is given. Another amount than requested is typed, with a reason. */
import { useEffect, useState } from "react"
import type { FormEvent } from "react"
import { useGet } from "../../api/client.ts"
import { isProblem, problemAt } from "../../api/problems.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions, Dialog } from "../../ui/Dialog.tsx"
import { Field, Input, Textarea } from "../../ui/Field.tsx"
import { SkeletonLines } from "../../ui/Layout.tsx"
import { Note, ProblemNote } from "../../ui/Problem.tsx"
import { amountText, minorUnits } from "../../ui/amounts.ts"
import { ConsequenceList } from "./Consequences.tsx"
import type { Consequences, Resolution } from "./reviewWords.ts"

export interface Acceptance {
  readonly amount: number
  readonly reason: string
}

interface ResolutionDialogProps {
  readonly title: string
  readonly payment: string
  readonly review: string
  readonly resolution: Resolution
  /** Minor units, as typed. */
  readonly amount: number | null
  readonly version: number
  readonly error: unknown
  readonly isPending: boolean
  readonly onClose: () => void
  /** The review has closed meanwhile. */
  readonly onConflict: () => void
  readonly onConfirm: (acceptance: Acceptance | null) => void
}

export const ResolutionDialog = ({ onClose, onConflict, title, ...props }: ResolutionDialogProps) => {
  const { amount, isPending, payment, resolution, review, version } = props
  const tenant = useTenant()
  const { data, error, refetch } = useGet(
    "/dashboard/api/{account}/{mode}/reviews/{id}/consequences",
    // An amount is a whole number in the text of the address.
    {
      path: { ...tenant, id: payment },
      query: { review, resolution, ...(amount !== null && { amount: String(amount) }) }
    },
    { staleTime: 0 }
  )
  const isCurrent = data?.version === version
  // The review is a parameter of this request, and a parameter is named without a slash.
  const isClosed = problemAt(error, "review") !== undefined
  useEffect(() => {
    if (isClosed) onConflict()
  }, [isClosed, onConflict])
  return (
    <Dialog open onClose={() => isPending || onClose()} title={title} description="A resolution cannot be undone.">
      {data === undefined && error === null && <SkeletonLines lines={5} />}
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data !== undefined && !isCurrent && (
        <Note tone="warn" role="alert">
          <p>This payment has changed since you opened it. The consequences are of its current state.</p>
        </Note>
      )}
      {data !== undefined && error === null && (
        <ConfirmForm {...props} onClose={onClose} consequences={data.consequences} />
      )}
    </Dialog>
  )
}

interface ConfirmFormProps extends Omit<ResolutionDialogProps, "title" | "onConflict"> {
  readonly consequences: Consequences
}

type Faults = { readonly amount?: string; readonly reason?: string }

const ConfirmForm = ({ consequences, error, isPending, onClose, onConfirm }: ConfirmFormProps) => {
  const { acceptance, currency } = consequences
  const [amount, setAmount] = useState("")
  const [reason, setReason] = useState("")
  const [faults, setFaults] = useState<Faults>({})
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    if (acceptance === null) return onConfirm(null)
    const found = faultsOf(acceptance.amount, currency, { amount, reason })
    setFaults(found)
    if (Object.keys(found).length === 0) onConfirm({ amount: acceptance.amount, reason: reason.trim() })
  }
  const money = (minor: number) => `${amountText(minor, currency)} ${currency}`
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <ConsequenceList consequences={consequences} />
      {acceptance !== null && (
        <>
          <Note tone="warn">
            <p>
              The provider has {money(acceptance.amount)}, and {money(acceptance.requested)} was requested. Confirm that
              you accept this amount.
            </p>
          </Note>
          <Field
            label={`Accepted amount, in ${currency}`}
            hint={`Type ${amountText(acceptance.amount, currency)}.`}
            error={faults.amount ?? problemAt(error, "/acceptance/amount")}
          >
            <Input
              name="accepted"
              inputMode="decimal"
              maxLength={20}
              autoComplete="off"
              value={amount}
              onChange={({ target }) => setAmount(target.value)}
            />
          </Field>
          <Field
            label="Reason"
            hint="Why this amount is enough. It is kept in the audit log, so leave out the customer's data."
            error={faults.reason ?? problemAt(error, "/acceptance/reason")}
          >
            <Textarea
              name="reason"
              rows={2}
              maxLength={500}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          </Field>
        </>
      )}
      {error !== null && !isAtField(error) && !isProblem(error, "version_conflict") && (
        <ProblemNote error={error} repeatable />
      )}
      <Actions>
        <Button onClick={onClose} disabled={isPending}>
          Back
        </Button>
        <Button type="submit" look="primary" busy={isPending}>
          Resolve
        </Button>
      </Actions>
    </form>
  )
}

const isAtField = (error: unknown): boolean =>
  ["/acceptance/amount", "/acceptance/reason"].some((pointer) => problemAt(error, pointer) !== undefined)

const faultsOf = (
  accepted: number,
  currency: string,
  { amount, reason }: { readonly amount: string; readonly reason: string }
): Faults => ({
  ...(minorUnits(amount, currency) !== accepted && {
    amount: `Type exactly the amount that the provider has: ${amountText(accepted, currency)}.`
  }),
  ...(reason.trim() === "" && { reason: "Enter why this amount is enough." })
})
