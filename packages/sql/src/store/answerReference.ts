/**
 * The stored response of an idempotency key: as text, or as a reference to an event of the same payment whose body has
 * the same bytes. The reference is the sequence number of the event, so the bytes are stored once. Only an erasure
 * rewrites events, and it removes the references too. An operator may delete old events: a key whose event was deleted
 * counts as one without a response.
 */
import type { AdvanceCommit } from "@paymux/core/store"

/** The columns that have the stored response; at most one of them is not NULL. */
export const answerColumns = ["answer", "answer_event"] as const
export type AnswerColumn = (typeof answerColumns)[number]

/** The SQL expression for the bytes of the stored response. `key`: the name of the table or its alias. */
export const storedAnswer = (key = "idempotency_keys"): string =>
  `coalesce(${key}.answer, (SELECT of_answer.payment FROM payment_events AS of_answer
    WHERE of_answer.payment_id = ${key}.payment_id AND of_answer.sequence = ${key}.answer_event))`

/** The sequence number of the commit's event with the bytes of the commit's response; `null`: no event has them. */
export const eventOfAnswer = ({ answer, events }: Pick<AdvanceCommit, "answer" | "events">): number | null =>
  events.find(({ payment }) => payment === answer?.body)?.sequence ?? null
