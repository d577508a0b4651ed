/**
 * When an outcome that is not known yet is asked for again. Delays are ms after the send, then after each inquiry.
 *
 * UPI: the network asks for at most three status checks in two hours where an inquiry causes one (`costly`); an
 * aggregator's own order may be asked more often. Cards: issuers settle late authorisations within days.
 */
import type { Rail } from "./PaymentMethod.ts"

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const times = (count: number, delay: number): ReadonlyArray<number> => Array.from({ length: count }, () => delay)

const schedules: { readonly [rail in Rail]: ReadonlyArray<number> } = {
  upi: [10 * SECOND, 20 * SECOND, 40 * SECOND, 90 * SECOND, 3 * MINUTE, 10 * MINUTE, 30 * MINUTE, ...times(71, HOUR)],
  card: [MINUTE, ...times(5, 5 * MINUTE), HOUR, ...times(5, DAY)],
  stablecoin: [...times(40, 15 * SECOND), ...times(60, MINUTE), ...times(71, HOUR)]
}

const costlySchedule: ReadonlyArray<number> = [90 * SECOND, 10 * MINUTE, 110 * MINUTE]

/** Delay in ms before inquiry number `checks + 1`, or `null` when they are exhausted. */
export const nextInquiryDelay = (rail: Rail, costly: boolean, checks: number): number | null =>
  (costly ? costlySchedule : schedules[rail])[checks] ?? null
