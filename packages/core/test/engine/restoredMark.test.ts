/**
 * A database that is marked as restored, with the API open: clients repeat requests that it has lost. Each provider has a ledger
 * of its own, which outlives the databases.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { createHmac } from "node:crypto"
import { make as makeIds } from "../../src/domain/Ids.ts"
import { NameDigest } from "../../src/domain/NameDigest.ts"
import { failoverOrigin } from "../../src/domain/origins.ts"
import { clientsRepeatFor } from "../../src/domain/restoredMark.ts"
import type { PaymentError } from "../../src/domain/PaymentError.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import type { Capabilities, OperationCapability } from "../../src/provider/Capabilities.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { SendOutcome } from "../../src/domain/Outcome.ts"
import type { ProviderOperation } from "../../src/provider/Provider.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { everyPayment } from "../../src/store/PaymentStore.ts"
import type { RestoredMark } from "../../src/domain/restoredMark.ts"
import { PaymentRecords } from "@paymux/test-suites"
import { card, idempotent, inquiryOnly, keyed, laterIdempotent, scripted, start, summary, tenant } from "./fixtures.ts"
import type { Script } from "./fixtures.ts"

const { aRecord, ended } = PaymentRecords

const HOUR = 3_600_000
const MINUTE = 60_000

const digest = (text: string) => createHmac("sha256", "one").update(text).digest()
const installation = Layer.succeed(NameDigest, digest)

const keysOnly = { idempotency: { by: "header", lifetime: "24 hours" }, declineIsFinal: true } as const
const neither = { declineIsFinal: true } as const
/** It can be asked, and "not found" proves nothing. */
const withoutProof = { inquiry: { by: "reference" } } as const

const taken = Outcome.succeeded()
const soft = Outcome.declined({ code: "issuer_unavailable", retry: "other_provider" })

/** A provider with a ledger: what it was sent, by our id, and what it answered. */
const vendor = (id: string, create: Capabilities["operations"]["create"], answer: SendOutcome = taken) => {
  const sends: Array<ProviderOperation> = []
  const asked: Array<string> = []
  const state = { isReachable: true }
  const honorsKeys = create.idempotency !== undefined
  const script: Script = {
    create: (operation) =>
      Effect.sync(() => {
        if (!honorsKeys || sends.every(({ key }) => key !== operation.key)) sends.push(operation)
        return answer
      }),
    inquire: (operation) =>
      Effect.sync(() => {
        asked.push(operation.id)
        if (!state.isReachable) return Outcome.unknown({ reason: "timeout" })
        return sends.some((each) => each.id === operation.id) ? answer : Outcome.notFound()
      })
  }
  const provider = scripted(id, script, create)
  const renamed = (to: string) => ({
    provider: scripted(to, script, create, "test", { formerly: [id] }),
    sends,
    asked,
    state
  })
  return { provider, renamed, sends, asked, state }
}

type Vendor = Pick<ReturnType<typeof vendor>, "asked" | "provider" | "sends">

const serverOf = (store: ReturnType<typeof MemoryStore.make>, vendors: ReadonlyArray<Vendor>) =>
  start(
    store,
    vendors.map(({ provider }) => provider),
    {},
    installation
  )

const request = keyed("payments", "order 1")

const createdAt = (server: Effect.Success<ReturnType<typeof start>>, minorUnits = 1200) =>
  Effect.flatMap(card, (asked) =>
    server.payments.create({ ...asked, amount: { ...asked.amount, minorUnits } }, request)
  )

/** A purchase on a database that is lost then. */
const purchase = Effect.fnUntraced(function* (vendors: ReadonlyArray<Vendor>) {
  const server = yield* serverOf(MemoryStore.make(), vendors)
  yield* Effect.orDie(createdAt(server))
  yield* server.end
  for (const { asked } of vendors) asked.length = 0
})

/** The database that is left: empty, with the mark. */
const restored = Effect.fnUntraced(function* (
  change: Partial<RestoredMark> = {},
  formerNamesUntil: number | null = null
) {
  const store = MemoryStore.make()
  const now = yield* store.now
  const before = yield* store.restoration.read
  const mark = {
    wentBackTo: now - MINUTE,
    markedAt: now,
    until: now + clientsRepeatFor,
    acceptedDoubles: [],
    ...change
  }
  yield* store.restoration.replace(before, mark)
  const restoration = Effect.map(store.restoration.read, (read) => ({ ...read, formerNamesUntil }))
  return { ...store, restoration: { ...store.restoration, read: restoration } }
})

