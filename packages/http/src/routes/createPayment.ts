/** From the body of `POST /v1/payments` to its response: both ways to this route end here. */
import { decodeCreatePayment } from "@paymux/core"
import type { Created, NewPayment, PaymentError, Payments, Tenant } from "@paymux/core"
import { InvalidPayment, isLocalReturnUrl, paymentError } from "@paymux/core/wire"
import { Effect } from "effect"
import type { Answer } from "../server/Answer.ts"
import { replayHeaders } from "./jsonResponse.ts"

export const createFrom = (
  payments: Payments["Service"],
  body: { readonly [key: string]: unknown },
  options: Parameters<Payments["Service"]["create"]>[1]
): Effect.Effect<Answer, PaymentError> =>
  Effect.flatMap(decodeCreatePayment(body), (payment) =>
    isLocalReturn(payment, options.tenant)
      ? Effect.fail(mustBeHttps)
      : Effect.map(payments.create(payment, options), createdAnswer)
  )

const isLocalReturn = ({ returnUrl }: NewPayment, { livemode }: Tenant): boolean =>
  livemode && returnUrl !== null && isLocalReturnUrl(returnUrl)

const mustBeHttps = paymentError(
  new InvalidPayment({ errors: [{ pointer: "/return_url", message: "must be https in live mode" }] })
)

const createdAnswer = ({ body, record, replayed }: Created): Answer => ({
  status: 201,
  headers: {
    "content-type": "application/json",
    location: `/v1/payments/${record.payment.id}`,
    ...replayHeaders(replayed)
  },
  body
})
