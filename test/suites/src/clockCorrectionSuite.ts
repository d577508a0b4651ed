/**
 * An engine whose clock is wrong and is set right, as one vitest suite for every store: nothing waits longer than its schedule
 * and a minute, and nothing is sent twice.
 *
 * The store's clock is the one that is wrong: of the process, or of a database with a clock of its own.
 *
 * @example
 * ```ts
 * import { MemoryStore } from "@paymux/testkit/memory-store"
 * import { clockCorrectionSuite } from "@paymux/test-suites"
 *
 * clockCorrectionSuite("MemoryStore", MemoryStore.layer)
 * ```
 */
import {
  type Capabilities,
  decodeCreatePayment,
  defineProvider,
  Engine,
  type Evidence,
  Ids,
  Inbox,
  type InquiryOutcome,
  Outcome,
  type PaymentRecord,
  Payments
} from "@paymux/core"
import { everyPayment, PaymentStore } from "@paymux/core/store"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Exit, Layer, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import { setImmediate as nextTurn } from "node:timers/promises"
import { virtualTime } from "./virtualTime.ts"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const errors = { "2 minutes": 2 * minute, "2 hours": 2 * hour, "40 days": 40 * day } as const
const directions = { ahead: 1, behind: -1 } as const

/** Registers the suite under `name`. The layer is built anew for every test and must come up empty. */
export const clockCorrectionSuite = <E>(name: string, layer: Layer.Layer<PaymentStore, E>): void => {
  describe(`${name}: a clock that was wrong is set right`, () => {
    for (const [direction, sign] of Object.entries(directions)) {
      for (const [size, error] of Object.entries(errors)) {
        for (const when of ["while the engine runs", "while no engine runs"] as const) {
          for (const kind of Object.values(kinds)) {
            it.effect(`by ${size}, ${direction}, ${when}: ${kind.title}`, () =>
              Effect.gen(function* () {
                const store = yield* PaymentStore
                yield* check(kind, store, sign * error, when === "while the engine runs")
              }).pipe(Effect.provide(layer))
            )
          }
        }
      }
    }
  })
}

const check = Effect.fnUntraced(function* (
  kind: Kind,
  database: PaymentStore["Service"],
  error: number,
  isRunning: boolean
) {
  yield* TestClock.setTime(Date.UTC(2026, 0, 31, 12))
  const { pass, settle, watchedService } = virtualTime({ step: second })
  const wrong = { by: error }
  const seen: Seen = { creates: 0, inquiries: 0, tries: 0, answer: kind.answer }
  const inner = watchedService(database)
  const store: PaymentStore["Service"] = {
    ...inner,
    now: Effect.map(Clock.currentTimeMillis, (now) => now + wrong.by),
    inbox: {
      ...inner.inbox,
      claimDue: (claim) =>
        Effect.tap(inner.inbox.claimDue(claim), (due) => Effect.sync(() => (seen.tries += due.length)))
    }
  }
  const start = Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
    const built = yield* Layer.buildWithScope(
      Engine.layer({
        providers: [provider(kind, seen)],
        publicUrl: "https://pay.example",
        drain: 0,
        reconciler: { every: second }
      }).pipe(Layer.provide(Layer.mergeAll(Layer.succeed(PaymentStore, store), Ids.layer))),
      scope
    )
    return {
      payments: Context.get(built, Payments),
      inbox: Context.get(built, Inbox),
      end: Scope.close(scope, Exit.void)
    }
  })

  const first = yield* start
  const payment = yield* Effect.orDie(decodeCreatePayment(kind.request))
  const create = first.payments.create(payment, { tenant, idempotency: null })
  yield* Effect.forkScoped(Effect.ignore(create))
  if (kind.isReported === true) yield* first.inbox.receive("a", new Uint8Array(), {})
  // The engine may need more turns for its send than `settle` waits, and an engine that ends before it sends nothing.
  while (seen.creates === 0)
    yield* Effect.andThen(
      settle,
      Effect.promise(() => nextTurn())
    )
  yield* settle
  yield* pass(3 * second)
  const before = { ...seen }
  if (!isRunning) yield* first.end
  wrong.by = 0
  if (!isRunning) yield* start
  // What waits for a day is due at once where the clock was ahead, and where it was behind.
  yield* pass(Math.min(kind.schedule, hour) + minute)
  const { records } = yield* store.list(tenant, everyPayment)
  kind.expect(seen, before, records, isRunning)
  assert.strictEqual(seen.creates, 1, "sends")
}, Effect.scoped)