const refusal = (error: PaymentError) => error.reason

const all = (store: ReturnType<typeof MemoryStore.make>) =>
  Effect.map(store.list(tenant, everyPayment), ({ records }) => records)

const inHours = TestClock.adjust("10 hours")

describe("a repeated request, on a database that was restored and does not know its key", () => {
  it.effect("is adopted from the provider that has it, and nothing is sent", () =>
    Effect.gen(function* () {
      yield* inHours
      const [a, b] = [vendor("a", inquiryOnly), vendor("b", inquiryOnly)]
      yield* purchase([a, b])
      const store = yield* restored()
      const server = yield* serverOf(store, [a, b])
      const { body, record } = yield* createdAt(server)
      assert.deepInclude(summary(record), { state: "succeeded", attempts: ["a succeeded"], reviews: [] })
      assert.deepStrictEqual(
        record.operations.map(({ id, key }) => ({ id, key })),
        a.sends.map(({ id, key }) => ({ id, key }))
      )
      assert.deepStrictEqual([a.sends.length, b.sends.length], [1, 0])
      const again = yield* createdAt(server)
      assert.deepStrictEqual([again.body, again.replayed], [body, true])
    })
  )

  it.effect("is adopted from a provider that is no longer its first candidate", () =>
    Effect.gen(function* () {
      yield* inHours
      const [a, b] = [vendor("a", inquiryOnly), vendor("b", idempotent)]
      yield* purchase([a, b])
      const server = yield* serverOf(yield* restored(), [b, a])
      const { record } = yield* createdAt(server)
      assert.deepInclude(summary(record), { state: "succeeded", attempts: ["a succeeded"] })
      assert.deepStrictEqual([a.sends.length, b.sends.length], [1, 0])
    })
  )

  it.effect("goes on where it was, if its first provider has declined it and the failover was lost", () =>
    Effect.gen(function* () {
      yield* inHours
      const [a, b] = [vendor("a", idempotent, soft), vendor("b", keysOnly)]
      yield* purchase([a, b])
      assert.deepStrictEqual([a.sends.length, b.sends.length], [1, 1])
      const server = yield* serverOf(yield* restored(), [a, b])
      yield* Effect.ignore(createdAt(server))
      yield* TestClock.adjust("5 seconds")
      const { record } = yield* createdAt(server)
      assert.deepInclude(summary(record), { state: "succeeded", attempts: ["a declined", "b succeeded"] })
      assert.deepStrictEqual([a.sends.length, b.sends.length], [1, 1])
    })
  )

  it.effect("is adopted with the money, where one provider declined it and another one took it", () =>
    Effect.gen(function* () {
      yield* inHours
      const [a, b] = [vendor("a", idempotent, soft), vendor("b", inquiryOnly)]
      yield* purchase([a, b])
      const server = yield* serverOf(yield* restored(), [a, b])
      const { record } = yield* createdAt(server)
      assert.deepInclude(summary(record), { state: "succeeded", attempts: ["b succeeded"] })
      assert.deepStrictEqual([a.sends.length, b.sends.length], [1, 1])
    })
  )

  it.effect("is adopted once, and the other charge is listed, where two providers have taken it", () =>
    Effect.gen(function* () {
      yield* inHours
      const [a, b] = [vendor("a", inquiryOnly), vendor("b", inquiryOnly)]
      yield* purchase([a])
      yield* purchase([b])
      const store = yield* restored()
      const server = yield* serverOf(store, [a, b])
      const { record } = yield* createdAt(server)
      assert.deepInclude(summary(record), { state: "succeeded", attempts: ["a succeeded"] })
      assert.strictEqual((yield* store.backlog(yield* store.now)).parkedInbox, 1)
    })
  )

  it.effect("is adopted as canceled if another payment has its order by now, and its charge is in excess", () =>
    Effect.gen(function* () {
      yield* inHours
      const a = vendor("a", inquiryOnly)
      yield* purchase([a])
      const store = yield* restored()
      const server = yield* serverOf(store, [a])
      const ordered = Effect.map(card, (asked) => ({ ...asked, order: "1001" }))
      const other = yield* server.payments.create(yield* ordered, { tenant, idempotency: null })
      const { body, record } = yield* server.payments.create(yield* ordered, request)
      assert.deepInclude(summary(record), {
        state: "canceled",
        attempts: ["a succeeded overpayment"],
        reviews: ["late_success"]
      })
      assert.strictEqual(record.payment.reviews[0]?.minorUnits, 1200)
      assert.strictEqual(a.sends.length, 2)
      assert.strictEqual(yield* store.orders.holder(tenant, "1001"), other.record.payment.id)
      const again = yield* server.payments.create(yield* ordered, request)
      assert.deepStrictEqual([again.body, again.replayed], [body, true])
    })
  )

  it.effect("is adopted as canceled if a payment that began after the restore has its order, though it is open", () =>
    Effect.gen(function* () {
      yield* inHours
      const a = vendor("a", inquiryOnly)
      yield* purchase([a])
      const store = yield* restored()
      const now = yield* store.now
      yield* store.begin({ record: aRecord(1, { order: "1001", createdAt: now, updatedAt: now }), binding: null })
      const server = yield* serverOf(store, [a])
      const ordered = Effect.map(card, (asked) => ({ ...asked, order: "1001" }))
      const { record } = yield* server.payments.create(yield* ordered, request)
      assert.deepInclude(summary(record), { state: "canceled", attempts: ["a succeeded overpayment"] })
    })
  )

  it.effect("waits for an earlier payment of its order that is authorized", () =>
    Effect.gen(function* () {
      yield* inHours
      const a = vendor("a", inquiryOnly)
      yield* purchase([a])
      const store = yield* restored()
      const state = { status: "authorized" } as const
      yield* store.begin({ record: aRecord(1, { order: "1001", createdAt: 1, state }), binding: null })
      const server = yield* serverOf(store, [a])
      const ordered = Effect.map(card, (asked) => ({ ...asked, order: "1001" }))
      const error = yield* Effect.flip(Effect.flatMap(ordered, (asked) => server.payments.create(asked, request)))
      assert.deepInclude(error.reason, { _tag: "Restoring" })
    })
  )

  it.effect("waits until an earlier payment of its order has ended, and is adopted as paid then", () =>
    Effect.gen(function* () {
      yield* inHours
      const a = vendor("a", inquiryOnly)
      yield* purchase([a])
      const store = yield* restored()
      // Declined before the lost purchase began; the database has lost that.
      const before = aRecord(1, { order: "1001", createdAt: 1, updatedAt: 1 })
      yield* store.begin({ record: before, binding: null })
      const server = yield* serverOf(store, [a])
      const ordered = Effect.map(card, (asked) => ({ ...asked, order: "1001" }))
      const create = Effect.flatMap(ordered, (asked) => server.payments.create(asked, request))
      assert.deepInclude((yield* Effect.flip(create)).reason, { _tag: "Restoring" })
      assert.isNull(yield* store.findKey(tenant, "payments", "order 1"))
      // The request may never be repeated, so the charge is in the list of reports, once.
      yield* Effect.flip(create)
      assert.strictEqual((yield* store.backlog(yield* store.now)).parkedInbox, 1)
      const failure = { code: "do_not_honor", message: "", retryable: true } as const
      const standing = (yield* store.get(before.payment.id)) ?? assert.fail("it is gone")
      const after = ended(standing, "declined", { state: { status: "failed", failure } })
      const commit = { before: standing, after, events: [], evidence: null, binding: null, answer: null }
      assert.strictEqual((yield* store.advance(commit))._tag, "Advanced")
      const { record } = yield* create
      assert.deepInclude(summary(record), { state: "succeeded", attempts: ["a succeeded"], reviews: [] })
      assert.strictEqual(a.sends.length, 1)
    })
  )

  it.effect("is in review if the provider has it with another amount, and is not adopted", () =>
    Effect.gen(function* () {
      yield* inHours
      const { amount } = yield* card
      const a = vendor("a", inquiryOnly, Outcome.succeeded({ reference: "ch_1", amount }))
      yield* purchase([a])
      const server = yield* serverOf(yield* restored(), [a])
      const { record } = yield* createdAt(server, 1500)
      assert.deepInclude(summary(record), { state: "pending", reviews: ["amount_mismatch"] })
      assert.strictEqual(a.sends.length, 1)
    })
  )

  it.effect("is sent under its key to a provider that honors keys and cannot be asked", () =>
    Effect.gen(function* () {
      yield* inHours
      const a = vendor("a", keysOnly)
      yield* purchase([a])
      const server = yield* serverOf(yield* restored(), [a])
      const { record } = yield* createdAt(server)
      assert.deepInclude(summary(record), { state: "succeeded" })
      assert.strictEqual(a.sends.length, 1)
    })
  )

  it.effect("has the same names at an instance that was renamed in between, first or after another one", () =>
    Effect.gen(function* () {
      yield* inHours
      for (const create of [keysOnly, idempotent]) {
        for (const before of [[], [vendor("b", neither, soft)]]) {
          const a = vendor("a", create)
          yield* purchase([...before, a])
          const store = yield* restored({ acceptedDoubles: ["b"] })
          const server = yield* serverOf(store, [...before, a.renamed("new")])
          const { record } = yield* createdAt(server)
          assert.strictEqual(summary(record).state, "succeeded")
          assert.strictEqual(a.sends.length, 1)
        }
      }
    })
  )

  it.effect(
    "is refused if the provider may have forgotten the key: its life counts from the moment that was lost",
    () =>
      Effect.gen(function* () {
        yield* TestClock.adjust("48 hours")
        const a = vendor("a", keysOnly)
        yield* purchase([a])
        const store = yield* restored({ wentBackTo: (yield* MemoryStore.make().now) - 23 * HOUR })
        const server = yield* serverOf(store, [a])
        assert.strictEqual((yield* createdAt(server)).record.payment.state.status, "succeeded")
        const late = yield* serverOf(yield* restored({ wentBackTo: (yield* store.now) - 24 * HOUR + 14 * MINUTE }), [a])
        assert.strictEqual(refusal(yield* Effect.flip(createdAt(late)))._tag, "Restoring")
        assert.strictEqual(a.sends.length, 1)
      })
  )

  it.effect("is found in the database, if another process has written it again without its key", () =>
    Effect.gen(function* () {
      yield* inHours
      const [a, b] = [vendor("a", neither), vendor("b", idempotent)]
      const lost = MemoryStore.make()
      const before = yield* serverOf(lost, [a, b])
      const { record } = yield* createdAt(before)
      const store = yield* restored()
      yield* store.begin({ record, binding: null })
      const server = yield* serverOf(store, [b, a])
      const { record: found, replayed } = yield* createdAt(server)
      assert.deepStrictEqual([found.payment.id, replayed], [record.payment.id, true])
      assert.deepStrictEqual([a.sends.length, b.sends.length], [1, 0])
    })
  )
})

