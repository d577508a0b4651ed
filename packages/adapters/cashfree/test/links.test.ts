/** Payments on Cashfree's page: Payment Links, and the orders that Cashfree makes for them, over real connections. */
import { assert, describe, it } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import { Effect } from "effect"
import { cashfree } from "../src/index.ts"
import { booksOf, duplicateLinks, type Link } from "../src/testing/books.ts"
import { fake } from "../src/testing/fake.ts"
import { linkToWire, orderOfLink } from "../src/testing/links.ts"
import { optionsOf } from "../src/testing/options.ts"
import { byPage, createOperation, laterOperation, rupees, running } from "./operations.ts"

const begin = Effect.gen(function* () {
  const vendor = yield* fake.start({ mode: "test" })
  return { vendor, books: booksOf(vendor.ledger), instance: yield* running(cashfree(optionsOf(vendor))) }
})

/** A page that is shown to a payer. */
const shown = Effect.gen(function* () {
  const here = yield* begin
  const operation = yield* createOperation({ method: byPage })
  const answer = yield* here.instance.create(operation)
  const link = here.books.links.get(`link_${operation.id}`)
  if (link === undefined) return yield* Effect.die(new Error("no link was made"))
  const known = { ...operation, reference: link.id }
  const cancel = yield* laterOperation("cancel", known, { original: { ...operation, reference: link.id } })
  return { ...here, operation: known, answer, link, cancel }
})

const page = "https://payments-test.cashfree.com/links/o1996567code"

/** The payer has tried before, and failed. */
const failedTry = ({ books, link, vendor }: Effect.Success<typeof shown>, code: string) => {
  const order = orderOfLink(link, vendor.ledger)
  order.sessions.splice(0, 1, { id: "1", channel: "link", code })
  link.orders.push(order)
  books.orders.set(order.id, order)
  return order
}

const notEnabled = { type: "feature_not_enabled", code: "request_failed", message: "words" }

/** The order that the ledger has the payment of. */
const mainOrder = ({ orders: [order] }: Link) =>
  order === undefined ? Effect.die(new Error("a link has an order")) : Effect.succeed(order)

const requestsOf = ({ vendor }: Pick<Effect.Success<typeof begin>, "vendor">) =>
  Effect.map(vendor.network.requests, (requests) =>
    requests.map(({ method, path }) => `${method} ${path.replaceAll(/(link_)?op_\w{26}|CFPay_\w+/g, ":id")}`)
  )

