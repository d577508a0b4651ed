/**
 * The official SDK as a second opinion: it and the adapter are given the same to do, and what each sends over loopback is
 * compared; each one's signature is put to the other. The SDK's types are the oracle of every field that is sent.
 */
import { assert, describe, it } from "@effect/vitest"
import { isWebhookRefused, Outcome, type ProviderOperation } from "@paymux/core"
import type { SeenRequest } from "@paymux/testkit"
import { Effect } from "effect"
import { Stripe } from "stripe"
import { stripe } from "../src/index.ts"
import { cards, fake, posted } from "../src/testing/fake.ts"
import { card, createOperation, laterOperation, money, resident, running } from "./operations.ts"
import { optionsOf } from "../src/testing/options.ts"
import qs from "qs"

const sdkAt = (url: string, secretKey: string) => {
  const { hostname, port } = new URL(url)
  return new Stripe(secretKey, { host: hostname, port: Number(port), protocol: "http", maxNetworkRetries: 0 })
}

/** A fake for each, so that both find the same. */
const both = Effect.gen(function* () {
  const mine = yield* fake.start({ mode: "test" })
  const theirs = yield* fake.start({ mode: "test" })
  const instance = yield* running(stripe(optionsOf(mine)))
  return {
    mine,
    theirs,
    adapter: mine.network.requests,
    oracle: theirs.network.requests,
    instance,
    sdk: sdkAt(theirs.url, theirs.credentials.secretKey)
  }
})

/** What both have to agree on: forms by what they say, whatever the order. */
const essence = ({ body, headers, method, path }: SeenRequest) => {
  const [place = "", query = ""] = path.split("?")
  return {
    method,
    path: place,
    query: qs.parse(query, { depth: 10 }),
    form: qs.parse(body, { depth: 10 }),
    ...Object.fromEntries(["authorization", "stripe-version"].map((name) => [name, headers[name] ?? null])),
    // The SDK makes keys of its own where it is given none.
    key: method === "POST" ? headers["idempotency-key"] : null,
    type: body === "" ? null : headers["content-type"]?.split(";")[0]
  }
}

const metadataOf = ({ id }: ProviderOperation, flow: "token" | "page") => ({
  order: "1001",
  paymux_operation: id,
  paymux_flow: flow
})

const intentParams = (operation: ProviderOperation): Stripe.PaymentIntentCreateParams => ({
  amount: 17_050,
  currency: "eur",
  allowed_payment_method_types: ["card"],
  capture_method: operation.captureMethod,
  confirm: true,
  description: "Two tickets",
  metadata: metadataOf(operation, "token")
})

const shipping = {
  name: "Asha Rao",
  address: { line1: "510 Townsend Street", city: "San Francisco", postal_code: "94103", country: "US" }
}

