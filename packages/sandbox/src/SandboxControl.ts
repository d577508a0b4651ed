import { Context, Layer } from "effect"

/**
 * Simulates an outage of a provider for all its payments, for example to watch a circuit breaker open and close.
 * Outages are in memory: after a restart every provider is up.
 *
 * During an outage the connection of a new payment is refused, and an inquiry gets no response.
 */
export class SandboxControl extends Context.Service<
  SandboxControl,
  {
    readonly setDown: (provider: string, isDown: boolean) => void
    readonly isDown: (provider: string) => boolean
  }
>()("@paymux/sandbox/SandboxControl") {
  static readonly layer: Layer.Layer<SandboxControl> = Layer.sync(SandboxControl, () => {
    const down = new Set<string>()
    return SandboxControl.of({
      setDown: (provider, isDown) => void (isDown ? down.add(provider) : down.delete(provider)),
      isDown: (provider) => down.has(provider)
    })
  })
}