describe("a payment on Cashfree's page", () => {
  it.live("is one request, with a name of ours, for UPI alone and the whole amount, and shows the page", () =>
    Effect.gen(function* () {
      const { answer, operation, vendor } = yield* shown
      const expiresAt = operation.createdAt + 20 * 60_000
      assert.deepStrictEqual(answer, {
        _tag: "Pending",
        reference: `link_${operation.id}`,
        nextAction: { type: "redirect", url: page, expiresAt }
      })
      const [request, ...more] = yield* vendor.network.requests
      assert.isEmpty(more)
      assert.include(request?.body, '"link_amount":170.50')
      assert.deepStrictEqual(JSON.parse(request?.body ?? ""), {
        link_id: `link_${operation.id}`,
        link_amount: 170.5,
        link_currency: "INR",
        link_purpose: "Two tickets",
        customer_details: {
          customer_phone: "9812345678",
          customer_email: "asha@example.com",
          customer_name: "Asha Rao"
        },
        link_partial_payments: false,
        link_expiry_time: new Date(expiresAt).toISOString(),
        link_notify: { send_sms: false, send_email: false },
        link_auto_reminders: false,
        link_notes: { order: "1001" },
        link_meta: { payment_methods: "upi", return_url: "https://pay.example/return/1001" }
      })
    }).pipe(Effect.scoped)
  )

  it.live("has a purpose, and no name, address or tag that Cashfree rejects or uses itself", () =>
    Effect.gen(function* () {
      const { books, instance } = yield* begin
      const metadata = {
        checkout_context: "https://shop.example",
        link_id: "link_of_another",
        cf_link_id: "1",
        ...Object.fromEntries("abcdef".split("").map((name) => [name, "1"]))
      }
      const customer = { email: null, phone: "+919812345678", name: null, address: null }
      const operation = yield* createOperation({
        method: byPage,
        customer,
        description: null,
        metadata,
        returnUrl: "http://localhost/back"
      })
      assert.strictEqual((yield* instance.create(operation))._tag, "Pending")
      const { request } = [...books.links.values()][0] ?? {}
      assert.deepInclude(request, {
        link_purpose: "Payment",
        link_notes: { a: "1", b: "1", c: "1", d: "1", e: "1" },
        link_meta: { payment_methods: "upi" }
      })
    }).pipe(Effect.scoped)
  )

  for (const duplicate of duplicateLinks) {
    it.live(
      `that is sent again is the same page, where Cashfree refuses with ${duplicate.status} ${duplicate.code}`,
      () =>
        Effect.gen(function* () {
          const here = yield* shown
          const { answer, books, instance, operation } = here
          books.ways.duplicateLink = duplicate
          const { key } = yield* createOperation()
          for (const again of [{ key }, { key: operation.key }, { reference: `link_${operation.id}` }]) {
            assert.deepStrictEqual(yield* instance.create({ ...operation, reference: null, ...again }), answer)
          }
          assert.strictEqual(books.links.size, 1)
        }).pipe(Effect.scoped)
    )
  }

  it.live("is not shown by a link of the same name and another amount", () =>
    Effect.gen(function* () {
      const { instance, operation } = yield* shown
      const { key } = yield* createOperation()
      const other = { ...operation, reference: null, key, amount: rupees(17_051) }
      const answer = Outcome.unknown({ reason: "duplicate", vendorCode: "link_differs" })
      assert.deepStrictEqual(yield* instance.create(other), answer)
      assert.deepStrictEqual(yield* instance.inquire(other), answer)
    }).pipe(Effect.scoped)
  )

  it.live("with several tries is one success, under the order that was paid", () =>
    Effect.gen(function* () {
      const here = yield* shown
      const { instance, link, operation, vendor } = here
      failedTry(here, "Z9")
      yield* vendor.payersAct
      failedTry(here, "ZM")
      const { id } = yield* mainOrder(link)
      const success = Outcome.succeeded({ reference: id, amount: rupees(17_050) })
      assert.deepStrictEqual(yield* instance.inquire(operation), success)
      assert.deepStrictEqual(yield* instance.create(operation), success)
      // From then on the order is the reference.
      assert.deepStrictEqual(yield* instance.inquire({ ...operation, reference: id }), success)
    }).pipe(Effect.scoped)
  )

  it.live("that was paid by two orders is the older of them, in every inquiry", () =>
    Effect.gen(function* () {
      const here = yield* shown
      const { books, instance, link, operation, vendor } = here
      yield* vendor.payersAct
      const second = failedTry(here, "Z9")
      second.sessions.splice(0, 1, { id: "2", channel: "link" })
      vendor.ledger.open({ amount: { minorUnits: 17_050, currency: "INR" }, reference: second.id })
      link.orders.reverse()
      assert.lengthOf(link.orders, 2)
      assert.strictEqual((yield* instance.inquire(operation)).reference, [...books.orders.keys()][0])
    }).pipe(Effect.scoped)
  )

  it.live("stays open after a failed try, and fails with its reason when the link has expired", () =>
    Effect.gen(function* () {
      const here = yield* shown
      const { answer, instance, operation, vendor } = here
      failedTry(here, "Z9").isTerminated = true
      assert.deepStrictEqual(yield* instance.inquire(operation), answer)
      yield* vendor.expire ?? Effect.void
      assert.deepInclude(yield* instance.inquire(operation), { _tag: "Declined", code: "insufficient_funds" })
    }).pipe(Effect.scoped)
  )

  it.live("is pending while it is at a bank, also after the link has ended", () =>
    Effect.gen(function* () {
      const { cancel, instance, link, operation, vendor } = yield* shown
      const order = yield* mainOrder(link)
      order.isAtBank = true
      assert.deepInclude(yield* instance.inquire(operation), { _tag: "Pending", awaitingFinality: true })
      assert.strictEqual((yield* instance.cancel(cancel))._tag, "Pending")
      assert.deepInclude(yield* instance.inquire(operation), { _tag: "Pending", awaitingFinality: true })
      yield* vendor.payersAct
      assert.deepInclude(yield* instance.inquire(operation), { _tag: "Succeeded", reference: order.id })
      assert.deepInclude(yield* instance.inquire(cancel), { _tag: "Declined", retry: "never" })
    }).pipe(Effect.scoped)
  )

  it.live("whose link is paid, and whose order is not listed yet, is not decided", () =>
    Effect.gen(function* () {
      const { instance, operation, vendor } = yield* shown
      yield* vendor.payersAct
      yield* vendor.network.failNext({ executed: false, reply: { status: 200, json: [] } }, 1)
      const answer = yield* instance.inquire(operation)
      assert.deepInclude(answer, { _tag: "Unknown", reason: "in_progress", vendorCode: "PAID" })
    }).pipe(Effect.scoped)
  )

  for (const [order_status, expected] of [
    ["PAID", { _tag: "Unknown", reason: "in_progress", vendorCode: "PAID" }],
    ["ACTIVE", { _tag: "Pending" }],
    ["A_NEW_STATUS", { _tag: "Pending" }]
  ] as const) {
    for (const link_status of ["EXPIRED", "CANCELLED"]) {
      it.live(`whose link is ${link_status} is not over while an order of it is ${order_status}`, () =>
        Effect.gen(function* () {
          const { books, cancel, instance, link, operation, vendor } = yield* shown
          const answers = [
            { ...linkToWire(link, vendor.ledger), link_amount: 170.5, link_status },
            [{ order_id: "CFPay_x_1", order_status }],
            []
          ]
          // The list of the order's payments lags behind.
          for (const [place, json] of answers.entries()) {
            yield* vendor.network.failNext({ executed: false, reply: { status: 200, json } }, place)
          }
          assert.deepInclude(yield* instance.inquire(operation), expected)
          for (const [place, json] of answers.entries()) {
            yield* vendor.network.failNext({ executed: false, reply: { status: 200, json } }, place)
          }
          assert.notInclude(["Succeeded", "NotFound"], (yield* instance.inquire(cancel))._tag)
          assert.strictEqual(books.links.size, 1)
        }).pipe(Effect.scoped)
      )
    }
  }

  it.live("that was made before is not known to be undone if its link cannot be read", () =>
    Effect.gen(function* () {
      for (const status of [400, 401, 403]) {
        const { instance, operation, vendor } = yield* shown
        const { key } = yield* createOperation()
        yield* vendor.network.failNext({ executed: false, reply: { status, json: notEnabled } }, 1)
        const answer = yield* instance.create({ ...operation, reference: null, key })
        assert.deepInclude(answer, { _tag: "Unknown", vendorCode: "request_failed" })
      }
    }).pipe(Effect.scoped)
  )

  it.live("is open if the orders of a page that was never opened are answered with a 404", () =>
    Effect.gen(function* () {
      const { answer, instance, operation, vendor } = yield* shown
      const json = { message: "no orders", code: "order_not_found", type: "invalid_request_error" }
      yield* vendor.network.failNext({ executed: false, reply: { status: 404, json } }, 1)
      assert.deepStrictEqual(yield* instance.inquire(operation), answer)
    }).pipe(Effect.scoped)
  )

  it.live("of which an order is missing is not a payment that was never made", () =>
    Effect.gen(function* () {
      const { instance, operation, vendor } = yield* shown
      yield* vendor.payersAct
      const json = { message: "no order", code: "order_not_found", type: "invalid_request_error" }
      yield* vendor.network.failNext({ executed: false, reply: { status: 404, json } }, 2)
      assert.strictEqual((yield* instance.inquire(operation))._tag, "Unknown")
    }).pipe(Effect.scoped)
  )

  it.live("is followed by its reference, also by an instance with Order Pay", () =>
    Effect.gen(function* () {
      const { cancel, operation, vendor } = yield* shown
      const later = yield* running(cashfree({ ...optionsOf(vendor), s2s: true }))
      const asked = { ...operation, method: { rail: "upi", flow: "intent", vpa: null } } as const
      assert.strictEqual((yield* later.inquire(asked))._tag, "Pending")
      assert.strictEqual((yield* later.cancel({ ...cancel, method: asked.method }))._tag, "Succeeded")
      assert.strictEqual((yield* later.inquire(asked))._tag, "Canceled")
    }).pipe(Effect.scoped)
  )
})

