import { decodeCreatePayment, definePromiseProvider, Engine, Outcome, Payments } from "@paymux/core"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { Effect, Layer, Schema } from "effect"

const methods = { card: { currencies: "any", flows: { hosted: {} } } } as const
const capabilities = () => ({ methods, operations: { create: { declineIsFinal: true } } })
const simulated = { options: Schema.Struct({}), mode: () => "test" as const, capabilities }
const provider = (id: string, answer: Outcome.SendOutcome) =>
  definePromiseProvider({ ...simulated, id, make: () => ({ create: async () => answer }) })({})

const pay = Effect.gen(function* () {
  const customer = { email: "asha@example.com", phone: "+919812345678" }
  const request = yield* decodeCreatePayment({ amount: 1200, currency: "EUR", payment_method: "card", customer })
  const options = { tenant: { account: "default", livemode: false }, idempotency: null }
  const { record } = yield* (yield* Payments).create(request, options)
  return [record.payment.state.status, ...record.attempts.map(({ provider, status }) => `${provider} ${status}`)]
})

const declines = Outcome.declined({ code: "do_not_honor", retry: "other_provider" })
const isDown = Outcome.notExecuted({ reason: "not_sent" })
for (const answer of [declines, isDown]) {
  const providers = [provider("first", answer), provider("second", Outcome.succeeded())]
  const engine = Engine.layerLive({ providers, publicUrl: "http://localhost:4310" })
  console.log(...(await Effect.runPromise(pay.pipe(Effect.provide(Layer.provide(engine, MemoryStore.layer))))))
}
