/**
 * The maximum size of a request's body. Each route declares its limit; the edge enforces it before the body is read and
 * while it is read.
 */
import { Context } from "effect"

/**
 * The maximum size of a request body for one route, in bytes. `default` is the default limit of the server. `none`
 * means that the route reads no body; a body within the default limit is ignored, because some clients send a body with
 * every request.
 */
export type BodyLimit = "none" | "default" | number

/** Body limits in bytes. */
export interface BodyLimits {
  /** The limit for every route without a limit of its own. */
  readonly default: number
  /** The limit for webhooks of providers. */
  readonly webhooks: number
}

export const bodyLimitDefaults: BodyLimits = { default: 64 * 1024, webhooks: 256 * 1024 }

/** The maximum size of the current request's body, in bytes. It is 0 if the route reads no body. */
export const CurrentBodyLimit = Context.Reference<number>("@paymux/http/BodyLimit", { defaultValue: () => 0 })
