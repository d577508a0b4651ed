/**
 * The real engine over a real chain: three nodes in front of one anvil, a store that outlives engines, a clock that can
 * be set forward, and everything that was logged.
 */
import { assert, describe, it, layer } from "@effect/vitest"
import { Engine, Ids, Payments } from "@paymux/core"
import type { EngineOptions, PaymentRecord } from "@paymux/core"
import { NameDigest } from "@paymux/core/engine"
import { PaymentStore } from "@paymux/core/store"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { Cause, Clock, Context, Duration, Effect, Exit, Layer, Logger, Scope } from "effect"
import { createHmac } from "node:crypto"
import { evm } from "../src/index.ts"
import type { ChainOptions, EvmOptions } from "../src/index.ts"
import { chainId, noAnvil } from "./chain/anvil.ts"
import { Chain } from "./chain/Chain.ts"
import type { Token } from "./chain/Chain.ts"
import { startProxy } from "./chain/proxy.ts"
import type { Proxy } from "./chain/proxy.ts"
import { jumpingClock } from "./clock.ts"
import { xpub } from "./keys.ts"
import { fits, handleOf, until } from "./payments.ts"
import type { Asking, Handle, Shown } from "./payments.ts"

export type Store = PaymentStore["Service"]
export type TestEnvironment = Effect.Success<ReturnType<typeof openEnvironment>>
export type Running = Effect.Success<ReturnType<TestEnvironment["start"]>>

export interface Overrides {
  readonly evm?: Partial<Omit<EvmOptions, "chains">>
  readonly chain?: Partial<ChainOptions>
  readonly engine?: Partial<EngineOptions>
  /** Replaces the environment's own. */
  readonly store?: Store
  /** Derives the names of requests with a key. Default: nothing does. */
  readonly secret?: string
}

const openEnvironment = Effect.fnUntraced(function* (clock: ReturnType<typeof jumpingClock>, logs: Array<string>) {
  const chain = yield* Chain
  const node = Effect.acquireRelease(
    Effect.promise(() => startProxy(chain.url)),
    ({ close }) => Effect.promise(close)
  )
  const nodes = [yield* node, yield* node, yield* node] as const
  const usdc = yield* chain.token("USDC", 6)
  const store = MemoryStore.make()

  const provider = (overrides: Overrides = {}) =>
    evm({
      xpub,
      payWithin: "30 minutes",
      ...overrides.evm,
      chains: {
        local: {
          chainId,
          rpcUrls: [nodes[0].url, nodes[1].url, nodes[2].url],
          tokens: [tokenOf("USDC", usdc)],
          pollEvery: "40 millis",
          ...overrides.chain
        }
      }
    })

  /** An engine that can be ended at any moment. */
  const start = Effect.fnUntraced(function* (overrides: Overrides = {}) {
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const own = overrides.store ?? store
    const options = { providers: [provider(overrides)], publicUrl: "https://pay.example", drain: 0 }
    const built = yield* Layer.buildWithScope(
      Engine.layer({ ...options, reconciler: { every: 50 }, ...overrides.engine }).pipe(
        Layer.provide(
          Layer.mergeAll(Layer.succeed(PaymentStore, own), Layer.provide(Ids.layer, names(overrides.secret)))
        )
      ),
      scope
    )
    const payments = Context.get(built, Payments)
    const handle = handleOf(payments, own)
    return {
      payments,
      create: (asking: Asking = {}) => handle.create(asking),
      /** The same payment, seen by this engine. */
      again: (record: PaymentRecord) => handle.of(record),
      end: Scope.close(scope, Exit.void)
    }
  })

  return { chain, nodes, usdc, store, logs, provider, start, jump: clock.jump }
})

const names = (secret: string | undefined): Layer.Layer<never> =>
  secret === undefined
    ? Layer.empty
    : Layer.succeed(NameDigest, (text) => createHmac("sha256", secret).update(text).digest())

export const tokenOf = (asset: string, { address, decimals }: Token, currency = "USD") => ({
  asset,
  contract: address,
  decimals,
  currency
})

