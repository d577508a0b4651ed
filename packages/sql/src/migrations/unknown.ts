/**
 * Attempts with an unknown outcome, to be counted while a server runs. Few among many: nothing is written to the
 * index when an attempt ends.
 */
import { addIndexes } from "./addIndexes.ts"

const attemptsUnknown = "attempts_unknown ON attempts (started_at) WHERE status = 'unknown'"

export const unknown = addIndexes({ id: 7, name: "attempts that are unknown" }, [attemptsUnknown])