describe("a request with an unknown key, on a database that was restored, is refused before anything is written", () => {
  const expectRefused = Effect.fnUntraced(function* (
    store: ReturnType<typeof MemoryStore.make>,
    vendors: ReadonlyArray<Vendor>
  ) {
    const server = yield* serverOf(store, vendors)
    const reason = refusal(yield* Effect.flip(createdAt(server)))
    assert.strictEqual(reason._tag, "Restoring")
    assert.deepStrictEqual(yield* all(store), [])
    assert.isNull(yield* store.findKey(tenant, "payments", "order 1"))
    return { server, retryAfterMs: reason._tag === "Restoring" ? reason.retryAfterMs : 0 }
  })

  it.effect("if its provider can neither be asked nor honors keys, until the mark ends", () =>
    Effect.gen(function* () {
      yield* inHours
      const a = vendor("a", neither)
      const store = yield* restored({ until: (yield* MemoryStore.make().now) + MINUTE })
      const { retryAfterMs, server } = yield* expectRefused(store, [a])
      assert.strictEqual(retryAfterMs, MINUTE)
      assert.strictEqual(a.sends.length, 0)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* createdAt(server)).record.payment.state.status, "succeeded")
    })
  )

  it.effect("if its provider can be asked, and its answer proves nothing", () =>
    Effect.gen(function* () {
      yield* inHours
      const a = vendor("a", withoutProof)
      yield* expectRefused(yield* restored(), [a])
      assert.strictEqual(a.asked.length, 1)
    })
  )

  it.effect('until "not found" is final for what was sent last before the mark', () =>
    Effect.gen(function* () {
      yield* inHours
      const a = vendor("a", inquiryOnly)
      const { retryAfterMs, server } = yield* expectRefused(yield* restored(), [a])
      assert.strictEqual(retryAfterMs, 15 * MINUTE + 30_000)
      yield* TestClock.adjust(retryAfterMs - 1)
      assert.strictEqual(refusal(yield* Effect.flip(createdAt(server)))._tag, "Restoring")
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* createdAt(server)).record.payment.state.status, "succeeded")
      assert.strictEqual(a.sends.length, 1)
    })
  )

  it.effect("if its provider does not answer", () =>
    Effect.gen(function* () {
      yield* inHours
      const a = vendor("a", inquiryOnly)
      const store = yield* restored()
      yield* TestClock.adjust("1 hour")
      a.state.isReachable = false
      const { server } = yield* expectRefused(store, [a])
      a.state.isReachable = true
      assert.strictEqual((yield* createdAt(server)).record.payment.state.status, "succeeded")
    })
  )

  it.effect("unless an operator has accepted doubles at the provider, and at no other one", () =>
    Effect.gen(function* () {
      yield* inHours
      const [a, b] = [vendor("a", neither), vendor("b", neither)]
      yield* expectRefused(yield* restored({ acceptedDoubles: ["c"] }), [a, b])
      const server = yield* serverOf(yield* restored({ acceptedDoubles: ["b"] }), [a, b])
      const { record } = yield* createdAt(server)
      assert.deepStrictEqual([record.payment.provider, a.sends.length, b.sends.length], ["b", 0, 1])
      assert.deepInclude(record.payment.routing.dropped, { provider: "a", reason: "restoring" })
    })
  )
})

