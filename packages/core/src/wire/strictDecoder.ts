import { Result, Schema } from "effect"
import { InvalidPayment, paymentError } from "../domain/PaymentError.ts"
import type { PaymentError } from "../domain/PaymentError.ts"
import { definedOnly } from "./definedOnly.ts"
import { describeIssues } from "./issues.ts"

/** Decodes a request of unknown shape. Unknown fields are faults. `InvalidPayment` has all faults, and no values. */
export const strictDecoder = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  return (input: unknown): Result.Result<A, PaymentError> => {
    const decoded = decode(input)
    // The schema accepts no member that is `undefined`, so a request that it accepted has none.
    const defined = Result.isSuccess(decoded) ? input : definedOnly(input)
    return Result.mapError(defined === input ? decoded : decode(defined), ({ issue }) =>
      paymentError(new InvalidPayment({ errors: describeIssues(issue) }))
    )
  }
}
