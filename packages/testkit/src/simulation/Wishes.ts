/** What a merchant asks for later: a capture, a cancel, a refund; each once, or again under its key after an error. */
import type { PaymentId } from "@paymux/core"
import type { PaymentPlan, Wish } from "./Plan.ts"
import { tenant } from "./Clients.ts"
import type { Clients, Service } from "./Clients.ts"

export const wish = ({ ask, world }: Clients, id: PaymentId, payment: PaymentPlan, wanted: Wish): void =>
  world.later(wanted.after, () =>
    ask({
      n: payment.n,
      call: wanted.kind,
      key: wanted.key,
      abortAfter: null,
      run: (payments) => perform(payments, id, payment, wanted),
      told: ({ body, record, replayed }) => ({ answer: { _tag: "Ok", payment: record.payment.id, body, replayed } })
    })
  )

const perform = (payments: Service, id: PaymentId, payment: PaymentPlan, wanted: Wish) => {
  const options = {
    tenant,
    idempotency: wanted.key === null ? null : { endpoint: `POST /v1/payments/:id/${wanted.kind}`, key: wanted.key }
  }
  switch (wanted.kind) {
    case "capture":
      return payments.capture(id, { minorUnits: null }, options)
    case "cancel":
      return payments.cancel(id, options)
    case "refund":
      return payments.refund(
        id,
        { minorUnits: Math.max(1, Math.floor(payment.minorUnits * wanted.part)), reason: null },
        options
      )
  }
}