describe("a database that was restored", () => {
  it.effect("has a failover take only providers that may be sent to", () =>
    Effect.gen(function* () {
      yield* inHours
      const [a, b, c] = [vendor("a", keysOnly, soft), vendor("b", neither), vendor("c", keysOnly)]
      const server = yield* serverOf(yield* restored(), [a, b, c])
      const { record } = yield* createdAt(server)
      assert.deepInclude(summary(record), { state: "succeeded", attempts: ["a declined", "c succeeded"] })
      assert.strictEqual(b.sends.length, 0)
    })
  )

  it.effect("has the lost failover of a payment that it knows take no provider that may charge twice", () =>
    Effect.gen(function* () {
      yield* inHours
      const [a, b, c] = [vendor("a", idempotent, soft), vendor("b", neither), vendor("c", keysOnly)]
      const begun: Array<PaymentRecord> = []
      const lost = MemoryStore.make()
      const keeping = {
        ...lost,
        begin: (commit: Parameters<typeof lost.begin>[0]) =>
          Effect.suspend(() => (begun.push(commit.record), lost.begin(commit)))
      }
      const before = yield* serverOf(keeping, [a, b, c])
      yield* Effect.orDie(createdAt(before))
      yield* before.end
      assert.strictEqual(b.sends.length, 1)
      yield* TestClock.adjust("1 second")
      const store = yield* restored()
      for (const record of begun) yield* store.begin({ record, binding: null })
      yield* serverOf(store, [a, b, c])
      yield* TestClock.adjust("20 seconds")
      const [record] = yield* all(store)
      assert.deepStrictEqual(record === undefined ? [] : summary(record).attempts, ["a declined", "c succeeded"])
      assert.strictEqual(b.sends.length, 1)
    })
  )

  it.effect("is noticed by a process that has begun payments before it was marked", () =>
    Effect.gen(function* () {
      yield* inHours
      const a = vendor("a", neither)
      const store = MemoryStore.make()
      const server = yield* serverOf(store, [a])
      yield* Effect.orDie(server.payments.create(yield* card, keyed("payments", "order 0")))
      const now = yield* store.now
      const report = { wentBackTo: now, markedAt: now, until: now + HOUR, acceptedDoubles: [] }
      yield* store.restoration.replace(yield* store.restoration.read, report)
      assert.strictEqual(refusal(yield* Effect.flip(createdAt(server)))._tag, "Restoring")
      assert.strictEqual(a.sends.length, 1)
    })
  )

  it.effect("sends a request without a key, and one whose key it knows is answered", () =>
    Effect.gen(function* () {
      yield* inHours
      const a = vendor("a", neither)
      const store = yield* restored({ acceptedDoubles: ["a"] })
      const server = yield* serverOf(store, [a])
      const { body } = yield* createdAt(server)
      const before = yield* store.restoration.read
      yield* store.restoration.replace(before, { ...(before.mark ?? assert.fail("no mark")), acceptedDoubles: [] })
      assert.strictEqual((yield* createdAt(server)).body, body)
      assert.strictEqual((yield* server.create()).payment.state.status, "succeeded")
      assert.strictEqual(a.sends.length, 2)
    })
  )
})

