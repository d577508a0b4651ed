/**
 * A request that moves money, made from a dialog. It acts once: under one key, however often the person sends it, until they
 * change what they request. It is for the version of the payment that the dialog shows, so two people do not both act.
 */
import { useMutation } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { reread } from "../../../api/client.ts"
import { isProblem } from "../../../api/problems.ts"
import { useTenant } from "../../../session/session.ts"
import { toast } from "../../../ui/Toast.tsx"
import type { PaymentDetails } from "../paymentText.ts"

interface MoneyRequest {
  readonly path: { readonly account: string; readonly mode: string; readonly id: string }
  readonly header: { readonly "If-Match": string; readonly "Idempotency-Key": string }
}

interface MoneyActionOptions<Input> {
  /** As they were when the dialog was opened. */
  readonly details: PaymentDetails
  readonly send: (request: MoneyRequest, input: Input) => Promise<unknown>
  readonly done: string
  readonly onDone: () => void
  readonly onRefused?: (error: unknown) => void
}

export const useMoneyAction = <Input>({ details, done, onDone, onRefused, send }: MoneyActionOptions<Input>) => {
  const tenant = useTenant()
  const [basis, setBasis] = useState(details)
  const [key, setKey] = useState(() => crypto.randomUUID())
  // Two clicks within one frame both find the button enabled.
  const isSending = useRef(false)
  const mutation = useMutation({
    mutationFn: (input: Input) =>
      send(
        {
          path: { ...tenant, id: basis.payment.id },
          header: { "If-Match": `"${basis.version}"`, "Idempotency-Key": key }
        },
        input
      ),
    onSuccess: async () => {
      toast(done)
      onDone()
      await rereadPayments()
    },
    onError: (error) => {
      onRefused?.(error)
      return rereadPayments()
    },
    onSettled: () => {
      isSending.current = false
    }
  })
  const { error } = mutation
  return {
    basis,
    error,
    isPending: mutation.isPending,
    /** What the payment is now, where it is no longer what the dialog shows. */
    conflict: currentIn(error),
    send: (input: Input) => {
      if (isSending.current) return
      isSending.current = true
      mutation.mutate(input)
    },
    /** Another request: with another key, since the former one may have been executed. */
    changed: () => {
      setKey(crypto.randomUUID())
      if (error !== null) mutation.reset()
    },
    goOnWith: (current: PaymentDetails) => {
      setBasis(current)
      setKey(crypto.randomUUID())
      mutation.reset()
    }
  }
}

export const rereadPayments = (): Promise<unknown> =>
  reread(
    "/dashboard/api/{account}/{mode}/payments",
    "/dashboard/api/{account}/{mode}/payments/{id}",
    "/dashboard/api/{account}/{mode}/payments/{id}/timeline",
    "/dashboard/api/{account}/{mode}/refunds"
  )

const currentIn = (error: unknown): PaymentDetails | null => {
  const current = isProblem(error, "version_conflict") ? error.problem.current : undefined
  return current !== undefined && isDetails(current) ? current : null
}

/** Boundary: the document has `current` as any object; for payments it is what reading the payment answers. */
const isDetails = (current: object): current is PaymentDetails =>
  "payment" in current && "balance" in current && "actions" in current && "version" in current
