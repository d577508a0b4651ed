/** From the body of `POST /v1/payments` to its response: both ways to this route end here. */
import { decodeCreatePayment } from "@paymux/core"
import type { Created, PaymentError, Payments } from "@paymux/core"
import { Effect } from "effect"
import type { Answer } from "../problems/Answer.ts"
import { replayHeaders } from "./jsonResponse.ts"

export const createFrom = (
  payments: Payments["Service"],
  body: { readonly [key: string]: unknown },
  options: Parameters<Payments["Service"]["create"]>[1]
): Effect.Effect<Answer, PaymentError> =>
  Effect.flatMap(decodeCreatePayment(body), (payment) => Effect.map(payments.create(payment, options), createdAnswer))

const createdAnswer = ({ body, record, replayed }: Created): Answer => ({
  status: 201,
  headers: {
    "content-type": "application/json",
    location: `/v1/payments/${record.payment.id}`,
    ...replayHeaders(replayed)
  },
  body
})
