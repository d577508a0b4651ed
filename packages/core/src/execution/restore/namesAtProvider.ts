/**
 * Computes the identifiers (operation id and idempotency key) that a create may have had at a provider before the
 * database lost it. Pure.
 */
import type { Ids, OperationNames, Origin, PaymentId } from "../../domain/Ids.ts"
import { createOrigin, failoverOrigin } from "../../domain/origins.ts"
import type { RequestName } from "../../domain/origins.ts"
import type { Tenant } from "../../domain/Payment.ts"

type Names = Pick<Ids["Service"], "operation">

export interface NamedRequest extends RequestName {
  readonly tenant: Tenant
  readonly id: PaymentId
}

/**
 * Returns the present identifiers of the create, then its former ones. A former version of the software derived the
 * former identifiers from the request if this provider was tried first, otherwise from the operation that failed before
 * the create. So each order in which the other providers may have been tried before has one former pair of identifiers.
 *
 * @param provider the first id of the provider instance, like each of `others`
 * @param others the other providers that may have been tried before; `null` if no lost create can have former
 * identifiers
 */
export const namesAtProvider = (
  ids: Names,
  { endpoint, id, key, tenant }: NamedRequest,
  provider: string,
  others: ReadonlyArray<string> | null,
  maxAttempts: number
): ReadonlyArray<OperationNames> => {
  const present = ids.operation(createOrigin({ ...tenant, id }, provider))
  if (others === null) return [present]
  const first = (at: string): Origin => ["create", tenant.account, tenant.livemode, endpoint, key, at]
  const before = others.filter((other) => other !== provider)
  const former = ordersOf(before, maxAttempts - 1).map((order) => {
    const [start, ...rest] = [...order, provider]
    return rest.reduce(
      (failed, at, index) => ids.operation(failoverOrigin(failed.id, { provider: at, seq: index + 2 })),
      ids.operation(first(start))
    )
  })
  return [present, ...former]
}

/** All ordered selections of up to `most` providers from `all`. */
const ordersOf = (all: ReadonlyArray<string>, most: number): ReadonlyArray<ReadonlyArray<string>> =>
  most <= 0
    ? [[]]
    : [
        [],
        ...all.flatMap((one) =>
          ordersOf(
            all.filter((other) => other !== one),
            most - 1
          ).map((rest) => [one, ...rest])
        )
      ]
