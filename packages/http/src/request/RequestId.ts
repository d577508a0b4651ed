/** The name of one request, in the header `Request-Id` of its answer, in its problem, in our logs and in the request log. */
import { Clock, Context } from "effect"

/**
 * `req_` and 32 hexadecimal digits: a UUIDv7 (RFC 9562), so that ids sort by `time` (ms UTC), and the request log needs no
 * other index to find one. Those of one millisecond sort in the order in which this process made them.
 */
export const newRequestId = (time = Clock.Clock.defaultValue().currentTimeMillisUnsafe()): string => {
  latest.made = time === latest.time ? Math.min(latest.made + 1, MOST_OF_ONE_TIME) : 0
  latest.time = time
  const order = latest.made.toString(16).padStart(3, "0")
  return `${firstRequestId(time)}7${order}${globalThis.crypto.randomUUID().slice(19).replace("-", "")}`
}

/** The time of the latest id, and how many ids this process had made of that time. */
const latest = { time: -1, made: 0 }

/** The 12 bits of `rand_a`. More ids of one time than that have no order. */
const MOST_OF_ONE_TIME = 0xfff

/** ms UTC at which a request id was made. */
export const requestTimeOf = (id: string): number => Number.parseInt(id.slice(4, 16), 16)

/** Before every request id that is made at `time` or later. */
export const firstRequestId = (time: number): string => `req_${time.toString(16).padStart(12, "0")}`

/** Set for every request by the edge. */
export const CurrentRequestId = Context.Reference("@paymux/http/RequestId", { defaultValue: () => newRequestId() })
