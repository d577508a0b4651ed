/** Sends again what was not delivered since a time: counted first, then confirmed. */
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { call, useGet } from "../../api/client.ts"
import { useTenant } from "../../session/session.ts"
import { Button } from "../../ui/Button.tsx"
import { Actions, Dialog } from "../../ui/Dialog.tsx"
import { Field, Select } from "../../ui/Field.tsx"
import { Foreign, Skeleton } from "../../ui/Layout.tsx"
import { countText } from "../../ui/numbers.ts"
import { ProblemNote } from "../../ui/Problem.tsx"
import { exactTime } from "../../ui/Time.tsx"
import { toast } from "../../ui/Toast.tsx"
import { rereadDeliveries } from "./resend.ts"

const hour = 3_600_000

const periods: ReadonlyArray<readonly [ms: number, text: string]> = [
  [hour, "The last hour"],
  [24 * hour, "The last 24 hours"],
  [3 * 24 * hour, "The last 3 days"],
  [7 * 24 * hour, "The last 7 days"],
  [30 * 24 * hour, "The last 30 days"]
]

export const deliveriesText = (count: number): string =>
  `${countText(count)} ${count === 1 ? "delivery" : "deliveries"}`

interface ResendSinceDialogProps {
  /** `null`: all that are enabled. */
  readonly endpoint: { readonly id: string; readonly url: string } | null
  readonly onClose: () => void
}

export const ResendSinceDialog = ({ endpoint, onClose }: ResendSinceDialogProps) => {
  const tenant = useTenant()
  const [period, setPeriod] = useState(24 * hour)
  // What was counted is what is sent: the time does not move while the dialog is open.
  const [openedAt] = useState(() => Date.now())
  const since = openedAt - period
  const to = endpoint === null ? {} : { endpointId: endpoint.id }
  const count = useGet(
    "/dashboard/api/{account}/{mode}/deliveries/undelivered",
    { path: { ...tenant }, query: { since: String(since), ...to } },
    { staleTime: 0 }
  )
  const resend = useMutation({
    mutationFn: () =>
      call.POST("/dashboard/api/{account}/{mode}/deliveries/resend", {
        params: { path: { ...tenant } },
        body: { since, ...to }
      }),
    onSuccess: async ({ data }) => {
      toast(`Sent again: ${deliveriesText(data?.count ?? 0)}.`)
      await rereadDeliveries()
      onClose()
    }
  })
  const counted = count.data?.count
  return (
    <Dialog open onClose={onClose} title="Resend what was not delivered" description={<Target endpoint={endpoint} />}>
      <Field label="Events of" hint={`Since ${exactTime(since)}`}>
        <Select value={period} onChange={(event) => setPeriod(Number(event.currentTarget.value))}>
          {periods.map(([ms, text]) => (
            <option key={ms} value={ms}>
              {text}
            </option>
          ))}
        </Select>
      </Field>
      <div role="status" className="min-h-5 text-sm">
        {counted === undefined ? count.error === null && <Skeleton /> : <Counted count={counted} />}
      </div>
      {count.error !== null && <ProblemNote error={count.error} onRetry={() => void count.refetch()} />}
      {resend.error !== null && <ProblemNote error={resend.error} repeatable />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          busy={resend.isPending}
          disabled={counted === undefined || counted === 0}
          onClick={() => resend.mutate()}
        >
          {counted === undefined ? "Resend" : `Resend ${deliveriesText(counted)}`}
        </Button>
      </Actions>
    </Dialog>
  )
}

const Target = ({ endpoint }: Pick<ResendSinceDialogProps, "endpoint">) =>
  endpoint === null ? (
    "To every endpoint that is enabled. Events keep their ids."
  ) : (
    <>
      To <Foreign text={endpoint.url} />. Events keep their ids.
    </>
  )

const Counted = ({ count }: { readonly count: number }) =>
  count === 0 ? (
    <p className="text-muted">Nothing was left undelivered in this period.</p>
  ) : (
    <p>
      <strong className="numbers">{deliveriesText(count)}</strong> failed or wait for a retry. They are sent now, with
      the full retry schedule.
    </p>
  )
