/**
 * How large the body of a request may be. Each route declares its limit; the edge enforces it, before the body is read and
 * while it is read.
 */
import { Context } from "effect"

/**
 * Of one route, in bytes. `default`: that of the server. `none`: the route reads no body; one within the default is
 * ignored, since some clients send a body with every request.
 */
export type BodyLimit = "none" | "default" | number

/** In bytes. */
export interface BodyLimits {
  /** Of every route that declares no limit of its own. */
  readonly default: number
  /** Of providers' webhooks. */
  readonly webhooks: number
}

export const bodyLimitDefaults: BodyLimits = { default: 64 * 1024, webhooks: 256 * 1024 }

/** Bytes that may be read of the current request. 0 where its route declares that it reads none. */
export const CurrentBodyLimit = Context.Reference<number>("@paymux/http/BodyLimit", { defaultValue: () => 0 })
