/**
 * An instance that is removed, renamed, retired or configured again, with operations of every kind open: each ends applied, in a
 * review that names the instance, or in the list of unmatched reports. Nothing is counted as foreign.
 */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Logger, Metric } from "effect"
import { TestClock } from "effect/testing"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import type { Evidence } from "../../src/provider/Evidence.ts"
import * as Outcome from "../../src/provider/Outcome.ts"
import type { SendOutcome } from "../../src/provider/Outcome.ts"
import type { ProviderOperation } from "../../src/provider/Provider.ts"
import * as MemoryStore from "../../src/store/MemoryStore.ts"
import { card, cardOnHold, plain, read, reported, scripted, start } from "./fixtures.ts"
import type { Script, Store } from "./fixtures.ts"

const changes = ["removed", "renamed", "retired", "retired without credentials", "back again"] as const
type Change = (typeof changes)[number]

const kinds = ["create", "capture", "cancel", "refund"] as const
type Kind = (typeof kinds)[number]

const states = ["pending", "unknown", "authorized", "succeeded"] as const
type State = (typeof states)[number]

const reports = ["none", "inquiry", "webhook", "statement", "of another instance"] as const
type Report = (typeof reports)[number]

/** The vendor answers inquiries as it answers sends, until the operation is done. */
interface Vendor {
  answer: { readonly [kind in Kind]: SendOutcome }
  /** Inquiries find that the operation was done. */
  isDone: boolean
}

const answers: { readonly [state in State]: SendOutcome } = {
  pending: Outcome.pending(),
  unknown: Outcome.unknown({ reason: "timeout" }),
  authorized: Outcome.authorized(),
  succeeded: Outcome.succeeded()
}

const all = answers.succeeded
const named = (outcome: SendOutcome, { kind }: ProviderOperation): SendOutcome =>
  outcome._tag === "Unknown" ? outcome : { ...outcome, reference: `ref_${kind}` }

const webhook: NonNullable<Script["webhook"]> = (body) =>
  // Boundary: what a vendor sends is anything.
  Effect.sync(() => JSON.parse(new TextDecoder().decode(body)) as ReadonlyArray<Evidence>)
const bytes = (evidence: Evidence) => new TextEncoder().encode(JSON.stringify([evidence]))

const scriptOf = (vendor: Vendor): Script => {
  const perform = (operation: ProviderOperation) => Effect.sync(() => named(vendor.answer[operation.kind], operation))
  return {
    create: perform,
    capture: perform,
    cancel: perform,
    refund: perform,
    inquire: (operation) =>
      Effect.sync(() => named(vendor.isDone ? answers.succeeded : vendor.answer[operation.kind], operation)),
    webhook
  }
}

/** Days pass. */
const seldom = { every: 6 * 3_600_000 }

const other = scripted("other", { create: () => Effect.succeed(Outcome.succeeded()), webhook })

/** An engine with what it logs, and what it counts as foreign. */
const observed = () => {
  const lines: Array<string> = []
  const registry: Metric.MetricRegistry = new Map()
  const layer = Layer.merge(
    Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))]),
    Layer.succeed(Metric.MetricRegistry, registry)
  )
  const foreign = () =>
    Metric.snapshotUnsafe(Context.make(Metric.MetricRegistry, registry)).filter(
      ({ id }) => id === "paymux_foreign_reports_total"
    ).length
  return { lines, layer, foreign }
}

/** An open outcome is answered after ten seconds. */
const answered = Effect.fnUntraced(function* <A, E>(request: Effect.Effect<A, E>) {
  const asked = yield* Effect.forkChild(request)
  yield* TestClock.adjust("11 seconds")
  return yield* Fiber.join(asked)
})

/** The payment with one operation in the state, at an instance `a`. `null`: there is no such operation. */
const begun = Effect.fnUntraced(function* (store: Store, vendor: Vendor, kind: Kind, state: State) {
  if (kind !== "create" && state === "authorized") return null
  const answer = { create: all, capture: all, cancel: all, refund: all }
  const isHeld = kind === "capture" || kind === "cancel" || state === "authorized"
  vendor.answer = { ...answer, create: isHeld ? answers.authorized : all, [kind]: answers[state] }
  const engine = yield* start(store, [scripted("a", scriptOf(vendor)), other], { reconciler: seldom })
  const { payment } = yield* answered(engine.create(isHeld ? cardOnHold : card))
  const amount = { minorUnits: null }
  if (kind === "capture") yield* answered(engine.payments.capture(payment.id, amount, plain))
  if (kind === "cancel") yield* answered(engine.payments.cancel(payment.id, plain))
  if (kind === "refund") yield* answered(engine.payments.refund(payment.id, { ...amount, reason: null }, plain))
  yield* engine.end
  return payment.id
})

const instancesAfter = (change: Change, vendor: Vendor) => {
  switch (change) {
    case "removed":
      return { instances: [other], retired: [] }
    case "retired without credentials":
      return { instances: [other], retired: ["a"] }
    case "renamed":
      return {
        instances: [scripted("b", scriptOf(vendor), undefined, "test", { formerly: ["a"] }), other],
        retired: []
      }
    case "retired":
      return { instances: [scripted("a", scriptOf(vendor), undefined, "test", { retired: true }), other], retired: [] }
    case "back again":
      return { instances: [scripted("a", scriptOf(vendor)), other], retired: [] }
  }
}

