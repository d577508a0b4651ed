/**
 * Index of attempts with an unknown outcome, to count them while a server runs. They are few among many: nothing is written to
 * the index when another attempt ends.
 */
import { addIndexes } from "./addIndexes.ts"

const attemptsUnknown = "attempts_unknown ON attempts (started_at) WHERE status = 'unknown'"

export const unknown = addIndexes({ id: 7, name: "attempts that are unknown" }, [attemptsUnknown])
