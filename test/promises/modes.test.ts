/** P23: a test key never reaches a live provider, nor a live key a test one; what they were configured as may change. */
import { assert, describe, it } from "@effect/vitest"
import { Outcome } from "@paymux/core"
import type { PaymentError, ProviderMode, ProviderOperation } from "@paymux/core"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { createPaymux } from "paymux"
import {
  card,
  cardOnHold,
  createOf,
  inquiryOnly,
  read,
  scripted,
  start,
  summary,
  reported
} from "../../packages/core/test/engine/fixtures.ts"

const modes: ReadonlyArray<ProviderMode> = ["test", "live"]
const tenantIn = (mode: ProviderMode) => ({ account: "default", livemode: mode === "live" })
const otherThan = (mode: ProviderMode): ProviderMode => (mode === "test" ? "live" : "test")

/** A provider that writes down whom it was asked for. */
const listening = (
  id: string,
  mode: ProviderMode,
  calls: Array<string>,
  create: () => Outcome.SendOutcome = Outcome.succeeded
) => {
  const asked = (what: string, outcome: () => Outcome.SendOutcome) => (_: ProviderOperation) =>
    Effect.sync(() => (calls.push(`${id} ${what}`), outcome()))
  return scripted(
    id,
    {
      create: asked("create", create),
      capture: asked("capture", Outcome.succeeded),
      cancel: asked("cancel", Outcome.succeeded),
      refund: asked("refund", Outcome.succeeded),
      inquire: asked("inquire", Outcome.succeeded),
      complete: asked("complete", Outcome.succeeded),
      webhook: (body) => {
        const operation = new TextDecoder().decode(body)
        return Effect.succeed([
          reported({ operation: operation as ReturnType<typeof createOf> }, { _tag: "Succeeded" }, operation)
        ])
      }
    },
    inquiryOnly,
    mode
  )
}

describe("a payment of one mode", () => {
  const matrix = modes.flatMap((key) =>
    [["test"], ["live"], ["test", "live"], ["live", "test"]].map((instances) => [key, instances] as const)
  )
  it.effect.each(matrix)("with a %s key reaches, of the instances %j, its own mode's or none", ([key, instances]) =>
    Effect.gen(function* () {
      const calls: Array<string> = []
      const providers = instances.map((mode) => listening(mode, mode === "live" ? "live" : "test", calls))
      const { end, payments } = yield* start(MemoryStore.make(), providers)
      const create = payments.create(yield* card, { tenant: tenantIn(key), idempotency: null })
      if (instances.includes(key)) {
        assert.strictEqual((yield* create).record.payment.provider, key)
        assert.deepStrictEqual(calls, [`${key} create`])
      } else {
        assert.deepInclude((yield* Effect.flip(create)).reason, {
          _tag: "NoRoute",
          candidates: [{ provider: otherThan(key), reason: "mode_mismatch" }]
        })
        assert.deepStrictEqual(calls, [])
      }
      yield* end
    })
  )

  it.effect.each(modes)(
    "begun as %s is not sent, asked about or settled once its instance is of the other mode",
    (mode) =>
      Effect.gen(function* () {
        const store = MemoryStore.make()
        const calls: Array<string> = []
        const tenant = tenantIn(mode)
        const outcomes = [
          Outcome.authorized,
          Outcome.succeeded,
          () => Outcome.unknown({ reason: "timeout" }),
          () =>
            Outcome.pending({ nextAction: { type: "redirect", url: "https://acme.example/3ds", expiresAt: 60_000 } })
        ]
        const before = yield* Effect.forEach(outcomes, (outcome, index) =>
          Effect.gen(function* () {
            const first = yield* start(store, [listening("acme", mode, [], outcome)])
            const asked = yield* index === 0 ? cardOnHold : card
            const { record } = yield* first.payments.create(asked, { tenant, idempotency: null })
            yield* first.end
            return record
          })
        )
        const [held, paid, unknown, pending] = before
        if (held === undefined || paid === undefined || unknown === undefined || pending === undefined)
          return assert.fail()
        const second = yield* start(store, [listening("acme", otherThan(mode), calls)])
        const options = { tenant, idempotency: null }
        const { payments } = second
        const later: ReadonlyArray<Effect.Effect<unknown, PaymentError>> = [
          payments.capture(held.payment.id, { minorUnits: null }, options),
          payments.cancel(held.payment.id, options),
          payments.refund(paid.payment.id, { minorUnits: null, reason: null }, options)
        ]
        for (const asked of later) assert.strictEqual((yield* Effect.flip(asked)).reason._tag, "OperationRefused")
        for (const { payment } of [unknown, pending]) yield* payments.complete(payment.id, { status: "succeeded" })
        for (const record of [unknown, pending]) {
          const body = new TextEncoder().encode(createOf(record))
          assert.strictEqual(yield* second.inbox.receive("acme", body, {}), "kept")
        }
        yield* TestClock.adjust("6 hours")
        assert.deepStrictEqual(calls, [])
        for (const record of before) {
          const { attempts, later, state } = summary(yield* read(store, record))
          assert.deepStrictEqual(
            { attempts, later, state },
            { attempts: summary(record).attempts, later: [], state: record.payment.state.status }
          )
        }
        yield* second.end

        // Its own mode's again: what was kept is applied.
        const third = yield* start(store, [listening("acme", mode, calls)])
        yield* TestClock.adjust("2 hours")
        assert.strictEqual(summary(yield* read(store, unknown)).state, "succeeded")
        yield* third.end
      })
  )
})

describe("a configuration that would mix the modes", () => {
  it("is refused: the simulated providers beside a live one", async () => {
    const options = {
      providers: [listening("acme", "live", [])],
      sandbox: true,
      database: ":memory:",
      secret: "s".repeat(32)
    }
    const refused = await createPaymux(options).then(
      () => "started",
      (error: unknown) => String(error)
    )
    assert.include(refused, "test providers only")
  })

  it("gives keys of the mode that is asked for, and payments of it", async () => {
    const calls: Array<string> = []
    for (const mode of modes) {
      await using paymux = await createPaymux({
        providers: [listening("test", "test", calls), listening("live", "live", calls)],
        mode,
        database: ":memory:",
        secret: "s".repeat(32)
      })
      assert.match((await paymux.apiKeys.create()).key, new RegExp(`^pmx_${mode}_`))
      const payment = await paymux.payments.create({
        amount: 100,
        currency: "EUR",
        payment_method: "card",
        customer: { email: "asha@example.com", phone: "+919999999999" }
      })
      assert.deepInclude(payment, { provider: mode, livemode: mode === "live" })
    }
    assert.deepStrictEqual(calls, ["test create", "live create"])
  })
})
