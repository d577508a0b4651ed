import { assert, describe, it } from "@effect/vitest"
import { Outcome, type ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import { stripe } from "../src/index.ts"
import { cards, fake } from "../src/testing/fake.ts"
import { card, createOperation, laterOperation, money, resident, running } from "./operations.ts"
import { bookOf } from "../src/testing/objects.ts"
import { optionsOf } from "../src/testing/options.ts"

const begin = Effect.gen(function* () {
  const vendor = yield* fake.start({ mode: "test" })
  const { network } = vendor
  if (network === null) return yield* Effect.die(new Error("Stripe is reached over a network"))
  const instance = yield* running(stripe(optionsOf(vendor)))
  const lastForm = Effect.map(network.requests, (requests) => new URLSearchParams(requests.at(-1)?.body))
  const sent = Effect.map(network.requests, ({ length }) => length)
  return { vendor, network, instance, lastForm, sent }
})

describe("requests", () => {
  it.live(
    "three decimals that do not end in 0 are not sent: a create goes elsewhere, a later operation is refused",
    () =>
      Effect.gen(function* () {
        const { instance, sent } = yield* begin
        assert.deepStrictEqual(
          yield* instance.create(yield* createOperation({ amount: money(5_124, "KWD") })),
          Outcome.notExecuted({ reason: "adapter_fault", vendorCode: "amount" })
        )
        const paid = yield* createOperation({ amount: money(5_120, "KWD") })
        const { reference } = yield* instance.create(paid)
        for (const kind of ["capture", "refund"] as const) {
          const part = yield* laterOperation(kind, paid, reference, { amount: money(1, "KWD") })
          assert.strictEqual((yield* Effect.flip(instance[kind](part))).reason._tag, "InvalidRequest")
        }
        assert.strictEqual(yield* sent, 1)
      }).pipe(Effect.scoped)
  )

  it.live("a shopper who cannot come back is sent nowhere: a card that wants it is declined", () =>
    Effect.gen(function* () {
      const { instance } = yield* begin
      const answer = yield* instance.create(yield* createOperation({ returnUrl: null, method: card(cards.redirect) }))
      assert.strictEqual(answer._tag === "Declined" ? answer.code : answer._tag, "authentication_required")
    }).pipe(Effect.scoped)
  )

  it.live("the merchant's notes are sent as far as Stripe has room for them, and never over ours", () =>
    Effect.gen(function* () {
      const { instance, lastForm } = yield* begin
      const metadata = {
        order: "1001",
        "a[b]": "1",
        [`long_${"x".repeat(40)}`]: "1",
        long: "x".repeat(501),
        empty: "",
        paymux_operation: "op_of_another_payment",
        ...Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`note_${index}`, "1"]))
      }
      const operation = yield* createOperation({ metadata })
      assert.strictEqual((yield* instance.create(operation))._tag, "Succeeded")
      const form = yield* lastForm
      assert.strictEqual(form.get("metadata[order]"), "1001")
      assert.strictEqual(form.get("metadata[paymux_operation]"), operation.id)
      assert.isNull(form.get("metadata[empty]"))
      assert.isNull(form.get("metadata[long]"))
      assert.isAtMost([...form.keys()].filter((key) => key.startsWith("metadata[")).length, 50)
    }).pipe(Effect.scoped)
  )

  it.live("a name of the merchant's notes may have any letters, digits and marks but brackets, up to 40", () =>
    Effect.gen(function* () {
      const { instance, lastForm, vendor } = yield* begin
      const names = ["名前", "ключ", "ग्राहक", "order.id", "7", "a b", "line\nbreak", "é".repeat(40)]
      const metadata = Object.fromEntries(names.map((name) => [name, `of ${name}`]))
      for (const method of [card("pm_card_visa"), card(null)]) {
        const operation = yield* createOperation({ metadata, method })
        const { reference } = yield* instance.create(operation)
        assert.isDefined(reference)
        const prefix =
          method.rail === "card" && method.tokens["stripe"] === undefined ? "payment_intent_data[metadata]" : "metadata"
        for (const name of names) assert.strictEqual((yield* lastForm).get(`${prefix}[${name}]`), `of ${name}`)
        const [payment] = (yield* vendor.payments).slice(-1)
        assert.isDefined(payment)
        if (payment === undefined) return
        assert.deepInclude(bookOf(vendor.ledger, payment).metadata, metadata)
      }
    }).pipe(Effect.scoped)
  )

  it.live("the payer's name and address are sent together, or not at all", () =>
    Effect.gen(function* () {
      const { instance, lastForm } = yield* begin
      const shippingOf = Effect.fnUntraced(function* (change: Partial<ProviderOperation>) {
        yield* instance.create(yield* createOperation(change))
        return Object.fromEntries([...(yield* lastForm)].filter(([name]) => /shipping|billing/.test(name)))
      })
      assert.deepStrictEqual(yield* shippingOf({ customer: resident }), {
        "shipping[name]": "Asha Rao",
        "shipping[address][line1]": "510 Townsend Street",
        "shipping[address][city]": "San Francisco",
        "shipping[address][postal_code]": "94103",
        "shipping[address][country]": "US"
      })
      const onPage = yield* shippingOf({ customer: resident, method: card(null) })
      assert.strictEqual(onPage["payment_intent_data[shipping][address][line1]"], "510 Townsend Street")
      assert.deepStrictEqual(yield* shippingOf({ customer: { ...resident, name: null } }), {})
      assert.deepStrictEqual(yield* shippingOf({ customer: { ...resident, name: " " } }), {})
      assert.deepStrictEqual(yield* shippingOf({ customer: { ...resident, address: null } }), {})
    }).pipe(Effect.scoped)
  )

  it.live("a payer without an e-mail address pays by token and on the page", () =>
    Effect.gen(function* () {
      const { instance, lastForm } = yield* begin
      const customer = { email: null, phone: "+919812345678", name: null, address: null }
      assert.strictEqual((yield* instance.create(yield* createOperation({ customer })))._tag, "Succeeded")
      const page = yield* createOperation({ customer, method: card(null) })
      assert.strictEqual((yield* instance.create(page))._tag, "Pending")
      assert.isFalse((yield* lastForm).has("customer_email"))
    }).pipe(Effect.scoped)
  )

  it.live("the page of an account in India asks for the billing address of an export, and of nothing else", () =>
    Effect.gen(function* () {
      const { vendor } = yield* begin
      const formOf = Effect.fnUntraced(function* (country: string | undefined, currency: string) {
        const instance = yield* running(stripe({ ...optionsOf(vendor), ...(country !== undefined && { country }) }))
        const operation = { method: card(null), description: null, amount: money(17_050, currency) }
        yield* instance.create(yield* createOperation(operation))
        const form = new URLSearchParams((yield* vendor.network.requests).at(-1)?.body)
        return [form.get("billing_address_collection"), form.get("payment_intent_data[description]")]
      })
      assert.deepStrictEqual(yield* formOf("IN", "USD"), ["required", "Payment"])
      assert.deepStrictEqual(yield* formOf("IN", "INR"), [null, null])
      assert.deepStrictEqual(yield* formOf("US", "EUR"), [null, null])
      assert.deepStrictEqual(yield* formOf(undefined, "USD"), [null, null])
      assert.throws(() => stripe({ ...optionsOf(vendor), country: "in" }), /country: must be a country code/)
    }).pipe(Effect.scoped)
  )

  it.live("a token of another shape is not sent", () =>
    Effect.gen(function* () {
      const { instance, sent } = yield* begin
      const answer = yield* instance.create(yield* createOperation({ method: card({ nonce: "1" }) }))
      assert.strictEqual(answer._tag, "NotExecuted")
      assert.strictEqual(yield* sent, 0)
    }).pipe(Effect.scoped)
  )
})

