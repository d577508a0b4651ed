import { Context, Layer } from "effect"

/**
 * Takes a simulated provider off the network and back, for all its payments, to see a breaker open and close. Kept in
 * memory: after a restart every provider is up.
 *
 * While down, a new payment is refused before anything is sent, and an inquiry gets no answer.
 */
export class SandboxControl extends Context.Service<
  SandboxControl,
  {
    readonly setDown: (provider: string, down: boolean) => void
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