const tenant = { account: "default", livemode: false } as const

interface Seen {
  creates: number
  inquiries: number
  tries: number
  answer: InquiryOutcome
}

interface Kind {
  readonly title: string
  /** ms, at most */
  readonly schedule: number
  readonly request: object
  readonly create: (now: number) => Outcome.SendOutcome
  /** How long the send takes, in ms. */
  readonly sendTime?: number
  readonly answer: InquiryOutcome
  readonly isReported?: boolean
  readonly declared?: Partial<Capabilities["operations"]["create"]>
  readonly expect: (seen: Seen, before: Seen, records: ReadonlyArray<PaymentRecord>, isRunning: boolean) => void
}

const card = {
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  customer: { email: "asha@example.com" },
  payment_method_details: { card: { token: "tok_any" } }
}

const statusOf = ([record]: ReadonlyArray<PaymentRecord>) => record?.payment.state.status

const kinds: { readonly [name: string]: Kind } = {
  inquiry: {
    title: "an unknown outcome is inquired about",
    schedule: minute,
    request: card,
    create: () => Outcome.unknown({ reason: "timeout" }),
    answer: Outcome.succeeded(),
    expect: (_, __, records) => assert.strictEqual(statusOf(records), "succeeded")
  },
  send: {
    title: "a send that is under way is neither repeated nor given up",
    schedule: minute,
    request: card,
    create: () => Outcome.succeeded(),
    sendTime: 15 * second,
    answer: Outcome.succeeded(),
    expect: ({ inquiries }, _, records, isRunning) => {
      assert.strictEqual(statusOf(records), "succeeded")
      if (isRunning) assert.strictEqual(inquiries, 0)
    }
  },
  expiry: {
    title: "a payer's time ends",
    schedule: 10 * minute + 5 * second,
    request: card,
    create: (now) =>
      Outcome.pending({
        reference: "pi_1",
        nextAction: { type: "redirect", url: "https://a.example/pay", expiresAt: now + 10 * minute }
      }),
    answer: Outcome.pending(),
    declared: { abandonedAfter: "10 minutes" },
    expect: (_, __, records) => assert.strictEqual(statusOf(records), "failed")
  },
  report: {
    title: "a report that matches nothing yet is tried again",
    schedule: 4 * second,
    request: card,
    create: () => Outcome.succeeded(),
    answer: Outcome.succeeded(),
    isReported: true,
    expect: ({ tries }, before) => assert.isAbove(tries, before.tries)
  }
}

const foreign: Evidence = {
  source: "webhook",
  about: { provider: "a", providerReference: "pi_elsewhere" },
  outcome: Outcome.succeeded(),
  eventId: "evt_elsewhere",
  occurredAt: null
}

const provider = ({ create, declared, sendTime = 0 }: Kind, seen: Seen) =>
  defineProvider({
    id: "a",
    options: Schema.Struct({}),
    mode: () => "test",
    capabilities: () => ({
      methods: { card: { currencies: "any", flows: { token: {} }, captureMethods: ["automatic"] } },
      operations: {
        create: { inquiry: { by: "reference", notFoundIsFinalAfter: "15 minutes" }, declineIsFinal: true, ...declared }
      }
    }),
    make: () =>
      Effect.succeed({
        create: ({ createdAt }) => {
          seen.creates++
          return Effect.delay(Effect.succeed(create(createdAt)), sendTime)
        },
        inquire: () => Effect.sync(() => (seen.inquiries++, seen.answer)),
        webhook: () => Effect.succeed([foreign])
      })
  })({})
