/**
 * Finds instances that have open operations and are not configured, so that a server does not leave the operations
 * unnoticed.
 */
import { Effect } from "effect"
import { absentSince } from "./absence.ts"
import type { OpenOperations, PaymentStore, StoreUnavailable } from "../store/PaymentStore.ts"

/**
 * The problems that keep a server from starting: open operations of live payments. Open test payments, and instances
 * that were retired without their credentials, are logged as warnings.
 */
export const notConfigured = Effect.fnUntraced(function* (
  store: PaymentStore["Service"],
  isConfigured: (id: string) => boolean,
  retired: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<string>, StoreUnavailable> {
  const problems: Array<string> = []
  const now = yield* store.now
  for (const open of yield* openElsewhere(store, isConfigured)) {
    const isRetired = retired.includes(open.provider)
    if (open.live > 0 && !isRetired) {
      problems.push(openText(open))
      continue
    }
    yield* Effect.logWarning(isRetired ? retiredText(open) : openText(open))
    // An instance that keeps this server from starting is not marked as absent: servers with the former configuration
    // may be running.
    if (open.live > 0) yield* absentSince(store, open.provider, true, now)
    if (open.test > 0) yield* absentSince(store, open.provider, false, now)
  }
  return problems
})

/** Finds the open operations of each instance that is not configured. */
export const openElsewhere = Effect.fnUntraced(function* (
  store: PaymentStore["Service"],
  isConfigured: (id: string) => boolean
): Effect.fn.Return<ReadonlyArray<OpenOperations>, StoreUnavailable> {
  const missing = (yield* store.openProviders).filter((id) => !isConfigured(id))
  const counted = yield* Effect.forEach(missing, (id) => store.openOperations(id))
  return counted.filter(({ live, test }) => live + test > 0)
})

/** The error for operators: the open operations, and the configuration to add. */
export const openText = (open: OpenOperations): string =>
  `Provider instance "${open.provider}" is not configured, and ${countText(open)} open there. Configure it again, with retired: true if it shall take no new payments, or add { id: "${open.provider}", retired: true } to providers to start without its credentials.`

export const retiredText = (open: OpenOperations): string =>
  `Provider instance "${open.provider}" is retired without its credentials, and ${countText(open)} open there: no inquiry is possible until it is configured again`

const countText = ({ isMore, live, test }: OpenOperations): string => {
  const parts = [...(live > 0 ? [`${live} live`] : []), ...(test > 0 ? [`${test} test`] : [])]
  const count = live + test
  return `${isMore ? "at least " : ""}${parts.join(" and ")} ${count === 1 ? "operation is" : "operations are"}`
}