describe("the SDK stripe 23.1.0", () => {
  it.live("sends the same as the adapter: a charge, its inquiry, a refund and its inquiries", () =>
    Effect.gen(function* () {
      const { adapter, instance, oracle, sdk } = yield* both
      const create = yield* createOperation({ customer: resident })
      const { reference } = yield* instance.create(create)
      yield* instance.inquire({ ...create, reference: reference ?? null })
      const refund = yield* laterOperation("refund", create, reference, { amount: money(1_005, "EUR") })
      const given = yield* instance.refund(refund)
      yield* instance.inquire({ ...refund, reference: given.reference ?? null })
      const found = yield* instance.inquire(refund)
      assert.strictEqual(found.reference, given.reference)

      yield* Effect.promise(async () => {
        const intent = await sdk.paymentIntents.create(
          { ...intentParams(create), payment_method: "pm_card_visa", return_url: create.returnUrl ?? "", shipping },
          { idempotencyKey: create.key }
        )
        await sdk.paymentIntents.retrieve(intent.id)
        const made = await sdk.refunds.create(
          {
            payment_intent: intent.id,
            amount: 1_005,
            metadata: { paymux_operation: refund.id, paymux_reason: "Returned" }
          },
          { idempotencyKey: refund.key }
        )
        await sdk.refunds.retrieve(made.id)
        await sdk.refunds.list({ payment_intent: intent.id, limit: 100 })
      })
      assert.lengthOf(yield* adapter, 5)
      assert.deepStrictEqual((yield* adapter).map(essence), (yield* oracle).map(essence))
      assert.isTrue((yield* oracle).every(({ status }) => status === 200))
    }).pipe(Effect.scoped)
  )

  it.live("sends the same as the adapter: a hold captured in part, one released, and cards given in other ways", () =>
    Effect.gen(function* () {
      const { adapter, instance, oracle, sdk } = yield* both
      const held = yield* createOperation({ captureMethod: "manual", method: card("ctoken_1Nq"), returnUrl: null })
      const first = yield* instance.create(held)
      const capture = yield* laterOperation("capture", held, first.reference, { amount: money(10_000, "EUR") })
      yield* instance.capture(capture)
      const kept = card({ payment_method: "pm_card_visa", customer: "cus_9s6XKzkNRiz8i3" })
      const released = yield* createOperation({ captureMethod: "manual", method: kept })
      const second = yield* instance.create(released)
      const cancel = yield* laterOperation("cancel", released, second.reference)
      yield* instance.cancel(cancel)

      yield* Effect.promise(async () => {
        const one = await sdk.paymentIntents.create(
          {
            ...intentParams(held),
            confirmation_token: "ctoken_1Nq",
            error_on_requires_action: true,
            automatic_payment_methods: { enabled: true, allow_redirects: "never" }
          },
          { idempotencyKey: held.key }
        )
        await sdk.paymentIntents.capture(one.id, { amount_to_capture: 10_000 }, { idempotencyKey: capture.key })
        const other = await sdk.paymentIntents.create(
          {
            ...intentParams(released),
            payment_method: "pm_card_visa",
            customer: "cus_9s6XKzkNRiz8i3",
            return_url: released.returnUrl ?? ""
          },
          { idempotencyKey: released.key }
        )
        await sdk.paymentIntents.cancel(other.id, {}, { idempotencyKey: cancel.key })
      })
      assert.lengthOf(yield* adapter, 4)
      assert.deepStrictEqual((yield* adapter).map(essence), (yield* oracle).map(essence))
      assert.isTrue((yield* oracle).every(({ status }) => status === 200))
    }).pipe(Effect.scoped)
  )

  it.live("sends the same as the adapter: the page of an account in India, its inquiry, and its end", () =>
    Effect.gen(function* () {
      const { adapter, mine, oracle, sdk } = yield* both
      const instance = yield* running(stripe({ ...optionsOf(mine), country: "IN" }))
      const create = yield* createOperation({ method: card(null), customer: resident })
      const { reference } = yield* instance.create(create)
      yield* instance.inquire({ ...create, reference: reference ?? null })
      const cancel = yield* laterOperation("cancel", create, reference)
      assert.strictEqual((yield* instance.cancel(cancel))._tag, "Succeeded")

      yield* Effect.promise(async () => {
        const session = await sdk.checkout.sessions.create(
          {
            mode: "payment",
            allowed_payment_method_types: ["card"],
            adaptive_pricing: { enabled: false },
            line_items: [
              {
                quantity: 1,
                price_data: { currency: "eur", unit_amount: 17_050, product_data: { name: "Two tickets" } }
              }
            ],
            payment_intent_data: {
              capture_method: "automatic",
              description: "Two tickets",
              metadata: metadataOf(create, "page"),
              shipping
            },
            billing_address_collection: "required",
            client_reference_id: create.id,
            customer_email: "asha@example.com",
            metadata: metadataOf(create, "page"),
            expires_at: Math.floor(create.createdAt / 1000) + 3_600,
            success_url: create.returnUrl ?? "",
            cancel_url: create.returnUrl ?? ""
          },
          { idempotencyKey: create.key }
        )
        const expand = { expand: ["payment_intent"] }
        await sdk.checkout.sessions.retrieve(session.id, expand)
        await sdk.checkout.sessions.retrieve(session.id, expand)
        await sdk.checkout.sessions.expire(session.id, {}, { idempotencyKey: cancel.key })
      })
      assert.lengthOf(yield* adapter, 4)
      assert.deepStrictEqual((yield* adapter).map(essence), (yield* oracle).map(essence))
      assert.isTrue((yield* oracle).every(({ status }) => status === 200))
    }).pipe(Effect.scoped)
  )

  it.live("sends the same as the adapter, to look for what no answer came of", () =>
    Effect.gen(function* () {
      const { adapter, instance, oracle, sdk } = yield* both
      const charge = yield* createOperation()
      const page = yield* createOperation({ method: card(null) })
      // It may have been sent before its commit was lost.
      const derived = yield* createOperation({ id: "op_40123456789abcdefghijklmno" as ProviderOperation["id"] })
      for (const operation of [charge, page, derived])
        assert.strictEqual((yield* instance.inquire(operation))._tag, "NotFound")
      const timesOf = ({ createdAt, deadlineAt }: ProviderOperation, before = 60) => {
        const bounds = { gte: Math.floor(createdAt / 1000) - before, lte: Math.ceil(deadlineAt / 1000) + 60 }
        return { created: bounds, limit: 100 }
      }
      yield* Effect.promise(async () => {
        await sdk.paymentIntents.list(timesOf(charge))
        await sdk.checkout.sessions.list(timesOf(page))
        await sdk.paymentIntents.list(timesOf(derived, 24 * 60 * 60))
      })
      assert.deepStrictEqual((yield* adapter).map(essence), (yield* oracle).map(essence))
    }).pipe(Effect.scoped)
  )

  it.live("sends the same as the adapter, to read the statement, and sees the same in it", () =>
    Effect.gen(function* () {
      const { adapter, instance, mine, oracle, sdk, theirs } = yield* both
      const since = Date.UTC(2026, 9, 1, 0, 0, 0, 1)
      const until = Date.UTC(2026, 9, 2)
      for (const { ledger } of [mine, theirs]) {
        for (let index = 0; index < 101; index++) {
          ledger.book({ type: "charge", amount: { minorUnits: 1_000 + index, currency: "EUR" }, bookedAt: since + 999 })
        }
      }
      const first = yield* instance.statement({ since, until, cursor: null })
      const second = yield* instance.statement({ since, until, cursor: first.next })
      const created = { gte: Date.UTC(2026, 9, 1) / 1000 + 1, lt: until / 1000 }
      const params: Stripe.BalanceTransactionListParams = { created, limit: 100, expand: ["data.source"] }
      const read = yield* Effect.promise(async () => {
        const { data, has_more } = await sdk.balanceTransactions.list(params)
        const rest = await sdk.balanceTransactions.list({ ...params, starting_after: data.at(-1)?.id ?? "" })
        return { all: [...data, ...rest.data], hasMore: [has_more, rest.has_more] }
      })
      assert.deepStrictEqual((yield* adapter).map(essence), (yield* oracle).map(essence))
      assert.deepStrictEqual(read.hasMore, [true, false])
      assert.isNull(second.next)
      assert.deepStrictEqual(
        [...first.movements, ...second.movements].map(({ amount, bookedAt, fee, id, net }) => [
          id,
          amount.minorUnits,
          fee?.minorUnits,
          net?.minorUnits,
          bookedAt / 1000
        ]),
        read.all.map(({ amount, created, fee, id, net }) => [id, amount, fee, net, created])
      )
    }).pipe(Effect.scoped)
  )

  it.live("sees in a decline and in a 3-D Secure step what the adapter sees", () =>
    Effect.gen(function* () {
      const { instance, mine, sdk, theirs } = yield* both
      yield* mine.decide({ decline: "stolen_card" })
      yield* theirs.decide({ decline: "stolen_card" })
      const create = yield* createOperation()
      const answer = yield* instance.create(create)
      const params = { ...intentParams(create), return_url: create.returnUrl ?? "" }
      const error = yield* Effect.promise(() =>
        sdk.paymentIntents.create({ ...params, payment_method: "pm_card_visa" }).then(
          () => null,
          (thrown: unknown) => thrown
        )
      )
      if (!(error instanceof Stripe.errors.StripeCardError)) return assert.fail("the SDK sees a declined card")
      assert.strictEqual(error.decline_code, "stolen_card")
      const reference = error.payment_intent?.id ?? ""
      const seen = Outcome.declined({ code: "lost_or_stolen", retry: "never", reference, vendorCode: "stolen_card" })
      assert.deepStrictEqual(answer, seen)

      const asked = yield* instance.create(yield* createOperation({ method: card(cards.redirect) }))
      const intent = yield* Effect.promise(() =>
        sdk.paymentIntents.create({ ...params, payment_method: cards.redirect })
      )
      assert.strictEqual(intent.status, "requires_action")
      assert.deepStrictEqual(
        asked._tag === "Pending" && asked.nextAction?.type === "redirect" ? asked.nextAction.url : null,
        intent.next_action?.redirect_to_url?.url
      )
    }).pipe(Effect.scoped)
  )

  it.live("takes the signatures of the fake's webhooks, and refuses what the adapter refuses", () =>
    Effect.gen(function* () {
      const { instance, mine, sdk } = yield* both
      yield* instance.create(yield* createOperation())
      const { webhooks } = mine
      if (webhooks === null) return assert.fail("Stripe sends webhooks")
      const { body, headers } = yield* webhooks.deliver(yield* webhooks.events)
      const signature = headers["stripe-signature"] ?? ""
      const text = Buffer.from(body).toString("utf8")
      const { webhookSecret } = mine.credentials
      assert.strictEqual(sdk.webhooks.constructEvent(text, signature, webhookSecret).type, "payment_intent.succeeded")
      assert.lengthOf(yield* instance.webhook(body, headers, Date.now()), 1)

      const changed = text.replace("17050", "27050")
      assert.throws(() => sdk.webhooks.constructEvent(changed, signature, webhookSecret))
      const refused = yield* Effect.flip(instance.webhook(new TextEncoder().encode(changed), headers, Date.now()))
      assert.isTrue(isWebhookRefused(refused))
    }).pipe(Effect.scoped)
  )

  it.live("signs as the adapter wants it: several v1 while a secret is rolled, and 300 s", () =>
    Effect.gen(function* () {
      const { instance, mine, sdk } = yield* both
      const { webhookSecret } = mine.credentials
      const event = { id: "evt_1", created: Date.now(), type: "payment_intent.created", object: {} }
      const { body } = posted(event, Date.now(), mine.credentials)
      const payload = Buffer.from(body).toString("utf8")
      const now = Math.floor(Date.now() / 1000)
      const signed = (timestamp: number, secret: string) =>
        sdk.webhooks.generateTestHeaderString({ payload, timestamp, secret })
      const receive = (header: string) => instance.webhook(body, { "stripe-signature": header }, Date.now())

      assert.deepStrictEqual(yield* receive(signed(now, webhookSecret)), [])
      const [, other = ""] = signed(now, "whsec_old").split(",")
      assert.deepStrictEqual(yield* receive(`t=${now},${other},${signed(now, webhookSecret).split(",")[1]}`), [])
      assert.deepStrictEqual(yield* receive(`${signed(now, webhookSecret)},v0=6ffbb59b`), [])
      assert.strictEqual((yield* Effect.flip(receive(`t=${now},${other}`))).reason, "bad_signature")
      assert.strictEqual((yield* Effect.flip(receive(signed(now - 301, webhookSecret)))).reason, "stale")
      const onlyOld = signed(now, webhookSecret).replace("v1=", "v0=")
      assert.strictEqual((yield* Effect.flip(receive(onlyOld))).reason, "missing_signature")
    }).pipe(Effect.scoped)
  )
})
