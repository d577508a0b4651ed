/** A hold belongs to one attempt: it is released, captured and refunded there, under the name of that attempt's own charge. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { OperationId } from "../../src/domain/Ids.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { InquiryOutcome } from "../../src/domain/Outcome.ts"
import type { ProviderOperation } from "../../src/provider/Provider.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { cardOnHold, createOf, plain, read, reported, scripted, start, summary } from "./fixtures.ts"

const notSent = () => Effect.succeed(Outcome.notExecuted({ reason: "not_sent" }))

/** Two providers with books of their own. `sends`: each capture, cancel and refund, with the charge that it names. */
const twoProviders = Effect.fnUntraced(function* (second: InquiryOutcome & Outcome.SendOutcome) {
  const books = new Map<OperationId, InquiryOutcome>()
  const sends: Array<string> = []
  const creates = new Map<string, string>()
  const provider = (id: string, create: () => Effect.Effect<Outcome.SendOutcome>) => {
    const followUp = ({ kind, original }: ProviderOperation) =>
      Effect.sync(() => {
        const isOwn = original !== null && creates.get(original.key) === id
        sends.push(
          `${id}: ${kind} of ${original?.reference ?? "no charge"}${isOwn ? "" : ", under the key of another"}`
        )
        return Outcome.succeeded()
      })
    return scripted(id, {
      create: ({ key }) => Effect.suspend(() => (creates.set(key, id), create())),
      inquire: (operation) => Effect.sync(() => books.get(operation.id) ?? Outcome.notFound()),
      capture: followUp,
      cancel: followUp,
      refund: followUp
    })
  }
  const store = MemoryStore.make()
  const engine = yield* start(store, [provider("a", notSent), provider("b", () => Effect.succeed(second))])
  const record = yield* engine.create(cardOnHold)
  return {
    ...engine,
    id: record.payment.id,
    sends,
    now: Effect.map(read(store, record), summary),
    /** A true report of the attempt's provider. */
    report: (seq: number, outcome: InquiryOutcome & Outcome.Outcome) =>
      Effect.gen(function* () {
        const id = createOf(yield* read(store, record), seq)
        books.set(id, outcome)
        yield* engine.payments.advance(reported(id, outcome))
        yield* TestClock.adjust("1 minute")
      })
  }
})

const holdAt = (provider: string) => Outcome.authorized({ reference: `hold_${provider}` })

describe("a hold that no payment needs", () => {
  it.effect("of an earlier attempt is released there, and the hold that the payment waits for stays", () =>
    Effect.gen(function* () {
      const { id, now, payments, report, sends } = yield* twoProviders(holdAt("b"))
      yield* report(1, holdAt("a"))
      assert.deepStrictEqual(sends, ["a: cancel of hold_a"])
      assert.deepStrictEqual(yield* now, {
        state: "authorized",
        reviews: [],
        attempts: ["a canceled overpayment", "b authorized"],
        later: ["reversal cancel 1200 succeeded"]
      })
      yield* payments.capture(id, { minorUnits: null }, plain)
      assert.deepStrictEqual(sends.slice(1), ["b: capture of hold_b"])
      assert.strictEqual((yield* now).state, "succeeded")
    })
  )

  it.effect("of a later attempt is released there, and the charge that paid is left alone", () =>
    Effect.gen(function* () {
      const { now, report, sends } = yield* twoProviders(Outcome.pending({ reference: "hold_b" }))
      yield* report(1, Outcome.succeeded({ reference: "charge_a" }))
      yield* report(2, holdAt("b"))
      assert.deepStrictEqual(sends, ["b: cancel of hold_b"])
      assert.deepInclude(yield* now, { state: "succeeded", attempts: ["a succeeded", "b canceled overpayment"] })
    })
  )
})

describe("after a failover", () => {
  it.effect("the merchant's cancel releases the hold of the attempt that has it", () =>
    Effect.gen(function* () {
      const { id, now, payments, sends } = yield* twoProviders(holdAt("b"))
      yield* payments.cancel(id, plain)
      assert.deepStrictEqual(sends, ["b: cancel of hold_b"])
      assert.strictEqual((yield* now).state, "canceled")
    })
  )

  it.effect("a capture and a refund name the charge of the attempt that paid", () =>
    Effect.gen(function* () {
      const { id, payments, sends } = yield* twoProviders(holdAt("b"))
      yield* payments.capture(id, { minorUnits: null }, plain)
      yield* payments.refund(id, { minorUnits: 100, reason: null }, plain)
      assert.deepStrictEqual(sends, ["b: capture of hold_b", "b: refund of hold_b"])
    })
  )
})
