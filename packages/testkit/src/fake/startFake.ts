/**
 * A fake as a neighbor of a server on this machine: it answers, its payers pay after a while, and it sends webhooks. For
 * trying an adapter in a whole Paymux, from a configuration file.
 *
 * @example
 * ```ts
 * import { fakeProvider, startFake } from "@paymux/testkit"
 *
 * const fake = fakeProvider({
 *   credentials: { test: { apiKey: "acme_test_1" }, live: { apiKey: "acme_live_1" } },
 *   authenticates: () => true,
 *   declineCodes: [],
 *   routes: { "GET /v1/ping": () => ({ status: 200 }) }
 * })
 * const { close, vendor } = await startFake(fake, { webhookUrl: "http://127.0.0.1:4310/webhooks/acme" })
 * const answer = await fetch(`${vendor.url}/v1/ping`)
 * answer.status // => 200
 * await close()
 * ```
 */
import type { ProviderMode } from "@paymux/core"
import { Duration, Effect, Exit, Option, Scope } from "effect"
import type { LedgerEvent } from "./Ledger.ts"
import { postWebhook } from "./postWebhook.ts"
import type { Fake, Vendor } from "./Vendor.ts"

export interface StartFakeOptions {
  /** Whose credentials it takes; `test` by default. */
  readonly mode?: ProviderMode
  /** Where it posts each event. Without it, it sends no webhooks. */
  readonly webhookUrl?: string
  /** What the server answered to an event; `null`: nothing. Say it on the terminal, for example. */
  readonly onWebhook?: (event: LedgerEvent, status: number | null) => void
  /** How long its payers take; 2 s by default. */
  readonly payersTake?: Duration.Input
}

export interface RunningFake<V extends Vendor> {
  readonly vendor: V
  readonly close: () => Promise<void>
}

export const startFake = <V extends Vendor>(fake: Fake<V>, options: StartFakeOptions = {}): Promise<RunningFake<V>> =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const vendor = yield* Scope.provide(fake.start({ mode: options.mode ?? "test" }), scope)
    yield* Effect.forkIn(live(vendor, options), scope)
    return { vendor, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
  }).pipe(Effect.runPromise)

const live = Effect.fnUntraced(function* (
  { payersAct, webhooks }: Vendor,
  { onWebhook = () => {}, payersTake = "2 seconds", webhookUrl }: StartFakeOptions
) {
  let reported = 0
  while (true) {
    yield* unreferencedSleep(payersTake)
    yield* payersAct
    if (webhooks === null || webhookUrl === undefined) continue
    const events = (yield* webhooks.events).slice(reported)
    reported += events.length
    for (const event of events) {
      const delivery = yield* webhooks.deliver([event])
      // A server that is gone gets no more webhooks: it inquires.
      const status = yield* Effect.option(Effect.sandbox(postWebhook(webhookUrl, delivery)))
      onWebhook(event, Option.getOrNull(status))
    }
  }
})

/** Does not keep the program alive, as `Effect.sleep` would. */
const unreferencedSleep = (duration: Duration.Input): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const timer = setTimeout(() => resume(Effect.void), Duration.toMillis(Duration.fromInputUnsafe(duration))).unref()
    return Effect.sync(() => clearTimeout(timer))
  })