describe("a refund with an unknown key, on a database that was restored", () => {
  const refunding = Effect.fnUntraced(function* (later: OperationCapability, acceptedDoubles: ReadonlyArray<string>) {
    const keys = new Set<string>()
    const provider = scripted("a", {
      create: () => Effect.succeed(taken),
      refund: ({ key }) => Effect.sync(() => (keys.add(key), taken)),
      later
    })
    const lost = MemoryStore.make()
    const { create, end } = yield* start(lost, [provider], {}, installation)
    const { payment } = yield* create()
    const paid = yield* Effect.flatMap(lost.get(payment.id), (found) =>
      found === null ? Effect.die("It is lost") : Effect.succeed(found)
    )
    yield* end
    yield* TestClock.adjust(1)
    const store = yield* restored({ acceptedDoubles })
    yield* store.begin({ record: paid, binding: null })
    const { payments } = yield* start(store, [provider], {}, installation)
    const refund = payments.refund(payment.id, { minorUnits: 500, reason: null }, keyed("refunds", "1"))
    return { keys, result: yield* Effect.result(refund), known: yield* store.get(payment.id) }
  })

  it.effect("is refused if its provider may do it twice, and nothing is written", () =>
    Effect.gen(function* () {
      yield* inHours
      const { keys, known, result } = yield* refunding({ partial: true }, [])
      assert.strictEqual(Result.isFailure(result) ? refusal(result.failure)._tag : "Success", "Restoring")
      assert.deepStrictEqual([keys.size, known?.operations.length], [0, 1])
    })
  )

  it.effect("is sent if its provider honors keys, or an operator accepted doubles there", () =>
    Effect.gen(function* () {
      yield* inHours
      for (const [later, accepted] of [
        [laterIdempotent, []],
        [{ partial: true }, ["a"]]
      ] as const) {
        const { keys, result } = yield* refunding(later, accepted)
        assert.isTrue(Result.isSuccess(result))
        assert.strictEqual(keys.size, 1)
      }
    })
  )
})

