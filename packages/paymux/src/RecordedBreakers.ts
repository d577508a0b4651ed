/** The circuit breakers of this process, recorded beside those of all others. */
import { ProviderRegistry } from "@paymux/core/engine"
import { BreakerLog } from "@paymux/sql"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"

/** `keepFor`: ms for which transitions are kept; `null`: for good. */
export const layer = (keepFor: number | null) =>
  Layer.unwrap(
    Effect.map(ProviderRegistry, ({ providers }) => {
      const live = new Set(providers.filter(({ mode }) => mode === "live").map(({ id }) => id))
      return BreakerLog.recordingLayer({
        process: randomUUID(),
        host: hostname(),
        pid: process.pid,
        isLive: (provider) => live.has(provider),
        keepFor
      })
    })
  )