describe("a cancel of a page", () => {
  it.live("ends the link, and the order of a page that was opened before", () =>
    Effect.gen(function* () {
      const here = yield* shown
      const { cancel, instance, link, operation } = here
      link.isOpened = true
      assert.strictEqual((yield* instance.cancel(cancel))._tag, "Succeeded")
      assert.isTrue((yield* mainOrder(link)).isTerminated)
      assert.strictEqual((yield* instance.inquire(operation))._tag, "Canceled")
      assert.include(yield* requestsOf(here), "PATCH /orders/:id")
      // A second one is refused, and finds the same.
      assert.strictEqual((yield* instance.cancel(cancel))._tag, "Succeeded")
      assert.strictEqual((yield* instance.inquire(cancel))._tag, "Succeeded")
    }).pipe(Effect.scoped)
  )

  it.live("whose order cannot be closed waits for its end: the payer may still pay there", () =>
    Effect.gen(function* () {
      const { books, cancel, instance, link, operation, vendor } = yield* shown
      link.isOpened = true
      books.refusesTermination = true
      assert.strictEqual((yield* instance.cancel(cancel))._tag, "Pending")
      assert.strictEqual((yield* instance.inquire(cancel))._tag, "Pending")
      assert.deepStrictEqual(yield* instance.inquire(operation), { _tag: "Pending", reference: link.id })
      yield* vendor.expire ?? Effect.void
      assert.strictEqual((yield* instance.inquire(cancel))._tag, "Succeeded")
    }).pipe(Effect.scoped)
  )

  it.live("whose result cannot be read is not refused", () =>
    Effect.gen(function* () {
      for (const place of [1, 2, 3]) {
        const { cancel, instance, vendor } = yield* shown
        yield* vendor.network.failNext({ executed: false, reply: { status: 403, json: notEnabled } }, place)
        assert.deepInclude(yield* instance.cancel(cancel), { _tag: "Unknown", vendorCode: "request_failed" })
      }
    }).pipe(Effect.scoped)
  )

  it.live("that is accepted closes the order of an open page, also if the link is still shown as active", () =>
    Effect.gen(function* () {
      const { cancel, instance, link, operation, vendor } = yield* shown
      link.isOpened = true
      const json = { ...linkToWire(link, vendor.ledger), link_amount: 170.5 }
      yield* vendor.network.failNext({ executed: false, reply: { status: 200, json } }, 1)
      assert.deepInclude(yield* instance.cancel(cancel), { _tag: "Unknown", reason: "in_progress" })
      assert.strictEqual((yield* instance.inquire(cancel))._tag, "Succeeded")
      assert.strictEqual((yield* instance.inquire(operation))._tag, "Canceled")
    }).pipe(Effect.scoped)
  )

  it.live("that Cashfree refuses while the link is open is refused, and closes no order", () =>
    Effect.gen(function* () {
      const here = yield* shown
      const { cancel, instance, link, vendor } = here
      link.isOpened = true
      const json = { message: "no", code: "link_invalid", type: "invalid_request_error" }
      yield* vendor.network.failNext({ executed: false, reply: { status: 400, json } })
      const { reason } = yield* Effect.flip(instance.cancel(cancel))
      assert.deepInclude(reason, { _tag: "InvalidRequest", detail: "link_invalid" })
      assert.notInclude(yield* requestsOf(here), "PATCH /orders/:id")
      // The sample of the documentation shows the link as it was before.
      yield* vendor.network.failNext({ executed: false, reply: { status: 200, json: { link_status: "ACTIVE" } } })
      assert.deepInclude(yield* instance.cancel(cancel), { _tag: "Unknown", reason: "in_progress" })
    }).pipe(Effect.scoped)
  )
})