describe("names of the former version, which depended on the place of a provider", () => {
  const names = makeIds(
    () => assert.fail("Nothing is drawn"),
    () => 0,
    digest
  )
  const first = (provider: string) =>
    names.operation(["create", tenant.account, tenant.livemode, "payments", "order 1", provider])
  const second = names.operation(failoverOrigin(first("a").id, { provider: "b", seq: 2 }))

  /** A provider that was sent the purchase under such a name. */
  const withCharge = (id: string, create: Capabilities["operations"]["create"], { id: name, key }: typeof second) =>
    Effect.map(card, ({ amount }) => {
      const known = vendor(id, create)
      // Boundary: of an operation the ledger reads these alone.
      known.sends.push({ id: name, key, amount } as ProviderOperation)
      return known
    })

  it.effect("are asked for as well, of a first attempt and of a failover", () =>
    Effect.gen(function* () {
      yield* inHours
      for (const [at, charge] of [
        ["a", first("a")],
        ["b", second]
      ] as const) {
        const [a, b] = [vendor("a", idempotent), vendor("b", idempotent)]
        const charged = yield* withCharge(at, idempotent, charge)
        const store = yield* restored({}, Number.MAX_SAFE_INTEGER)
        const server = yield* serverOf(store, at === "a" ? [charged, b] : [a, charged])
        const { record } = yield* createdAt(server)
        assert.deepInclude(summary(record), { state: "succeeded", attempts: [`${at} succeeded`] })
        assert.deepInclude(record.operations[0], charge)
        assert.deepStrictEqual([a.sends.length, b.sends.length, charged.sends.length], [0, 0, 1])
      }
    })
  )

  it.effect("are unknown to a provider that honors keys and cannot be asked, so nothing is sent to it", () =>
    Effect.gen(function* () {
      yield* inHours
      const charged = yield* withCharge("a", keysOnly, first("a"))
      const now = yield* MemoryStore.make().now
      const refused = yield* serverOf(yield* restored({ wentBackTo: now - 1 }, now), [charged])
      assert.strictEqual(refusal(yield* Effect.flip(createdAt(refused)))._tag, "Restoring")
      assert.strictEqual(charged.sends.length, 1)
      // What was lost was committed later, and has present names.
      const later = yield* serverOf(yield* restored({ wentBackTo: now }, now), [vendor("a", keysOnly)])
      assert.strictEqual((yield* createdAt(later)).record.payment.state.status, "succeeded")
    })
  )
})
