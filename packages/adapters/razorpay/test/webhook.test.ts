import type { Evidence } from "@paymux/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { begin, later, operation } from "./adapter.ts"
import { bookOf } from "../src/testing/books.ts"
import { orderPaid, signed } from "../src/testing/posted.ts"

type TestHarness = Effect.Success<ReturnType<typeof begin>>

const reported = (evidence: ReadonlyArray<Evidence>) => evidence.map(({ about, outcome }) => ({ about, outcome }))

const receive = ({ vendor, webhook }: Pick<TestHarness, "vendor" | "webhook">, event: object, id = "evt_1") => {
  const { body, headers } = signed(event, id, vendor.credentials)
  return webhook(body, headers, Date.now())
}

const payment = (change: object) => ({
  id: "pay_1",
  entity: "payment",
  amount: 12_345,
  currency: "INR",
  status: "captured",
  order_id: null,
  notes: [],
  ...change
})

const posted = (event: string, payload: object) => ({ entity: "event", event, payload, created_at: 1_795_000_000 })

describe("Razorpay's webhooks", () => {
  it.live("order.paid says what payment.captured says, under an event id of its own", () =>
    Effect.gen(function* () {
      const { create, vendor, webhook, webhooks } = yield* begin()
      const { reference = "" } = yield* create(operation())
      yield* vendor.payersAct
      const [event] = yield* webhooks.events
      if (event === undefined) return assert.fail("it was paid")
      const captured = yield* webhooks.deliver([event])
      const paid = orderPaid(event, vendor)
      const first = yield* webhook(captured.body, captured.headers, Date.now())
      const second = yield* webhook(paid.body, paid.headers, Date.now())
      assert.deepStrictEqual(reported(second), reported(first))
      assert.deepInclude(second[0]?.outcome, { reference })
      assert.notStrictEqual(second[0]?.eventId, first[0]?.eventId)
    }).pipe(Effect.scoped)
  )

  it.live("notes of a payment prove nothing: any page that opens a checkout can write them", () =>
    Effect.gen(function* () {
      const harness = yield* begin()
      const notes = { paymux_operation: operation().id }
      const entity = payment({ notes })
      assert.deepStrictEqual(yield* receive(harness, posted("payment.captured", { payment: { entity } })), [])
      const other = payment({ notes, order_id: "order_other" })
      assert.deepStrictEqual(
        reported(yield* receive(harness, posted("payment.captured", { payment: { entity: other } }))).map(
          ({ about }) => about
        ),
        [{ provider: "razorpay", providerReference: "order_other" }]
      )
    }).pipe(Effect.scoped)
  )

  it.live(
    "a dispute is reported with its amount and its end; a retrieval request and a question about fraud are none",
    () =>
      Effect.gen(function* () {
        const harness = yield* begin()
        const entity = payment({ order_id: "order_1" })
        const outcomeOf = Effect.fnUntraced(function* (name: string, dispute?: object) {
          const payload = { payment: { entity }, ...(dispute !== undefined && { dispute: { entity: dispute } }) }
          return reported(yield* receive(harness, posted(`payment.dispute.${name}`, payload)))
        })
        const dispute = { id: "disp_1", amount: 700, currency: "INR", phase: "chargeback" }
        const about = { provider: "razorpay", providerReference: "order_1" }
        const amount = { minorUnits: 700, currency: "INR" }
        for (const [name, status] of [
          ["created", "open"],
          ["under_review", "open"],
          ["action_required", "open"],
          ["won", "won"],
          ["lost", "lost"]
        ] as const) {
          const outcome = { _tag: "Disputed", reference: "disp_1", status, amount }
          assert.deepStrictEqual<unknown>(yield* outcomeOf(name, dispute), [{ about, outcome }], name)
        }
        for (const phase of ["retrieval", "fraud"]) {
          assert.deepStrictEqual(yield* outcomeOf("created", { ...dispute, phase }), [], phase)
        }
        assert.deepStrictEqual(yield* outcomeOf("closed", dispute), [])
        // Without the dispute, and with an amount that cannot be read: the whole charge.
        const whole = { _tag: "Disputed", status: "open" }
        assert.deepStrictEqual<unknown>(yield* outcomeOf("created"), [{ about, outcome: whole }])
        const named = { ...whole, reference: "disp_1" }
        for (const odd of [{ currency: "inr" }, { amount: 0 }]) {
          assert.deepStrictEqual<unknown>(yield* outcomeOf("created", { ...dispute, ...odd }), [
            { about, outcome: named }
          ])
        }
      }).pipe(Effect.scoped)
  )

  it.live("a QR code is named by its note, before its create was answered, too", () =>
    Effect.gen(function* () {
      const harness = yield* begin({ qr: "qr_code" })
      const { id } = operation()
      const qr_code = {
        entity: { id: "qr_1", close_reason: null, close_by: "1625077799", notes: { paymux_operation: id } }
      }
      const paid = { payment: { entity: payment({}) }, qr_code }
      assert.deepStrictEqual(reported(yield* receive(harness, posted("qr_code.credited", paid))), [
        {
          about: { operation: id },
          outcome: { _tag: "Captured", reference: "qr_1", amount: { minorUnits: 12_345, currency: "INR" } }
        }
      ] as never)
      const given = { payment: { entity: payment({ status: "refunded", captured: false }) }, qr_code }
      assert.deepStrictEqual(yield* receive(harness, posted("qr_code.credited", given)), [])
    }).pipe(Effect.scoped)
  )

  it.live("a refund is named by its receipt; one that was made by hand by its own id", () =>
    Effect.gen(function* () {
      const harness = yield* begin()
      const { id } = later("refund", operation(), "order_1")
      const refund = { id: "rfnd_1", entity: "refund", amount: 345, currency: "INR", status: "pending", receipt: id }
      const entity = (change: object) => ({ refund: { entity: { ...refund, ...change } } })
      const kinds = {
        "refund.created": "RefundPending",
        "refund.processed": "RefundSucceeded",
        "refund.failed": "RefundFailed"
      }
      for (const [event, kind] of Object.entries(kinds)) {
        const [received] = yield* receive(harness, posted(event, entity({})))
        assert.deepStrictEqual([received?.about, received?.outcome._tag], [{ operation: id }, kind] as never)
      }
      const [byHand] = yield* receive(harness, posted("refund.processed", entity({ receipt: null })))
      assert.deepStrictEqual(byHand?.about, { provider: "razorpay", providerReference: "rfnd_1" })
      assert.deepStrictEqual(yield* receive(harness, posted("refund.speed_changed", entity({}))), [])
    }).pipe(Effect.scoped)
  )

  it.live("a hold is recognized by the mark of the secret key, and by nothing that a payer can write", () =>
    Effect.gen(function* () {
      const harness = yield* begin()
      const heldFor = Effect.fnUntraced(function* (captureMethod: "automatic" | "manual") {
        const { reference = "" } = yield* harness.create(
          operation({ captureMethod, metadata: { paymux_hold: "manual" } })
        )
        const [order] = (yield* harness.vendor.payments).slice(-1)
        const [tried] = order === undefined ? [] : bookOf(harness.vendor.ledger, order).tries
        return { reference, notes: tried?.notes }
      })
      const authorized = (order_id: string, notes: object = []) => {
        const entity = payment({ status: "authorized", order_id, notes })
        return receive(harness, posted("payment.authorized", { payment: { entity } }))
      }
      const automatic = yield* heldFor("automatic")
      const manual = yield* heldFor("manual")
      const [held] = yield* authorized(manual.reference, manual.notes)
      assert.deepInclude(held?.outcome, { reference: manual.reference })
      assert.strictEqual(held?.outcome._tag, "Authorized")
      assert.deepStrictEqual(yield* authorized(automatic.reference, automatic.notes), [])
      assert.deepStrictEqual(yield* authorized(automatic.reference, manual.notes), [])
      for (const notes of [[], { paymux_capture: "manual" }, { paymux_hold: "manual" }]) {
        assert.deepStrictEqual(yield* authorized(manual.reference, notes), [])
      }
    }).pipe(Effect.scoped)
  )

  it.live("nothing is closed by a webhook: another try may be in the payer's hand", () =>
    Effect.gen(function* () {
      const harness = yield* begin()
      const failed = payment({ status: "failed", order_id: "order_1", error_reason: "payment_declined" })
      assert.deepStrictEqual(yield* receive(harness, posted("payment.failed", { payment: { entity: failed } })), [])
      const entity = { id: "qr_1", close_reason: "on_demand", notes: { paymux_operation: operation().id } }
      assert.deepStrictEqual(yield* receive(harness, posted("qr_code.closed", { qr_code: { entity } })), [])
    }).pipe(Effect.scoped)
  )

  it.live("money that was given back was not captured", () =>
    Effect.gen(function* () {
      const harness = yield* begin()
      const entity = payment({ status: "refunded", captured: false, order_id: "order_1" })
      assert.deepStrictEqual(yield* receive(harness, posted("payment.captured", { payment: { entity } })), [])
    }).pipe(Effect.scoped)
  )

  it.live("it happened when the event says, in ms", () =>
    Effect.gen(function* () {
      const entity = payment({ order_id: "order_1" })
      const [received] = yield* receive(yield* begin(), posted("payment.captured", { payment: { entity } }))
      assert.strictEqual(received?.occurredAt, 1_795_000_000_000)
    }).pipe(Effect.scoped)
  )

  it.live("each secret of the list is taken, and an event id that cannot be Razorpay's counts as none", () =>
    Effect.gen(function* () {
      const harness = yield* begin({}, ["wh-sec-newer"])
      const event = posted("payment.captured", { payment: { entity: payment({ order_id: "order_1" }) } })
      assert.lengthOf(yield* receive(harness, event), 1)
      const newer = signed(event, "evt_2", { webhookSecret: "wh-sec-newer" })
      assert.lengthOf(yield* harness.webhook(newer.body, newer.headers, Date.now()), 1)
      const ids = ["x".repeat(600), "", "a b"]
      for (const id of ids) assert.isNull((yield* receive(harness, event, id))[0]?.eventId)
    }).pipe(Effect.scoped)
  )

  const { id } = operation()
  /** Events that this adapter reads, each with our id where our objects have it. */
  const ours: { readonly [event: string]: object } = {
    "payment.authorized": { payment: { entity: payment({ order_id: "order_1", notes: { paymux_operation: id } }) } },
    "payment.captured": { payment: { entity: payment({ order_id: "order_1", notes: { paymux_operation: id } }) } },
    "payment.dispute.created": { payment: { entity: payment({ notes: { paymux_operation: id } }) } },
    "order.paid": { payment: { entity: payment({ order_id: "order_1" }) }, order: { entity: { receipt: id } } },
    "refund.processed": {
      refund: { entity: { id: "rfnd_1", amount: 1, currency: "INR", status: "processed", receipt: id } }
    },
    "payment_link.paid": {
      payment_link: {
        entity: {
          id: "plink_1",
          amount: 1,
          currency: "INR",
          status: "paid",
          short_url: "https://rzp.io/i/x",
          reference_id: id
        }
      },
      payment: { entity: payment({}) }
    },
    "qr_code.credited": {
      payment: { entity: payment({}) },
      qr_code: { entity: { id: "qr_1", notes: { paymux_operation: id } } }
    }
  }
  const unreadable: { readonly [what: string]: (text: string) => string } = {
    "an amount as text": (text) => text.replace(/"amount":(\d+)/g, '"amount":"$1"'),
    "a currency in lower case": (text) => text.replaceAll('"INR"', '"inr"'),
    "no amount": (text) => text.replace(/"amount":\d+,/g, "")
  }

  for (const [event, payload] of Object.entries(ours)) {
    for (const [what, change] of Object.entries(unreadable)) {
      it.live(`${event} with ${what} is malformed if it is ours, and acknowledged if it is of another system`, () =>
        Effect.gen(function* () {
          const harness = yield* begin()
          yield* receive(harness, posted(event, payload))
          const text = change(JSON.stringify(posted(event, payload)))
          const refused = yield* Effect.flip(receive(harness, JSON.parse(text)))
          assert.strictEqual(refused.reason, "malformed")
          for (const name of ["invoice 7", `op_${"z".repeat(26)}`]) {
            assert.deepStrictEqual(yield* receive(harness, JSON.parse(text.replaceAll(id, name))), [])
          }
        }).pipe(Effect.scoped)
      )
    }
  }

  it.live("without created_at it is read, at no time", () =>
    Effect.gen(function* () {
      const harness = yield* begin()
      for (const created_at of [undefined, null, "1795000000"]) {
        const event = { ...posted("payment.captured", ours["payment.captured"] ?? {}), created_at }
        const [received] = yield* receive(harness, event)
        assert.deepInclude(received, { occurredAt: null })
        assert.deepInclude(received?.outcome, { _tag: "Captured", reference: "order_1" })
        const speed = { ...posted("refund.speed_changed", { refund: {}, created_at: 1 }), created_at }
        assert.deepStrictEqual(yield* receive(harness, speed), [])
      }
    }).pipe(Effect.scoped)
  )

  it.live("a signed body that is no event is malformed", () =>
    Effect.gen(function* () {
      const harness = yield* begin()
      for (const body of [[], {}, { event: 1, payload: {} }]) {
        assert.strictEqual((yield* Effect.flip(receive(harness, body))).reason, "malformed")
      }
    }).pipe(Effect.scoped)
  )
})
