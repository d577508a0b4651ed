/** The name of one request, in the header `Request-Id` of its answer, in its problem, in our logs and in the request log. */
import { Clock, Context } from "effect"

/**
 * `req_` and 32 hexadecimal digits: a UUIDv7 (RFC 9562), so that ids sort by `time` (ms UTC), and the request log needs no
 * other index to find one.
 */
export const newRequestId = (time = Clock.Clock.defaultValue().currentTimeMillisUnsafe()): string =>
  `req_${hexTime(time)}7${globalThis.crypto.randomUUID().slice(15).replaceAll("-", "")}`

/** ms UTC at which a request id was made. */
export const requestTimeOf = (id: string): number => Number.parseInt(id.slice(4, 16), 16)

/** Before every request id that is made at `time` or later. */
export const firstRequestId = (time: number): string => `req_${hexTime(time)}`

const hexTime = (time: number): string => time.toString(16).padStart(12, "0")

/** Set for every request by the edge. */
export const CurrentRequestId = Context.Reference("@paymux/http/RequestId", { defaultValue: () => newRequestId() })