/**
 * Everything that stands on the chain by now has been reported: two payments that came later were seen,
 * one after the other, and the pass that saw the second began when the one that saw the first was over.
 */
export const overtaken = Effect.fnUntraced(function* ({ chain, usdc }: TestEnvironment, engine: Running) {
  for (let turn = 0; turn < 2; turn++) {
    const other = yield* engine.create()
    yield* chain.pay(usdc, other.address, 50_000_000n)
    yield* chain.finalize
    yield* other.becomes({ status: "succeeded" })
  }
})

/** The scanner has looked at the chain as it stands now, and again. */
export const looked = Effect.fnUntraced(function* ({ nodes }: TestEnvironment) {
  const looks = () => Math.max(...nodes.map(({ count }) => count("eth_getBlockByNumber") + count("eth_blockNumber")))
  const enough = looks() + 12
  yield* until(Effect.sync(() => looks() >= enough))
})

/** Time passes in steps, with a breath for what becomes due in each. */
export const timePasses = Effect.fnUntraced(function* (
  { jump }: TestEnvironment,
  total: Duration.Input,
  step: Duration.Input
) {
  for (let passed = 0; passed < Duration.toMillis(total); passed += Duration.toMillis(step)) {
    jump(Duration.toMillis(step))
    yield* breath
  }
})

/**
 * Time passes in steps until the payment shows all of this. A jump of the clock ends calls in flight, and what failed is
 * tried again later: how many steps it takes depends on the machine.
 */
export const becomesInTime = Effect.fnUntraced(function* (
  environment: TestEnvironment,
  payment: Handle,
  expected: Partial<Shown>,
  step: Duration.Input
) {
  for (let turn = 0; turn < 40 && !fits(yield* payment.seen, expected); turn++) {
    yield* timePasses(environment, step, step)
    yield* looked(environment)
  }
  yield* payment.becomes(expected)
})

const breath = Effect.promise(() => new Promise((resume) => setTimeout(resume, 30)))

type Scenario = (
  scenario: string,
  body: (environment: TestEnvironment) => Effect.Effect<void, unknown, Scope.Scope>
) => void

/** Tests over one chain, which is short. Without anvil they are skipped by name. */
export const scenarios = (name: string, define: (scenario: Scenario) => void, blocksPerEpoch?: number): void =>
  noAnvil === null ? onAnvil(name, define, blocksPerEpoch) : leftOut(name, noAnvil, define)

const leftOut = (name: string, why: string, define: (scenario: Scenario) => void): void => {
  describe.skip(`${name} (left out: ${why})`, () => {
    define((scenario) => it.skip(`${scenario} (left out)`, () => {}))
  })
}

const onAnvil = (name: string, define: (scenario: Scenario) => void, blocksPerEpoch: number | undefined): void =>
  layer(Chain.layer(blocksPerEpoch), { excludeTestServices: true })(name, (it) =>
    define((scenario, body) =>
      it.effect(scenario, () =>
        Effect.suspend(() => {
          const clock = jumpingClock()
          const logs: Array<string> = []
          const logger = Logger.make<unknown, void>(({ cause, logLevel, message }) => {
            logs.push(`${logLevel} ${String(message)} ${Cause.pretty(cause)}`)
          })
          return Effect.gen(function* () {
            const environment = yield* openEnvironment(clock, logs)
            yield* body(environment)
            noKeyIsShown(environment.nodes, logs)
          }).pipe(
            Effect.tapCause(() => Effect.sync(() => process.stderr.write(`${logs.slice(-15).join("\n")}\n`))),
            Effect.scoped,
            Effect.provide(Logger.layer([logger])),
            Effect.provideService(Clock.Clock, clock.clock)
          )
        })
      )
    )
  )

const noKeyIsShown = (nodes: ReadonlyArray<Proxy>, logs: ReadonlyArray<string>): void => {
  for (const { key } of nodes)
    assert.isFalse(
      logs.some((line) => line.includes(key)),
      "a node's key was logged"
    )
}
