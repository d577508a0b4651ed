/** What becomes of a payment on Cashfree's page, by the real engine in virtual time. */
import { assert, describe, it } from "@effect/vitest"
import { plain, testEngine } from "@paymux/test-suites"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { cashfree } from "../src/index.ts"
import { booksOf } from "../src/testing/books.ts"
import { fake } from "../src/testing/fake.ts"
import { orderOfLink } from "../src/testing/links.ts"
import { optionsOf } from "../src/testing/options.ts"
import { environment, minutes, stateOf } from "./testEnvironment.ts"

const ordinary = environment({ s2s: false })
const paid = { status: "succeeded", late: false, reviews: [] } satisfies ReturnType<typeof stateOf>
const left = { status: "failed", code: "customer_timeout", reviews: [] } satisfies ReturnType<typeof stateOf>

const linkOf = ({ vendor }: Effect.Success<typeof ordinary>) =>
  Effect.suspend(() => {
    const [link] = booksOf(vendor.ledger).links.values()
    return link === undefined ? Effect.die(new Error("no link was made")) : Effect.succeed(link)
  })

/** A page that its payer has paid, and may pay again by another order of its link. */
const paidPage = Effect.gen(function* () {
  const here = yield* ordinary
  const { create, current, pass, post, start, vendor, webhooks } = here
  const { orders, ways } = booksOf(vendor.ledger)
  ways.paidLink = "PAYMENT_SUCCESS_WEBHOOK"
  const engine = yield* start
  const record = yield* create(engine)
  const link = yield* linkOf(here)
  yield* vendor.payersAct
  return {
    record,
    current,
    pass,
    payAgain: ({ isListed }: { readonly isListed: boolean }) =>
      Effect.sync(() => {
        const order = orderOfLink(link, vendor.ledger)
        if (isListed) link.orders.push(order)
        orders.set(order.id, order)
        vendor.ledger.open({ amount: { minorUnits: 17_050, currency: "INR" }, reference: order.id })
      }),
    /** The vendor posts all webhooks, also those that it has posted before. */
    reports: Effect.flatMap(webhooks.events, (events) => Effect.forEach(events, (event) => post(engine.inbox, event))),
    moved: Effect.sync(() =>
      vendor.ledger.payments().map(({ captured, refunds }) => [captured, refunds.map(({ minorUnits }) => minorUnits)])
    )
  }
})

const intent = {
  amount: 17_050,
  currency: "INR",
  payment_method: "upi",
  payment_method_details: { upi: { flow: "intent" } },
  customer: { email: "asha@example.com", phone: "+919812345678" }
}

