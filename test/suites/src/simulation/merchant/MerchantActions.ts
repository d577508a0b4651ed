/**
 * What a merchant asks for later: captures, cancels and refunds, each once or again under its key after an error. A
 * merchant whose capture the API calls failed captures again, as a new request.
 */
import type { OperationAnswer, PaymentId } from "@paymux/core"
import { isRefund, refundId } from "@paymux/core/store"
import { noHostedPage, paymentJson } from "@paymux/core/wire"
import type { MerchantAction, PaymentPlan } from "../Plan.ts"
import { tenant } from "./Clients.ts"
import type { Clients, Service } from "./Clients.ts"

type Capture = Extract<MerchantAction, { readonly kind: "capture" }>

export const perform = (clients: Clients, id: PaymentId, payment: PaymentPlan, action: MerchantAction): void =>
  clients.environment.later(action.after, () => {
    clients.ask({
      n: payment.n,
      call: action.kind,
      key: action.key,
      wants: wantsOf(payment, action),
      abortAfter: null,
      run: (payments) => request(payments, id, payment, action),
      answer: accepted
    })
    if (action.kind === "capture" && action.againAfter !== null) {
      followCapture(clients, id, payment, action, action.againAfter, MOST_LOOKS)
    }
  })

const MOST_LOOKS = 4

/** Reads the payment now and then, and captures again where no capture stands or is under way. */
const followCapture = (
  clients: Clients,
  id: PaymentId,
  payment: PaymentPlan,
  action: Capture,
  again: number,
  looks: number
): void =>
  clients.environment.later(again, () =>
    clients.ask({
      n: payment.n,
      call: "get",
      key: null,
      abortAfter: null,
      run: (payments) => payments.get(tenant, id),
      answer: (record) => ({ kind: "accepted", id: record.payment.id, body: "", replayed: true }),
      next: (record) => {
        const { operations, status } = paymentJson(record, noHostedPage)
        const captures = operations.filter(({ kind }) => kind === "capture")
        if (status !== "authorized" || captures.length === 0) return
        if (captures.every((capture) => capture.status === "failed")) {
          const key = action.key === null ? null : `${action.key}-again`
          return perform(clients, id, payment, { ...action, after: 0, key, againAfter: null })
        }
        if (looks > 0) followCapture(clients, id, payment, action, again, looks - 1)
      }
    })
  )

const accepted = ({ body, operation, record, replayed }: OperationAnswer) =>
  ({
    kind: "accepted",
    id: isRefund(operation) ? refundId(operation.id) : record.payment.id,
    body,
    replayed
  }) as const

const wantsOf = (payment: PaymentPlan, action: MerchantAction) =>
  action.kind === "cancel" ? null : { kind: action.kind, name: action.name, minorUnits: partOf(payment, action.part) }

const partOf = ({ minorUnits }: PaymentPlan, part: number): number => Math.max(1, Math.floor(minorUnits * part))

const request = (payments: Service, id: PaymentId, payment: PaymentPlan, action: MerchantAction) => {
  const options = {
    tenant,
    idempotency: action.key === null ? null : { endpoint: `POST /v1/payments/:id/${action.kind}`, key: action.key }
  }
  switch (action.kind) {
    case "capture":
      return payments.capture(id, { minorUnits: action.part === 1 ? null : partOf(payment, action.part) }, options)
    case "cancel":
      return payments.cancel(id, options)
    case "refund":
      return payments.refund(id, { minorUnits: partOf(payment, action.part), reason: null }, options)
  }
}