describe("a refund of a page's payment", () => {
  for (const name of ["the link", "the order"] as const) {
    it.live(`is a refund of its paid order, where the payment is known by ${name}`, () =>
      Effect.gen(function* () {
        const { instance, link, operation, vendor } = yield* shown
        yield* vendor.payersAct
        const { id } = yield* mainOrder(link)
        const original = { ...operation, reference: name === "the link" ? link.id : id }
        const refund = yield* laterOperation("refund", operation, { original, amount: rupees(1_005) })
        const done = Outcome.succeeded({ reference: refund.id.replaceAll("_", ""), amount: rupees(1_005) })
        assert.deepStrictEqual(yield* instance.inquire(refund), { _tag: "NotFound" })
        assert.deepStrictEqual(yield* instance.refund(refund), done)
        assert.deepStrictEqual(yield* instance.inquire(refund), done)
      }).pipe(Effect.scoped)
    )
  }

  it.live("that is not paid sends nothing", () =>
    Effect.gen(function* () {
      const here = yield* shown
      const { instance, link, operation } = here
      const refund = yield* laterOperation("refund", operation, { original: { ...operation, reference: link.id } })
      assert.deepInclude(yield* instance.refund(refund), { _tag: "NotExecuted" })
      assert.deepStrictEqual(yield* instance.inquire(refund), { _tag: "NotFound" })
      assert.notInclude(yield* requestsOf(here), "POST /orders/:id/refunds")
    }).pipe(Effect.scoped)
  )
})

describe("an account", () => {
  for (const status of [400, 403] as const) {
    it.live(
      `without Payment Links or Order Pay is not enabled for the kind, and is not misconfigured (${status})`,
      () =>
        Effect.gen(function* () {
          const { books, instance, vendor } = yield* begin
          books.ways.notEnabled = status
          books.hasLinks = false
          const onPage = yield* Effect.flip(instance.create(yield* createOperation({ method: byPage })))
          const code = "PaymentLink_link_creation_api_failed"
          assert.deepInclude(onPage.reason, { _tag: "AccountNotEnabled", code, about: "kind" })
          const withS2s = yield* running(cashfree({ ...optionsOf(vendor), s2s: true }))
          const byIntent = yield* Effect.flip(withS2s.create(yield* createOperation()))
          assert.deepInclude(byIntent.reason, { code: "s2s_enabled_not_approved", about: "kind" })
          assert.isEmpty(vendor.ledger.payments())
        }).pipe(Effect.scoped)
    )
  }
})
