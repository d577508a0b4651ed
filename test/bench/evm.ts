/**
 * `pnpm bench evm`: what one look at a chain costs with 100 and with 10,000 open payments, side by side, on a
 * real chain behind three nodes. Ends with 1 where 10,000 cost more than three times as much as 100, or more questions.
 *
 * - `--rounds <n>`: how many are measured. Default: 9.
 * - `--out <file>`: where the figures go as JSON. Default: nowhere.
 *
 * Each look is at one new block, with ten transfers of the token in it: to strangers, or to open payments.
 */
import type {
  CurrencyCode,
  IdempotencyKey,
  OperationId,
  PaymentId,
  ProviderContext,
  ProviderOperation
} from "@paymux/core"
import { MemoryStore } from "@paymux/core/store"
import { Clock, Duration, Effect, Exit, Logger, Scope } from "effect"
import { writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { evm } from "../../packages/adapters/evm/src/index.ts"
import { chainId } from "../../packages/adapters/evm/test/chain/anvil.ts"
import { account, Chain } from "../../packages/adapters/evm/test/chain/Chain.ts"
import type { Token } from "../../packages/adapters/evm/test/chain/Chain.ts"
import { startProxy } from "../../packages/adapters/evm/test/chain/proxy.ts"
import { xpub } from "../../packages/adapters/evm/test/keys.ts"
import { interleave, measure, median, ratioOf } from "./Rounds.ts"
import type { Slice } from "./Rounds.ts"

type ChainService = Chain["Service"]
type Address = ReturnType<typeof account>["address"]

const few = 100
const many = 10_000
const transfers = 10
/** An odd time, to be distinguished from the other times that are slept. */
const pollEvery = 7_777
const bounds = { atMost: 3 } as const

interface Look extends Slice {
  /** Questions to the three nodes, by method. */
  readonly questions: { readonly [method: string]: number }
  readonly stateReads: number
  readonly stateWrites: number
  readonly reported: number
}

/** A clock by which the pause between two passes ends on request. */
const gatedClock = () => {
  let resume: (() => void) | null = null
  let paused: (() => void) | null = null
  const millis = () => Date.now()
  const nanos = () => BigInt(Date.now()) * 1_000_000n
  const monotonic = () => process.hrtime.bigint()
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: monotonic,
    monotonicTimeNanos: Effect.sync(monotonic),
    sleep: (duration) =>
      Effect.callback((wake) => {
        const ms = Duration.toMillis(duration)
        if (ms !== pollEvery) {
          const timer = setTimeout(() => wake(Effect.void), ms)
          return Effect.sync(() => clearTimeout(timer))
        }
        resume = () => wake(Effect.void)
        paused?.()
      })
  }
  return {
    clock,
    /** One look, from pause to pause. */
    look: () =>
      new Promise<void>((done) => {
        paused = done
        resume?.()
      })
  }
}

/** An instance with so many open payments, whose scanner runs on request. */
const open = Effect.fnUntraced(function* (chain: ChainService, usdc: Token, payments: number) {
  const nodes = yield* Effect.forEach([1, 2, 3], () =>
    Effect.acquireRelease(
      Effect.promise(() => startProxy(chain.url)),
      ({ close }) => Effect.promise(close)
    )
  )
  const { providerState } = MemoryStore.make()
  const counts = { reads: 0, writes: 0, reported: 0 }
  const context: ProviderContext = {
    id: "evm",
    publicUrl: "https://pay.example",
    checkpoint: () => Effect.void,
    emit: () =>
      Effect.sync(() => {
        counts.reported++
      }),
    state: {
      get: (key) =>
        Effect.suspend(() => {
          counts.reads++
          return Effect.orDie(providerState.get("evm", key))
        }),
      compareAndSet: (key, expected, value) =>
        Effect.suspend(() => {
          counts.writes++
          return Effect.orDie(providerState.compareAndSet("evm", key, expected, value, null))
        }),
      next: (counter) => Effect.orDie(providerState.next("evm", counter))
    }
  }
  const [first, ...others] = nodes.map(({ url }) => url)
  if (first === undefined) return yield* Effect.die(new Error("There are three nodes"))
  const tokens = [{ asset: "USDC", contract: usdc.address, decimals: usdc.decimals, currency: "USD" }] as const
  const provider = evm({
    xpub,
    chains: { local: { chainId, rpcUrls: [first, ...others], tokens, pollEvery } }
  })
  const operations = yield* provider.make(context)
  const { run } = operations
  if (run === undefined) return yield* Effect.die(new Error("It has a scanner"))
  const addresses: Array<Address> = []
  for (let index = 0; index < payments; index++) {
    const outcome = yield* Effect.orDie(operations.create(operationOf(index)))
    if (outcome._tag !== "Pending" || outcome.nextAction?.type !== "stablecoin_transfer") {
      return yield* Effect.die(new Error(`A payment began as ${outcome._tag}`))
    }
    // Boundary: the adapter writes an address with 0x.
    addresses.push(outcome.nextAction.address as Address)
  }
  const gate = gatedClock()
  const begun = gate.look()
  yield* Effect.forkScoped(Effect.provideService(run, Clock.Clock, gate.clock))
  yield* Effect.promise(() => begun)

  /** One new block, and one look at it. */
  const look = async (recipients: ReadonlyArray<Address>): Promise<Look> => {
    for (const recipient of recipients) await Effect.runPromise(chain.transfer(usdc, recipient, 1_000_000n))
    await Effect.runPromise(chain.mine())
    for (const node of nodes) node.forget()
    Object.assign(counts, { reads: 0, writes: 0, reported: 0 })
    const slice = await measure(1, gate.look)
    const asked = nodes.flatMap((node) => node.asked.map(({ method }) => method))
    const questions = Object.fromEntries(
      [...new Set(asked)].map((method) => [method, asked.filter((each) => each === method).length])
    )
    return { ...slice, questions, stateReads: counts.reads, stateWrites: counts.writes, reported: counts.reported }
  }
  let next = 0
  return {
    settle: gate.look,
    toStrangers: () => look(Array.from({ length: transfers }, (_, index) => account(10 + index).address)),
    toPayments: () => look(Array.from({ length: transfers }, () => addresses[next++ % addresses.length] ?? foreign))
  }
})

