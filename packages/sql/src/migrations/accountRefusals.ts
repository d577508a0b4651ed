/** Attempts that a provider refused because of its account: few among many, so nothing is written to the index for the others. */
import { addIndexes } from "./addIndexes.ts"

/** The condition of the index: a query names it to use the index. */
export const isAccountRefusal = "code IN ('account_not_enabled', 'details_required')"

export const accountRefusalIndex = addIndexes({ id: 21, name: "attempts refused because of an account" }, [
  `attempts_refused_by_account ON attempts (provider, ended_at) WHERE ${isAccountRefusal}`
])
