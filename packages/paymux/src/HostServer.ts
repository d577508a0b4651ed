/** The host's own server, so that one call stops it and Paymux in the right order. */
import { Effect } from "effect"

/** A server of `node:http`, `node:https` or `node:http2`. */
export interface HostServer {
  readonly close: (closed: () => void) => unknown
  readonly prependListener?: (event: "request", listener: (request: unknown, response: object) => void) => unknown
  readonly closeIdleConnections?: () => void
  readonly closeAllConnections?: () => void
}

export const isHostServer = (value: unknown): value is HostServer =>
  typeof value === "object" && value !== null && "close" in value && typeof value.close === "function"

/**
 * Accepts no new connections, and lets what was requested be answered, each connection closing with its answer. Done when
 * all connections are closed; if it is interrupted before, the others are cut off.
 */
export const stopped = (server: HostServer): Effect.Effect<void> => {
  const closed = Effect.callback<void>((resume) => {
    server.prependListener?.("request", (_request, response) => {
      if ("shouldKeepAlive" in response) response.shouldKeepAlive = false
    })
    server.close(() => resume(Effect.void))
  })
  // A response whose head left before the stop keeps its connection open.
  const closeIdle = Effect.sync(() => server.closeIdleConnections?.())
  return Effect.raceFirst(closed, Effect.forever(Effect.andThen(closeIdle, Effect.sleep("50 millis")))).pipe(
    Effect.ensuring(Effect.sync(() => server.closeAllConnections?.()))
  )
}