const foreign: Address = account(0).address

const operationOf = (index: number): ProviderOperation => ({
  // Boundary: ids and a currency as the engine makes them.
  id: `op_${index}` as OperationId,
  paymentId: `pay_${index}` as PaymentId,
  key: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}` as IdempotencyKey,
  kind: "create",
  amount: { minorUnits: 5_000, currency: "USD" as CurrencyCode },
  reference: null,
  original: null,
  reason: null,
  method: { rail: "stablecoin", asset: "USDC", network: "local" },
  captureMethod: "automatic",
  customer: { email: "asha@example.com", phone: "+919812345678", name: null, address: null },
  client: null,
  description: null,
  metadata: {},
  returnUrl: null,
  deadlineAt: Number.MAX_SAFE_INTEGER,
  createdAt: Date.now()
})

const total = (questions: Look["questions"]): number => Object.values(questions).reduce((sum, each) => sum + each, 0)

const { values: options } = parseArgs({
  options: { rounds: { type: "string", default: "9" }, out: { type: "string" } }
})
const scope = Effect.runSync(Scope.make())
const inScope = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) =>
  Effect.runPromise(Effect.provide(Scope.provide(effect, scope), Logger.layer([])))
try {
  const cases = await inScope(
    Effect.gen(function* () {
      const chain = yield* Chain.make()
      const usdc = yield* chain.token("USDC", 6)
      return { small: yield* open(chain, usdc, few), large: yield* open(chain, usdc, many), chain }
    })
  )
  const { large, small } = cases
  const kinds = [
    { kind: "to strangers", small: small.toStrangers, large: large.toStrangers },
    { kind: "to open payments", small: small.toPayments, large: large.toPayments }
  ]
  const results = []
  for (const { kind, large: ofMany, small: ofFew } of kinds) {
    const contenders = [
      // What the other's blocks brought is looked at before, and not measured.
      { name: `${few} open`, run: async () => (await small.settle(), ofFew()) },
      { name: `${many} open`, run: async () => (await large.settle(), ofMany()) }
    ]
    const measured = await interleave(contenders, { rounds: Number(options.rounds), warmUps: 2, progress: () => {} })
    const [one, other] = measured
    if (one === undefined || other === undefined) throw new Error("Two were measured")
    const ratio = ratioOf(one, other)
    console.log(`\nA block with ${transfers} transfers ${kind}\n`)
    for (const { name, slices } of measured) {
      const of = (value: (look: Look) => number) => median(slices.map(value))
      console.log(
        `${name.padStart(12)}: ${of(({ wall }) => wall).toFixed(1)} ms, ${(of(({ cpu }) => cpu) / 1000).toFixed(1)} ms CPU, ` +
          `${of(({ questions }) => total(questions))} questions ${JSON.stringify(slices.at(-1)?.questions)}, ` +
          `${of(({ stateReads }) => stateReads)} state reads, ${of(({ stateWrites }) => stateWrites)} writes, ` +
          `${of(({ reported }) => reported)} reported`
      )
    }
    const [asked, askedOfMany] = measured.map(({ slices }) => median(slices.map(({ questions }) => total(questions))))
    const met = ratio.median <= bounds.atMost && (askedOfMany ?? 0) <= (asked ?? 0)
    console.log(
      `${many} cost ${ratio.median.toFixed(2)} times as much as ${few} (${ratio.lowest.toFixed(2)} to ${ratio.highest.toFixed(2)}), ` +
        `at most ${bounds.atMost}; questions ${askedOfMany} and ${asked}: ${met ? "met" : "NOT MET"}`
    )
    results.push({ kind, measured, ratio, questions: { few: asked, many: askedOfMany }, met })
  }
  if (options.out !== undefined) writeFileSync(options.out, `${JSON.stringify(results, null, 2)}\n`)
  if (results.some(({ met }) => !met)) process.exitCode = 1
} finally {
  await Effect.runPromise(Scope.close(scope, Exit.void))
}