describe("a payment at an ordinary account of Cashfree", () => {
  for (const paidLink of ["PAYMENT_LINK_EVENT", "PAYMENT_SUCCESS_WEBHOOK"] as const) {
    it.effect(`is made on a page, paid once, and refunded in part, where ${paidLink} reports it`, () =>
      Effect.gen(function* () {
        const { create, current, pass, post, reported, start, vendor, webhooks } = yield* ordinary
        booksOf(vendor.ledger).ways.paidLink = paidLink
        const engine = yield* start
        const record = yield* create(engine)
        const { state } = (yield* current(record)).payment
        assert.strictEqual(state.status === "pending" && state.nextAction?.type, "redirect")
        yield* vendor.payersAct
        const event = (yield* webhooks.events).at(-1)
        assert.strictEqual(yield* post(engine.inbox, event), "applied")
        assert.deepStrictEqual(stateOf(yield* current(record)), paid)
        const asked = engine.payments.refund(record.payment.id, { minorUnits: 1_005, reason: "One ticket" }, plain)
        assert.strictEqual((yield* asked).operation.status, "succeeded")
        yield* post(engine.inbox, (yield* webhooks.events).at(-1))
        yield* pass(90 * minutes)
        const { amountCaptured, amountRefunded } = (yield* current(record)).payment
        assert.deepStrictEqual({ amountCaptured, amountRefunded }, { amountCaptured: 17_050, amountRefunded: 1_005 })
        assert.deepStrictEqual(stateOf(yield* current(record)), paid)
        assert.deepStrictEqual(yield* reported(record), ["payment.pending", "payment.succeeded", "refund.succeeded"])
      }).pipe(Effect.scoped)
    )
  }

  it.effect("that failed before on its page is one success, by inquiry alone", () =>
    Effect.gen(function* () {
      const here = yield* ordinary
      const { create, current, pass, start, vendor } = here
      const record = yield* create(yield* start)
      const link = yield* linkOf(here)
      const failed = orderOfLink(link, vendor.ledger)
      failed.sessions.splice(0, 1, { id: "1", channel: "link", code: "Z9" })
      link.orders.push(failed)
      booksOf(vendor.ledger).orders.set(failed.id, failed)
      yield* pass(3 * minutes)
      assert.strictEqual(stateOf(yield* current(record)).status, "pending")
      yield* vendor.payersAct
      yield* pass(3 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), paid)
      assert.strictEqual((yield* current(record)).payment.amountCaptured, 17_050)
    }).pipe(Effect.scoped)
  )

  it.effect("that is paid by three orders of its link is one success, and the other two are refunded", () =>
    Effect.gen(function* () {
      const { current, payAgain, reports, moved, pass, record } = yield* paidPage
      for (let further = 0; further < 2; further++) yield* payAgain({ isListed: true })
      yield* reports
      yield* pass(90 * minutes)
      yield* reports
      assert.deepStrictEqual(stateOf(yield* current(record)), paid)
      const { amountCaptured, amountRefunded } = (yield* current(record)).payment
      assert.deepStrictEqual([amountCaptured, amountRefunded], [17_050, 0])
      assert.deepStrictEqual(yield* moved, [
        [17_050, []],
        [17_050, [17_050]],
        [17_050, [17_050]]
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("is in review, and nothing is refunded, if its link does not list the second order", () =>
    Effect.gen(function* () {
      const { current, payAgain, reports, moved, pass, record } = yield* paidPage
      yield* payAgain({ isListed: false })
      yield* reports
      yield* pass(90 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), { ...paid, reviews: ["duplicate_capture"] })
      assert.strictEqual((yield* current(record)).payment.amountCaptured, 17_050)
      assert.deepStrictEqual(yield* moved, [
        [17_050, []],
        [17_050, []]
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("that its payer leaves is closed at Cashfree, with the order of its open page, and fails", () =>
    Effect.gen(function* () {
      const here = yield* ordinary
      const { create, current, pass, sent, start } = here
      const record = yield* create(yield* start)
      const link = yield* linkOf(here)
      link.isOpened = true
      yield* pass(19 * minutes)
      assert.strictEqual(stateOf(yield* current(record)).status, "pending")
      yield* pass(2 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), left)
      assert.isTrue(link.isCancelled)
      assert.isTrue(link.orders[0]?.isTerminated)
      assert.strictEqual(yield* sent(/^POST \/links\/.*\/cancel$/), 1)
    }).pipe(Effect.scoped)
  )

  it.effect("whose link Cashfree ended itself fails with customer_timeout", () =>
    Effect.gen(function* () {
      const { create, current, pass, start, vendor } = yield* ordinary
      const record = yield* create(yield* start)
      yield* pass(5 * minutes)
      yield* vendor.expire ?? Effect.void
      yield* pass(16 * minutes)
      assert.deepInclude(stateOf(yield* current(record)), { status: "failed", code: "customer_timeout" })
    }).pipe(Effect.scoped)
  )

  it.effect("whose link was made and its answer lost is shown by the next send: one link", () =>
    Effect.gen(function* () {
      const { create, current, network, pass, start, vendor } = yield* ordinary
      const engine = yield* start
      yield* network.failNext({ executed: true, reply: "reset" })
      const creating = yield* Effect.forkChild(create(engine), { startImmediately: true })
      yield* pass(8_000)
      const record = yield* Fiber.join(creating)
      const { state } = (yield* current(record)).payment
      assert.strictEqual(state.status === "pending" && state.nextAction?.type, "redirect")
      assert.strictEqual(booksOf(vendor.ledger).links.size, 1)
    }).pipe(Effect.scoped)
  )
})

describe("an account without Order Pay or Payment Links", () => {
  const pair = Effect.fnUntraced(function* (first: { readonly s2s?: boolean }) {
    yield* TestClock.setTime(Date.parse("2026-11-21T10:00:00Z"))
    const ordinaryAccount = yield* fake.start({ mode: "test" })
    const other = yield* fake.start({ mode: "test" })
    const engine = testEngine([
      cashfree({ ...optionsOf(ordinaryAccount), ...first }),
      cashfree({ ...optionsOf(other), id: "other" })
    ])
    return { ...engine, ordinaryAccount, other }
  })

  for (const [name, first] of [
    ["Order Pay", { s2s: true }],
    ["Payment Links", {}]
  ] as const) {
    it.effect(`(${name}) leads to the next provider, and alone fails with a code that names the account`, () =>
      Effect.gen(function* () {
        const { create, current, ordinaryAccount, other, start } = yield* pair(first)
        booksOf(ordinaryAccount.ledger).hasLinks = false
        const engine = yield* start
        const record = yield* current(yield* create(engine, intent))
        assert.deepStrictEqual(
          record.attempts.map(({ provider, status }) => [provider, status]),
          [
            ["cashfree", "not_executed"],
            ["other", "pending"]
          ]
        )
        booksOf(other.ledger).hasLinks = false
        const alone = yield* current(yield* create(engine, intent))
        assert.deepStrictEqual(stateOf(alone), { status: "failed", code: "account_not_enabled", reviews: [] })
        assert.isEmpty(ordinaryAccount.ledger.payments())
      }).pipe(Effect.scoped)
    )
  }
})
