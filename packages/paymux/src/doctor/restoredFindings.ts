/** What follows from the mark of a restored database, while it holds. */
import type { Provider } from "@paymux/core"
import { declaredBy, restoredStanding, restoredText } from "@paymux/core/engine"
import { isHolding } from "@paymux/core/store"
import type { Restoration, RestoredMark } from "@paymux/core/store"
import { iso } from "@paymux/core/wire"
import type { Finding } from "@paymux/dashboard"
import { storedRestoration } from "@paymux/sql"
import { Clock, Effect } from "effect"
import { warning } from "./Finding.ts"

export const restoredFindings = Effect.fnUntraced(function* (providers: ReadonlyArray<Provider>) {
  const restoration = yield* storedRestoration
  const { mark } = restoration
  const now = yield* Clock.currentTimeMillis
  if (!isHolding(mark, now)) return []
  return [
    warning("restored", `Marked at ${iso(mark.markedAt)}. ${restoredText(mark)}`),
    ...providers.flatMap((provider) => instanceFindings(provider, mark, restoration, now))
  ]
})

/** For the log of a server that starts. */
export const restoredWarnings = Effect.gen(function* () {
  const { mark } = yield* storedRestoration
  return isHolding(mark, yield* Clock.currentTimeMillis) ? [restoredText(mark)] : []
})

/** An instance without a finding gets its payments as always. */
const instanceFindings = (
  provider: Provider,
  mark: RestoredMark,
  { formerNamesUntil }: Restoration,
  now: number
): ReadonlyArray<Finding> => {
  const { id, retired = false } = provider
  if (retired) return []
  const standing = restoredStanding({ id, declared: declaredBy(provider)("create") }, mark, formerNamesUntil, now)
  const none = "gets no payments with an unknown idempotency key"
  switch (standing._tag) {
    case "RefusesSecond":
      return []
    case "AcceptsDoubles":
      return [warning(id, `takes payments that may be charged twice until ${iso(mark.until)}: an operator accepted it`)]
    case "ProvesAbsence":
      return now >= standing.from
        ? []
        : [warning(id, `${none} until ${iso(standing.from)}: before, "not found" does not prove that it has no charge`)]
    case "Excluded":
      return [warning(id, `${none} until ${iso(mark.until)}: a second charge is possible. ${howToAccept(id, mark)}`)]
  }
}

const howToAccept = (id: string, { acceptedDoubles, wentBackTo }: RestoredMark): string =>
  `To accept it, run paymux database restored --at ${iso(wentBackTo)} --accept-doubles ${[...acceptedDoubles, id].join(",")}`