/** Of the operation in question: it is settled, or an operator sees it. */
const endOf = (record: PaymentRecord, kind: Kind, parked: number): string => {
  const operation = record.operations.find((each) => each.kind === kind)
  const review = record.payment.reviews.find(({ provider }) => provider === "a")
  if (review !== undefined) return review.reason
  if (parked > 0) return "parked"
  return operation?.status === "succeeded" ? "applied" : `left ${operation?.status}`
}

const play = Effect.fnUntraced(function* (change: Change, kind: Kind, state: State, report: Report) {
  const store = MemoryStore.make()
  const vendor: Vendor = { answer: { create: all, capture: all, cancel: all, refund: all }, isDone: false }
  const id = yield* begun(store, vendor, kind, state)
  if (id === null) return null
  if (change === "back again") {
    const absent = yield* start(store, [other], { reconciler: seldom })
    yield* TestClock.adjust("2 days")
    yield* absent.end
  }
  const { foreign, layer, lines } = observed()
  const { instances, retired } = instancesAfter(change, vendor)
  const engine = yield* Effect.provide(start(store, instances, { retired, reconciler: seldom }), layer)
  const before = yield* read(store, { payment: { id } } as PaymentRecord)
  const operation = before.operations.find((each) => each.kind === kind)
  if (operation === undefined) return yield* Effect.die(new Error("the operation was lost"))
  vendor.isDone = report === "inquiry"
  const done = { ...Outcome.succeeded(), reference: `ref_${kind}` }
  const receive = (instance: string) =>
    Effect.provide(Effect.exit(engine.inbox.receive(instance, bytes(reported(operation.id, done)), {})), layer)
  if (report === "webhook") yield* receive(change === "renamed" ? "b" : "a")
  if (report === "of another instance") yield* receive("other")
  if (report === "statement") {
    yield* engine.payments.advance(
      { ...reported(operation.id, done), source: "statement" },
      { provider: "a", document: null }
    )
  }
  yield* TestClock.adjust("31 hours")
  const record = yield* read(store, before)
  const parked = yield* engine.reviews.parked(9)
  assert.strictEqual(foreign(), 0)
  return { record, parked, lines, end: endOf(record, kind, parked.length) }
})

describe("an instance that is", () => {
  for (const change of changes) {
    it.effect(`${change}: each of its operations ends applied, parked or in a review`, () =>
      Effect.gen(function* () {
        const left: Array<string> = []
        for (const kind of kinds) {
          for (const state of states) {
            for (const report of reports) {
              const played = yield* play(change, kind, state, report)
              if (played === null) continue
              const { end } = played
              const isServed = change === "renamed" || change === "retired" || change === "back again"
              // Without a report the vendor has decided nothing, and the engine inquires further.
              const isUnreported = report === "none" || report === "of another instance"
              if (end.startsWith("left") && !(isServed && isUnreported)) left.push(`${kind} ${state} ${report}: ${end}`)
              if (report === "of another instance") assert.strictEqual(played.parked.length, 1, `${kind} ${state}`)
            }
          }
        }
        assert.deepStrictEqual(left, [])
      })
    )
  }
})

describe("a renamed instance", () => {
  const b = (script: Script) => scripted("b", script, undefined, "test", { formerly: ["a"] })

  it.effect(
    "settles payments of its former id by the provider's reference, at both addresses; another one does not",
    () =>
      Effect.gen(function* () {
        for (const address of ["a", "b", "other"]) {
          const store = MemoryStore.make()
          const vendor: Vendor = { answer: { create: all, capture: all, cancel: all, refund: all }, isDone: false }
          const id = yield* begun(store, vendor, "create", "pending")
          assert.isNotNull(id)
          if (id === null) return
          const { inbox } = yield* start(store, [b(scriptOf(vendor)), other], { reconciler: seldom })
          const about = { provider: address === "other" ? "other" : "b", providerReference: "ref_create" }
          yield* inbox.receive(address, bytes(reported(about, { ...all, reference: "ref_create" })), {})
          const state = (yield* store.get(id))?.payment.state.status
          assert.strictEqual(state, address === "other" ? "pending" : "succeeded", address)
        }
      })
  )

  it.effect("continues with the state of its first id", () =>
    Effect.gen(function* () {
      const store = MemoryStore.make()
      const counting: Script = {
        create: (_, { state }) =>
          Effect.map(state.next("payments"), (n) => Outcome.succeeded({ reference: `ref_${n}` }))
      }
      const first = yield* start(store, [scripted("a", counting)], { reconciler: seldom })
      yield* first.create()
      yield* first.end
      const { create } = yield* start(store, [b(counting)], { reconciler: seldom })
      const { operations } = yield* create()
      assert.deepStrictEqual(
        operations.map(({ provider, reference }) => [provider, reference]),
        [["b", "ref_2"]]
      )
    })
  )
})
