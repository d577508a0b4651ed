/** A server of the run, in a process that may be killed at any moment: its clients and its vendors are at the other end of the channel. */
import { decodeCreatePayment, Engine, Ids, Inbox, Payments } from "@paymux/core"
import { NameDigest } from "@paymux/core/engine"
import { PaymentStore, StoreUnavailable } from "@paymux/core/store"
import { SeededRandom } from "@paymux/test-suites/simulation"
import { Context, Effect, Layer, Logger, Result, Scope } from "effect"
import { flushCompileCache } from "node:module"
import { engineDatabase } from "../../crash/Database.ts"
import { nameDigest } from "../../crash/nameDigest.ts"
import { vendorProvider } from "../vendorProvider.ts"
import { vendors } from "./Protocol.ts"
import type {
  Answered,
  Asked,
  FromServer,
  ServerSettings,
  ToServer,
  VendorAnswer,
  VendorId,
  VendorRequest
} from "./Protocol.ts"

// Boundary: the argument of our own parent.
const settings: ServerSettings = JSON.parse(process.argv[2] ?? "{}")

/** What is said before the start has ended waits: the first message is that it has. */
let early: Array<FromServer> | null = []
const send = (message: FromServer): void => {
  if (process.connected) process.send?.(message, () => undefined)
}
const say = (message: FromServer): void => {
  if (early === null) send(message)
  else early.push(message)
}

let requests = 0
const waiting = new Map<number, (outcome: VendorAnswer) => void>()

const ask = (request: VendorRequest) =>
  Effect.callback<VendorAnswer>((resume) => {
    requests += 1
    const number = requests
    waiting.set(number, (outcome) => resume(Effect.succeed(outcome)))
    say({ request: number, ask: request })
    return Effect.sync(() => void waiting.delete(number))
  })

/** A commit that stands, and whose server does not hear of it. */
const losingReplies = Layer.effect(
  PaymentStore,
  Effect.map(PaymentStore, (store) => {
    const draw = SeededRandom.stream(1, settings.seed)
    const losing = <A, E>(commit: Effect.Effect<A, E>) =>
      Effect.flatMap(commit, (result) => {
        if (!draw.chance(2)) return Effect.succeed(result)
        say({ lostReplies: 1 })
        return Effect.fail(new StoreUnavailable({ cause: new Error("The reply was lost") }))
      })
    return {
      ...store,
      begin: (commit) => losing(store.begin(commit)),
      advance: (commit) => losing(store.advance(commit))
    }
  })
)

const engine = Engine.layer({
  // Boundary: the keys of a literal.
  providers: (Object.keys(vendors) as ReadonlyArray<VendorId>).map((id) => vendorProvider(id, ask)),
  publicUrl: "http://localhost:4310",
  drain: 0,
  reconciler: { every: 200, share: 200 }
}).pipe(
  Layer.provide(Layer.provide(Ids.layer, Layer.succeed(NameDigest, nameDigest))),
  Layer.provide(losingReplies),
  Layer.provide(engineDatabase({ url: settings.database })),
  Layer.provideMerge(Logger.layer([]))
)

const context = await Effect.runPromise(Layer.buildWithScope(engine, Scope.makeUnsafe()))
const tenant = { account: "default", livemode: false } as const

const create = Effect.fnUntraced(function* ({ currency, isKeyed, order, place, replaces }: Asked) {
  const payment = yield* Effect.orDie(
    decodeCreatePayment({
      amount: 1200,
      currency,
      payment_method: "card",
      customer: { email: "asha@example.com" },
      metadata: { order, place },
      order,
      ...(replaces && { order_replaces: true })
    })
  )
  const idempotency = isKeyed ? { endpoint: "payments", key: place } : null
  const result = yield* Effect.result(
    Effect.timeout(Context.get(context, Payments).create(payment, { tenant, idempotency }), 10_000)
  )
  if (Result.isSuccess(result)) {
    const { operations, payment } = result.success.record
    return { _tag: "Begun", payment: payment.id, operation: operations[0]?.id ?? null } satisfies Answered
  }
  const { failure } = result
  if (failure._tag !== "PaymentError") return { _tag: "Failed", reason: failure._tag } satisfies Answered
  const { reason } = failure
  return reason._tag === "OrderTaken"
    ? ({ _tag: "Taken", by: reason.paymentId, isUnclosed: reason.unclosed !== null } satisfies Answered)
    : ({ _tag: "Failed", reason: reason._tag } satisfies Answered)
})

process.on("message", (message: ToServer) => {
  if ("answered" in message) {
    waiting.get(message.answered)?.(message.outcome)
    return void waiting.delete(message.answered)
  }
  if ("create" in message) {
    const { request } = message
    return void Effect.runPromiseWith(context)(create(message.create)).then((answer) =>
      say({ answered: request, answer })
    )
  }
  const { body, vendor } = message.receive
  const received = Context.get(context, Inbox).receive(vendor, new TextEncoder().encode(body), {})
  return void Effect.runPromiseWith(context)(Effect.exit(received))
})
process.on("disconnect", () => process.exit(0))

send({ ready: true })
early.forEach(send)
early = null
// The next one starts twice as fast with it.
flushCompileCache()
