import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { NewPayment } from "../../src/domain/Payment.ts"
import { Retention, retentionDefaults } from "../../src/execution/records/Retention.ts"
import type { RetentionSettings } from "../../src/execution/records/Retention.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { Evidence } from "../../src/domain/Evidence.ts"
import { eventKey } from "../../src/store/eventKey.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { PaymentStore, StoreUnavailable } from "../../src/store/PaymentStore.ts"
import {
  card,
  cardOnHold,
  createOf,
  inquiryOnly,
  keyed,
  plain,
  read,
  scripted,
  start,
  summary,
  tenant,
  reported
} from "./fixtures.ts"
import type { Script, Store } from "./fixtures.ts"

const retentionOn = (store: Store, settings?: RetentionSettings) =>
  Effect.map(Layer.build(Layer.provide(Retention.layer(settings), Layer.succeed(PaymentStore, store))), (context) =>
    Context.get(context, Retention)
  )

/** Months pass: due work is looked for once an hour. */
const slow = { reconciler: { every: 3_600_000 } }

const endpoint = "POST /v1/payments"
const options = keyed(endpoint, "order-1")

describe("the bytes of an answer", () => {
  const environment = Effect.fnUntraced(function* (settings?: RetentionSettings) {
    const calls = { made: 0 }
    const store = MemoryStore.make()
    const { payments } = yield* start(
      store,
      [
        scripted("a", {
          create: ({ id }) =>
            Effect.map(
              Effect.sync(() => void calls.made++),
              () => Outcome.succeeded({ reference: `pi_${id}` })
            ),
          refund: () => Effect.succeed(Outcome.succeeded())
        })
      ],
      slow
    )
    yield* retentionOn(store, settings)
    const kept = Effect.map(store.findKey(tenant, endpoint, "order-1"), (key) => key?.answer ?? null)
    return { calls, store, payments, kept }
  })

  it.effect(
    "are replayed for 30 days; then the same request answers the payment as it stands, and another is refused (P5)",
    () =>
      Effect.gen(function* () {
        const { calls, kept, payments, store } = yield* environment()
        const first = yield* payments.create(yield* card, options)
        const { id } = first.record.payment
        yield* payments.refund(id, { minorUnits: 200, reason: null }, plain)
        yield* TestClock.adjust("29 days")
        assert.strictEqual((yield* payments.create(yield* card, options)).body, first.body)
        for (const days of [2, 400]) {
          yield* TestClock.adjust(`${days} days`)
          assert.isNull(yield* kept)
          const again = yield* payments.create(yield* card, options)
          assert.isTrue(again.replayed)
          assert.deepInclude(JSON.parse(again.body), { id, status: "succeeded", amount_refunded: 200 })
          // Of two replays soon after each other, the bytes are the same.
          assert.strictEqual((yield* payments.create(yield* card, options)).body, again.body)
          const other: NewPayment = { ...(yield* card), description: "another" }
          assert.strictEqual((yield* Effect.flip(payments.create(other, options))).reason._tag, "IdempotencyKeyReused")
        }
        const all = yield* store.routed(tenant, { after: null, createdFrom: 0, createdBefore: Infinity, limit: 9 })
        assert.deepStrictEqual({ rows: all.length, calls: calls.made }, { rows: 1, calls: 1 })
      })
  )

  it.effect("of many are forgotten in one pass, stretch by stretch; those of young requests stay", () =>
    Effect.gen(function* () {
      const { payments, store } = yield* environment()
      const keys = Array.from({ length: 450 }, (_, n) => `order-${n}`)
      yield* Effect.forEach(keys, (key) =>
        Effect.flatMap(card, (asked) => payments.create(asked, keyed(endpoint, key)))
      )
      yield* TestClock.adjust("20 days")
      yield* payments.create(yield* card, keyed(endpoint, "young"))
      const countKept = Effect.map(
        Effect.forEach([...keys, "young"], (key) => store.findKey(tenant, endpoint, key)),
        (found) => found.filter((each) => each !== null && each.answer !== null).length
      )
      assert.strictEqual(yield* countKept, 451)
      yield* TestClock.adjust("11 days")
      assert.strictEqual(yield* countKept, 1)
    })
  )

  it.effect("are kept for good where that is asked for", () =>
    Effect.gen(function* () {
      const { kept, payments } = yield* environment({ answers: null, inbox: null })
      const first = yield* payments.create(yield* card, options)
      yield* TestClock.adjust("400 days")
      assert.strictEqual(yield* kept, first.body)
    })
  )
})

describe("a pass", () => {
  it.effect("that fails is made again an hour later; on several processes it is done once", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const { payments } = yield* start(
        store,
        [scripted("a", { create: () => Effect.succeed(Outcome.succeeded()) })],
        slow
      )
      const first = yield* payments.create(yield* card, options)
      yield* TestClock.adjust("31 days")
      let isAway = true
      const passes: Array<number> = []
      const counted: Store = {
        ...store,
        retention: {
          ...store.retention,
          pruneAnswers: (query) =>
            isAway
              ? Effect.fail(new StoreUnavailable({ cause: "away" }))
              : Effect.tap(store.retention.pruneAnswers(query), ({ pruned }) =>
                  Effect.sync(() => void passes.push(pruned))
                )
        }
      }
      for (let process = 0; process < 3; process++) yield* retentionOn(counted)
      const kept = Effect.map(store.findKey(tenant, endpoint, "order-1"), (key) => key?.answer ?? null)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(yield* kept, first.body)
      isAway = false
      yield* TestClock.adjust("1 hour")
      assert.isNull(yield* kept)
      assert.deepStrictEqual(
        passes.toSorted((a, b) => a - b),
        [0, 0, 1]
      )
    })
  )
})

