/** An index of ended attempts by time, from which routing computes success rates. */
import { addIndexes } from "./addIndexes.ts"

// An attempt ends once, so its commit adds one entry; while an attempt is open, it has no entry.
const attemptsEnded = "attempts_ended ON attempts (ended_at) WHERE ended_at IS NOT NULL"

export const routing = addIndexes({ id: 3, name: "attempts by their end" }, [attemptsEnded])
