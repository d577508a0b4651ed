import { Result, Schema } from "effect"
import { InvalidPayment, paymentError } from "../domain/PaymentError.ts"
import type { PaymentError } from "../domain/PaymentError.ts"
import { acceptor, notAccepted } from "./acceptor.ts"
import { definedOnly } from "./definedOnly.ts"
import { describeIssues } from "./issues.ts"

/**
 * Makes a decoder for requests of unknown shape. Unknown fields are faults. `InvalidPayment` has all faults, and no
 * values.
 */
export const strictDecoder = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const accept = acceptor(schema)
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  return (input: unknown): Result.Result<A, PaymentError> => {
    const accepted = accept(input)
    return accepted !== notAccepted
      ? Result.succeed(accepted)
      : Result.mapError(decode(definedOnly(input)), ({ issue }) =>
          paymentError(new InvalidPayment({ errors: describeIssues(issue) }))
        )
  }
}
