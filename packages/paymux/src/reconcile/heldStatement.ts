/** One process reads the statements of a provider at a time: others are refused, and no page is read twice. */
import { PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import { StatementUnread } from "./StatementUnread.ts"

/** ms: longer than a page may take. */
const lease = 10 * 60_000

/** `work` renews the lease before each page. */
export const heldStatement = Effect.fnUntraced(function* <A, E, R>(
  provider: string,
  owner: string,
  work: (renew: Effect.Effect<void, StatementUnread>) => Effect.Effect<A, E, R>
) {
  const { leases, now } = yield* PaymentStore
  const name = `statement:${provider}`
  const busy = (problem: string) => new StatementUnread({ provider, problem, isFinal: false })
  const hold = Effect.gen(function* () {
    const time = yield* now
    const held = yield* leases.hold(name, { owner, now: time, until: time + lease })
    if (held === null) return yield* busy("another process reads it. Wait until that has ended.")
  }).pipe(Effect.catchTag("StoreUnavailable", () => Effect.fail(busy("the database is not available."))))
  return yield* Effect.acquireUseRelease(
    hold,
    () => work(hold),
    () => Effect.ignore(leases.release(name, owner))
  )
})
