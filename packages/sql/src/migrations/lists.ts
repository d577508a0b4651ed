/**
 * Lists by time of creation, in the order of ids. An id begins with the time when it was made, so a period of time is a
 * range of ids. The few exceptions (a clock was set, or payments were imported) have an index of their own, which such
 * a list also scans: the list is fast where id and creation time agree, and correct where they do not.
 *
 * The text of the condition is the same for both databases, in the index and in the queries.
 */
import { firstPaymentId } from "@paymux/core/store"
import { addIndexes } from "./addIndexes.ts"

/** The tolerated difference between the time in an id and `created_at`, ms. */
const apart = 2048

/**
 * The precision of the time in the compared letters of an id, ms: the last two letters of the time are not compared.
 */
const grain = 1024

/** The part of a payment id that is compared: the length of `pay_`, and the number of the following letters. */
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

/** A text that sorts before the id of every payment in order that was created at `time` (ms UTC) or later; `null`: no text does. */
export const beforeCreatedAt = (time: number): string | null => (time - apart < grain ? null : idOf(time - apart))

/** A text that sorts after the id of every payment in order that was created before `time` (ms UTC). */
export const afterCreatedBefore = (time: number): string => idOf(Math.max(0, time + apart + grain))

/** The prefix of all ids of one period of this precision. Every id is longer. */
const idOf = (time: number): string => firstPaymentId(time).slice(0, prefix + letters)

const paymentsOutOfOrder = `payments_out_of_order ON payments (account, livemode, id, created_at) WHERE ${isOutOfOrder}`

export const lists = addIndexes({ id: 5, name: "lists by time of creation" }, [paymentsOutOfOrder])
