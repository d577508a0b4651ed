/**
 * Indexes of data that may be deleted: stored answers by payment, for erasure and retention; and applied events of providers, by
 * time of receipt. Neither index holds deleted data.
 */
import { addIndexes } from "./addIndexes.ts"

// Payment ids begin with their creation time, so a range of ids is a period of time.
const answersKept = "answers_kept ON idempotency_keys (payment_id, created_at) WHERE answer IS NOT NULL"

/**
 * The text that replaces deleted evidence. If the provider repeats the report, the evidence of the repeated report is
 * used; all other readers treat this text as unreadable.
 */
export const forgotten = ""

/** The condition of the index: a query names it to use the index. */
export const isRemembered = `status = 'applied' AND evidence <> '${forgotten}'`

const inboxApplied = `provider_inbox_applied ON provider_inbox (received_at) WHERE ${isRemembered}`

export const forgetting = addIndexes({ id: 6, name: "what is kept for a time" }, [answersKept, inboxApplied])