describe("the reports of a provider", () => {
  const vendor: NonNullable<Script["webhook"]> = (body) =>
    // Boundary: a vendor may send any JSON.
    Effect.sync(() => JSON.parse(new TextDecoder().decode(body)) as ReadonlyArray<Evidence>)

  const environment = Effect.fnUntraced(function* () {
    const store = MemoryStore.make()
    const asked: Array<string> = []
    const note = <A>(word: string, answer: A) =>
      Effect.map(
        Effect.sync(() => void asked.push(word)),
        () => answer
      )
    const engine = yield* start(
      store,
      [
        scripted(
          "a",
          {
            create: ({ captureMethod, key }) =>
              note(
                "create",
                captureMethod === "manual"
                  ? Outcome.authorized({ reference: key })
                  : Outcome.succeeded({ reference: key })
              ),
            capture: () => note("capture", Outcome.succeeded()),
            cancel: () => note("cancel", Outcome.succeeded()),
            refund: () => note("refund", Outcome.pending({ reference: "re_1" })),
            webhook: vendor
          },
          inquiryOnly
        )
      ],
      slow
    )
    const receive = (evidence: Evidence) =>
      engine.inbox.receive("a", new TextEncoder().encode(JSON.stringify([evidence])), {})
    return { ...engine, store, asked, receive, retention: yield* retentionOn(store) }
  })

  /** Reported, forgotten after 90 days, and reported again: by the provider's redelivery, or by a client that has the bytes. */
  const replayed = Effect.fnUntraced(function* (
    { asked, receive, retention, store }: Effect.Success<ReturnType<typeof environment>>,
    record: Parameters<typeof read>[1],
    reported: ReadonlyArray<Evidence>
  ) {
    yield* TestClock.adjust("91 days")
    assert.strictEqual((yield* retention.pass).inbox, 0, "the hourly pass was there")
    const before = {
      record: yield* read(store, record),
      asked: [...asked],
      events: yield* store.undispatchedEvents(99)
    }
    for (const evidence of reported) assert.strictEqual(yield* receive(evidence), "applied")
    yield* TestClock.adjust("1 hour")
    assert.deepStrictEqual(
      { record: yield* read(store, record), asked, events: yield* store.undispatchedEvents(99) },
      before
    )
    return before.record
  })

  it.effect("is not applied again after it was forgotten: a hold that has lapsed is not held once more", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const record = yield* here.create(cardOnHold)
      const about = createOf(record)
      const claims: ReadonlyArray<Outcome.Outcome> = [{ _tag: "Authorized" }, { _tag: "Expired" }]
      const events = claims.map((outcome, n) => reported(about, outcome, `e${n}`))
      for (const event of events) yield* here.receive(event)
      assert.strictEqual(summary(yield* read(here.store, record)).state, "failed")
      yield* replayed(here, record, events)
    })
  )

  it.effect("nor a refund that was confirmed, and then came back", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const record = yield* here.create()
      const { operation } = yield* here.payments.refund(record.payment.id, { minorUnits: null, reason: null }, plain)
      const claims: ReadonlyArray<Outcome.Outcome> = [{ _tag: "RefundSucceeded" }, { _tag: "RefundFailed" }]
      const events = claims.map((outcome, n) => reported(operation.id, outcome, `e${n}`))
      for (const event of events) yield* here.receive(event)
      const after = yield* replayed(here, record, events)
      assert.deepInclude(summary(after), { state: "succeeded", reviews: [] })
      assert.strictEqual(after.payment.amountRefunded, 0)
    })
  )

  it.effect("without an id of the provider's is known by its bytes", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const record = yield* here.create(cardOnHold)
      const events = ([{ _tag: "Authorized" }, { _tag: "Expired" }] as const).map((claim) =>
        reported(createOf(record), claim)
      )
      for (const event of events) yield* here.receive(event)
      yield* replayed(here, record, events)
    })
  )

  it.effect("loses what its payer was shown as soon as it is applied", () =>
    Effect.gen(function* () {
      const { create, receive, store } = yield* environment()
      const record = yield* create()
      const nextAction = { type: "redirect", url: "https://pay.example.com/asha", expiresAt: null } as const
      const event = reported(createOf(record), { _tag: "Pending", nextAction }, "e1")
      yield* receive(event)
      const [kept] = yield* store.inbox.keep([
        {
          provider: "a",
          eventKey: yield* eventKey(event, ""),
          evidence: event,
          document: null,
          status: "waiting",
          tries: 0,
          nextTryAt: 0,
          receivedAt: 0,
          livemode: false,
          disposition: null
        }
      ])
      assert.strictEqual(kept?.status, "applied")
      assert.notInclude(JSON.stringify(kept), "asha")
    })
  )

  it("defaults to 30 days for responses and 90 for reports", () => {
    assert.deepStrictEqual(retentionDefaults, { answers: 30 * 86_400_000, inbox: 90 * 86_400_000 })
  })
})
