/**
 * Index for lists of payments by creation time, in the order of ids. An id begins with the time when it was generated,
 * so a period of time is a range of ids. For a few payments this time differs from the creation time, because a clock
 * was set or the payments were imported. They have an index of their own, which a list by time also scans. So a list is
 * complete, and fast for all other payments.
 *
 * The text of the condition is the same for both databases, in the index and in the queries.
 */
import { firstPaymentId } from "@paymux/core/store"
import { addIndexes } from "./addIndexes.ts"

/** The tolerated difference between the time in an id and `created_at`, ms. */
const apart = 2048

/** The precision, in ms, with which the time in an id is compared: its last two letters are left out. */
const grain = 1024

/**
 * The lengths of the compared part of a payment id: of the prefix `pay_`, and of the following `letters` of the time.
 */
const prefix = "pay_".length
const letters = 8

const lettersOf = (time: string): string =>
  Array.from({ length: letters }, (_, place) => {
    const bits = 10 + 5 * (letters - 1 - place)
    return `substr('0123456789abcdefghjkmnpqrstvwxyz', CAST(((${time}) >> ${bits}) & 31 AS integer) + 1, 1)`
  }).join(" || ")

const time = `substr(id, ${prefix + 1}, ${letters})`

/**
 * The condition of the index: a query names it to use the index. For nearly every payment, the first part of the condition makes
 * the second unnecessary.
 */
export const isOutOfOrder = `${time} <> ${lettersOf("created_at")}
  AND ${time} NOT BETWEEN ${lettersOf(`created_at - ${apart}`)} AND ${lettersOf(`created_at + ${apart}`)}`

/**
 * A lower bound for ids: it sorts before the id of every payment created at `time` (ms UTC) or later, except payments
 * whose id does not agree with the creation time. `null`: no text sorts before them.
 */
export const beforeCreatedAt = (time: number): string | null => (time - apart < grain ? null : idOf(time - apart))

/**
 * An upper bound for ids: it sorts after the id of every payment created before `time` (ms UTC), with the same
 * exception.
 */
export const afterCreatedBefore = (time: number): string => idOf(Math.max(0, time + apart + grain))

/** The beginning that all ids of the same `grain` ms share. Every id is longer. */
const idOf = (time: number): string => firstPaymentId(time).slice(0, prefix + letters)

const paymentsOutOfOrder = `payments_out_of_order ON payments (account, livemode, id, created_at) WHERE ${isOutOfOrder}`

export const lists = addIndexes({ id: 5, name: "lists by time of creation" }, [paymentsOutOfOrder])
