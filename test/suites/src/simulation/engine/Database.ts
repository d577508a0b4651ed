/**
 * The in-memory store, and what a failover to a standby that is behind makes of it: the store as it was at an earlier
 * moment, with everything committed since then gone.
 *
 * Where a plan has a rollback every call is logged, and the earlier moment is made by playing the log again into a new
 * store: what the store answers depends on its calls alone.
 */
import type { OperationId } from "@paymux/core"
import { MemoryStore } from "@paymux/testkit/memory-store"
import type { PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import type { VirtualTime } from "../VirtualTime.ts"

type Store = PaymentStore["Service"]

export interface Database {
  /** Without faults. The same object over a rollback. */
  readonly store: Store
  /** The store as it was at this time of `elapsed`. */
  readonly rollBackTo: (elapsed: number) => void
  /** What is committed of an operation at this moment. */
  readonly committed: (id: OperationId) => Committed
}

type Committed = ReturnType<typeof committedIn>

interface Call {
  readonly at: number
  readonly path: ReadonlyArray<string>
  readonly args: ReadonlyArray<unknown>
}

/**
 * @param time what the database takes for the time: it is right, whatever the clocks of the processes show
 * @param hasRollback without one the store is used as it is
 * @param onEndlessCalls called when an engine calls the store endlessly at one moment of virtual time
 */
export const make = (
  { elapsed, now }: Pick<VirtualTime, "elapsed" | "now">,
  hasRollback: boolean,
  onEndlessCalls: (error: Error) => void
): Database => {
  const clock = Effect.sync(now)
  let current = MemoryStore.make(clock)
  let calls: Array<Call> = []
  const count = callsAtOneMoment(elapsed, onEndlessCalls)
  const log = (call: Omit<Call, "at">) => {
    count()
    calls.push({ ...call, at: elapsed() })
  }
  const store = hasRollback ? logged(current, [], log, () => current) : current
  return {
    store,
    rollBackTo: (moment) => {
      const kept = calls.filter(({ at }) => at <= moment)
      current = MemoryStore.make(clock)
      // What was refused then is refused again.
      for (const call of kept) Effect.runSync(Effect.exit(perform(current, call)))
      calls = kept
    },
    committed: (id) => committedIn(store, id)
  }
}

const callsAtOneMoment = (elapsed: () => number, onEndlessCalls: (error: Error) => void) => {
  let moment = 0
  let count = 0
  return (): void => {
    if (moment !== elapsed()) {
      moment = elapsed()
      count = 0
    }
    if (++count === MOST_CALLS) onEndlessCalls(new Error(`The engine calls its store endlessly at ${moment} ms`))
  }
}

/** At one moment. A batch of the busiest one makes some thousands. */
const MOST_CALLS = 50_000

const committedIn = (store: Store, id: OperationId) => {
  const record = Effect.runSync(Effect.orDie(store.findByOperation(id)))
  return { record, operation: record?.operations.find((operation) => operation.id === id) ?? null }
}

/** The store port holds functions that answer effects, groups of such functions, its clock and a constant: nothing else. */
const logged = <S extends object>(
  service: S,
  path: ReadonlyArray<string>,
  log: (call: Omit<Call, "at">) => void,
  current: () => Store
): S =>
  Object.fromEntries(
    Object.entries(service).map(([name, member]) => {
      const own = [...path, name]
      if (typeof member === "function") {
        return [
          name,
          (...args: ReadonlyArray<unknown>) =>
            Effect.suspend(() => {
              log({ path: own, args })
              return perform(current(), { path: own, args })
            })
        ]
      }
      const isGroup = typeof member === "object" && member !== null && !Effect.isEffect(member)
      return [name, isGroup ? logged(member, own, log, current) : member]
    })
    // The shape is that of `service`: every member is replaced by one of its own kind.
  ) as S

const perform = (store: Store, { args, path }: Omit<Call, "at">): Effect.Effect<unknown, unknown> => {
  // The path was made from the store's own members above.
  const member = path.reduce<unknown>((at, name) => (at as { readonly [name: string]: unknown })[name], store)
  return (member as (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>)(...args)
}
