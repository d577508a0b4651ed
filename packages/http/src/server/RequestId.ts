/** The name of one request, in the header `Request-Id` of its answer, in its problem and in our logs. */
import { Context } from "effect"

/** `req_` and 32 hexadecimal digits. */
export const newRequestId = (): string => `req_${globalThis.crypto.randomUUID().replaceAll("-", "")}`

/** Set for every request by the edge. */
export const CurrentRequestId = Context.Reference("@paymux/http/RequestId", { defaultValue: newRequestId })
