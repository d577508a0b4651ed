/**
 * Names as the version before this one derived them: the first create of a payment by the client's key, and that of a failover by
 * the operation that failed. A provider has another name for a payment by its place among those that are tried.
 */
import { Ids } from "@paymux/core"
import { drawOf } from "@paymux/core/routing"
import { Effect, Layer } from "effect"
import type { OperationNames, Origin } from "../../packages/core/src/domain/Ids.ts"
import { failoverOrigin } from "../../packages/core/src/domain/origins.ts"

/** A payment that this process may begin: the rest of its former origin, and where it is tried first. */
interface Asked {
  readonly request: ReadonlyArray<string | number | boolean>
  first: string | null
}

/** For one process: after a restart it derives the names of a failover as this version does for payments that have former names. */
export const formerNames: Layer.Layer<Ids, never, Ids> = Layer.effect(
  Ids,
  Effect.map(Ids, (ids) => formerly(ids))
)

/** @internal Exported for its own test. */
export const formerly = (ids: Ids["Service"]): Ids["Service"] => {
  const asked = new Map<string, Asked>()
  const create = ({ first, request }: Asked, provider: string): OperationNames => {
    const named = (at: string) => ids.operation(["create", ...request, at])
    if (first === null || first === provider) return named(provider)
    // There are two providers: it is the second attempt.
    return ids.operation(failoverOrigin(named(first).id, { provider, seq: 2 }))
  }
  return {
    ...ids,
    payment: (origin, time) => {
      const id = ids.payment(origin, time)
      if (origin !== null) asked.set(drawOf(id), { request: origin.slice(1), first: null })
      return id
    },
    operation: (origin) => {
      const [kind, draw, provider] = partsOf(origin)
      const payment = kind === "create" ? asked.get(draw) : undefined
      if (payment === undefined) return ids.operation(origin)
      const names = create(payment, provider)
      payment.first ??= provider
      return names
    }
  }
}

/** Of the origin of a create: its kind, the part of the payment's id that the key decides, and the instance. */
const partsOf = (origin: Origin): readonly [string, string, string] => {
  const [kind, , , draw, provider] = origin ?? []
  return [String(kind), String(draw), String(provider)]
}
