/** Index of the events of an account and mode, by type and time. */
import { addIndexes } from "./addIndexes.ts"

const eventsByType = "payment_events_by_type ON payment_events (account, livemode, type, created_at, position)"

export const eventLog = addIndexes({ id: 11, name: "events by type and time" }, [eventsByType])