describe("a page", () => {
  const paidPage = Effect.fnUntraced(function* (change: Partial<ProviderOperation> = {}) {
    const { instance, network, vendor } = yield* begin
    const operation = yield* createOperation({ method: card(null), ...change })
    const shown = yield* instance.create(operation)
    const page = { ...operation, reference: shown.reference ?? null }
    return { instance, network, vendor, page, shown }
  })

  it.live("is known by its session until it is paid, and by its PaymentIntent from then on", () =>
    Effect.gen(function* () {
      const { instance, page, shown, vendor } = yield* paidPage()
      assert.strictEqual(shown.reference, "cs_test_vp_1")
      yield* vendor.payersAct
      const paid = yield* instance.complete(page, { redirect_status: "failed" })
      assert.deepStrictEqual(paid, Outcome.succeeded({ reference: "pi_vp_1", amount: money(17_050, "EUR") }))
      // Whichever of the two is kept, it is given back.
      for (const reference of ["cs_test_vp_1", "pi_vp_1"]) {
        const refund = yield* laterOperation("refund", page, reference, { amount: money(100, "EUR") })
        assert.strictEqual((yield* instance.refund(refund))._tag, "Succeeded")
      }
      const late = yield* instance.cancel(yield* laterOperation("cancel", page, "cs_test_vp_1"))
      assert.strictEqual(late._tag, "Declined")
    }).pipe(Effect.scoped)
  )

  it.live("that holds funds is captured and released by its session", () =>
    Effect.gen(function* () {
      for (const kind of ["capture", "cancel"] as const) {
        const { instance, page, vendor } = yield* paidPage({ captureMethod: "manual" })
        const early = yield* laterOperation("capture", page, page.reference ?? undefined)
        assert.strictEqual((yield* instance.capture(early))._tag, "Declined")
        assert.strictEqual((yield* instance.inquire(early))._tag, "NotFound")
        yield* vendor.payersAct
        assert.strictEqual((yield* instance.inquire(page))._tag, "Authorized")
        const operation = yield* laterOperation(kind, page, page.reference ?? undefined)
        assert.strictEqual((yield* instance[kind](operation))._tag, "Succeeded")
        assert.strictEqual((yield* instance.inquire(operation))._tag, "Succeeded")
        const [payment] = yield* vendor.payments
        assert.strictEqual(payment?.status, kind === "capture" ? "captured" : "canceled")
      }
    }).pipe(Effect.scoped)
  )

  it.live("that expired while a card was being charged is not over, whatever was declined before", () =>
    Effect.gen(function* () {
      const { instance, network, page } = yield* paidPage()
      const session = (status: string) => ({
        id: page.reference,
        status: "expired",
        url: null,
        expires_at: 1_795_003_600,
        payment_intent: {
          id: "pi_vp_1",
          status,
          amount: 17_050,
          currency: "eur",
          created: 1_795_000_000,
          last_payment_error: { type: "card_error", code: "card_declined", decline_code: "stolen_card" }
        }
      })
      const asked = (operation: ProviderOperation, status: string) =>
        Effect.andThen(
          network.failNext({ executed: false, reply: { status: 200, json: session(status) } }),
          Effect.map(instance.inquire(operation), ({ _tag }) => _tag)
        )
      assert.strictEqual(yield* asked(page, "processing"), "Pending")
      assert.strictEqual(yield* asked(page, "requires_payment_method"), "Declined")
      // Nor is it canceled, whichever side asked for that.
      const cancel = yield* laterOperation("cancel", page, page.reference ?? undefined)
      assert.strictEqual(yield* asked(cancel, "processing"), "Pending")
      assert.strictEqual(yield* asked(cancel, "succeeded"), "Declined")
      assert.strictEqual(yield* asked(cancel, "requires_payment_method"), "Succeeded")
    }).pipe(Effect.scoped)
  )

  it.live("on which a card was declined is open all the same, and is closed as a page", () =>
    Effect.gen(function* () {
      const { instance, network, page } = yield* paidPage()
      const session = {
        id: page.reference,
        status: "open",
        url: "https://checkout.stripe.example/c/pay/1",
        expires_at: 1_795_003_600,
        payment_intent: {
          id: "pi_vp_1",
          status: "requires_payment_method",
          amount: 17_050,
          currency: "eur",
          created: 1_795_000_000,
          last_payment_error: { type: "card_error", code: "card_declined", decline_code: "stolen_card" }
        }
      }
      const tried = network.failNext({ executed: false, reply: { status: 200, json: session } })
      yield* tried
      assert.deepStrictEqual(
        yield* instance.inquire(page),
        Outcome.pending({
          reference: "cs_test_vp_1",
          nextAction: { type: "redirect", url: session.url, expiresAt: 1_795_003_600_000 }
        })
      )
      yield* tried
      const early = yield* instance.refund(yield* laterOperation("refund", page, "cs_test_vp_1"))
      assert.strictEqual(early._tag === "Declined" ? early.vendorCode : early._tag, "not_paid")
      yield* tried
      const closed = yield* instance.cancel(yield* laterOperation("cancel", page, "cs_test_vp_1"))
      assert.deepStrictEqual(closed, Outcome.succeeded({ reference: "cs_test_vp_1" }))
      assert.strictEqual((yield* network.requests).at(-1)?.path, "/v1/checkout/sessions/cs_test_vp_1/expire")
    }).pipe(Effect.scoped)
  )

  it.live("that was paid, or ended, while it was being closed: what became of it is read", () =>
    Effect.gen(function* () {
      const { instance, network, page, vendor } = yield* paidPage()
      const cancel = yield* laterOperation("cancel", page, page.reference ?? undefined)
      const seenOpen = { id: page.reference, status: "open", url: "https://checkout.stripe.example/1", expires_at: 1 }
      const stillOpen = network.failNext({ executed: false, reply: { status: 200, json: seenOpen } })
      const refusal = { status: 400, json: { error: { type: "invalid_request_error" } } }
      // Refused for a reason that is not known, and open all the same.
      yield* network.failNext({ executed: false, reply: refusal }, 1)
      assert.strictEqual((yield* Effect.flip(instance.cancel(cancel))).reason._tag, "InvalidRequest")

      yield* vendor.payersAct
      yield* stillOpen
      assert.deepStrictEqual(
        yield* instance.cancel(cancel),
        Outcome.declined({ code: "processing_error", retry: "never", vendorCode: "complete" })
      )
    }).pipe(Effect.scoped)
  )

  it.live("that is closed takes nothing any more, and closing it twice is one", () =>
    Effect.gen(function* () {
      const { instance, page } = yield* paidPage()
      const reference = page.reference ?? undefined
      const cancel = yield* laterOperation("cancel", page, reference)
      assert.deepStrictEqual(yield* instance.inquire(cancel), Outcome.notFound())
      assert.strictEqual((yield* instance.cancel(cancel))._tag, "Succeeded")
      assert.strictEqual((yield* instance.cancel(yield* laterOperation("cancel", page, reference)))._tag, "Succeeded")
      assert.strictEqual((yield* instance.inquire(cancel))._tag, "Succeeded")
      assert.strictEqual((yield* instance.inquire(page))._tag, "Expired")
      const refund = yield* laterOperation("refund", page, reference)
      assert.strictEqual((yield* instance.refund(refund))._tag, "Declined")
    }).pipe(Effect.scoped)
  )
})
