/** The id of a request, in the response header `Request-Id`, in its problem, in logs and in the request log. */
import { Clock, Context } from "effect"

/**
 * `req_` and 32 hexadecimal digits: a UUIDv7 (RFC 9562), so that ids sort by `time` (ms UTC) and the request log needs
 * no other index. Ids of one millisecond sort in the order in which this process generated them.
 */
export const newRequestId = (time = Clock.Clock.defaultValue().currentTimeMillisUnsafe()): string => {
  latest.count = time === latest.time ? Math.min(latest.count + 1, MAX_COUNT) : 0
  latest.time = time
  const order = latest.count.toString(16).padStart(3, "0")
  return `${firstRequestId(time)}7${order}${globalThis.crypto.randomUUID().slice(19).replace("-", "")}`
}

/**
 * The time of the latest request id, and the number of earlier ids that this process generated in the same millisecond.
 */
const latest = { time: -1, count: 0 }

/**
 * The maximum value of `rand_a`, the 12-bit field of a UUIDv7 that holds the counter. If one millisecond has more ids,
 * their order is undefined.
 */
const MAX_COUNT = 0xfff

/** The time at which a request id was generated, ms UTC. */
export const requestTimeOf = (id: string): number => Number.parseInt(id.slice(4, 16), 16)

/** A prefix that sorts before every request id of `time` or later. */
export const firstRequestId = (time: number): string => `req_${time.toString(16).padStart(12, "0")}`

/** The id of the current request, which the edge sets for every request. */
export const CurrentRequestId = Context.Reference("@paymux/http/RequestId", { defaultValue: () => newRequestId() })
