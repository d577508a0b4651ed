/** A vendor's fake as a neighbour of the server: it answers, its payers pay, and it tells by webhook. */
import { type Fake, type FakeCredentials, type HttpVendor, postWebhook } from "@paymux/testkit"
import { Effect, Scope } from "effect"

/** For as long as the process lives. */
export const startVendor = <C extends FakeCredentials>(
  fake: Fake<HttpVendor<C>>,
  webhookUrl: string,
  trouble?: string
): Promise<HttpVendor<C>> =>
  Effect.gen(function* () {
    const vendor = yield* fake.start({ mode: "test" })
    yield* Effect.forkScoped(live(vendor, webhookUrl))
    if (vendor.network === null) return vendor
    if (trouble === "silent") yield* neverAnswer(vendor.network)
    return trouble === "refuses" ? yield* vendor.network.refusing : vendor
  }).pipe(Scope.provide(Scope.makeUnsafe()), Effect.runPromise)

/** The payers act every two seconds, and the server is told of what happened. */
const live = Effect.fnUntraced(function* ({ payersAct, webhooks }: HttpVendor<FakeCredentials>, webhookUrl: string) {
  let told = 0
  while (true) {
    yield* Effect.sleep("2 seconds")
    yield* payersAct
    if (webhooks === null) continue
    const events = yield* webhooks.events
    for (const event of events.slice(told)) {
      const delivery = yield* webhooks.deliver([event])
      yield* Effect.ignore(Effect.sandbox(postWebhook(webhookUrl, delivery)))
    }
    told = events.length
  }
})

const neverAnswer = Effect.fnUntraced(function* ({ failNext }: NonNullable<HttpVendor<FakeCredentials>["network"]>) {
  for (let request = 0; request < 1_000; request++) yield* failNext({ executed: true, reply: "never" }, request)
})
