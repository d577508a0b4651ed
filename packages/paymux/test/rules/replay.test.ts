/** Which stored payments a backtest is given, and where the walk through them begins. */
import type { PaymentId } from "@paymux/core"
import { Backtest, compile } from "@paymux/routing"
import { firstPaymentId } from "@paymux/core/store"
import type { RoutedPayment, RoutedQuery } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { replay } from "../../src/rules/replay.ts"
import { eachStoredPayment } from "../../src/rules/storedPayments.ts"

const MINUTE = 60_000
const from = 1_700_000_000_000
const until = from + 60 * MINUTE

// So much is expected that a draw is close to what is known: who is asked is no chance.
const draft = {
  version: 1,
  default: {
    best: "success_rate",
    among: ["a", "b"],
    window: "30m",
    min_samples: 100,
    prior: { a: "1%", b: "0.01%" }
  }
} as const
const providers = ["a", "b"].map(
  (id) =>
    ({
      id,
      mode: "test",
      capabilities: { methods: { upi: { currencies: ["INR"], flows: { intent: {} } } }, operations: { create: {} } }
    }) as const
)

/** Made at `at`, and taken by `provider` 5 s later. */
const made = (at: number, provider: string): RoutedPayment => ({
  payment: { ...PaymentRecords.aPayment(1), id: idOf(at), provider, createdAt: at },
  attempts: [PaymentRecords.anAttempt(1, { provider, status: "succeeded", startedAt: at, endedAt: at + 5_000 })]
})
/** One of its ms. */
const idOf = (at: number): PaymentId => firstPaymentId(at).replace(/.$/, "1") as PaymentId

/** As many as outweigh what is expected of `b`, the last of them at `at`. */
const taken = (at: number): ReadonlyArray<RoutedPayment> =>
  Array.from({ length: 200 }, (_, index) => made(at - 199 + index, "b"))

const replayed = async (payments: ReadonlyArray<RoutedPayment>) => {
  const queries: Array<RoutedQuery> = []
  const routed = (_tenant: unknown, query: RoutedQuery) =>
    Effect.sync(() => {
      queries.push(query)
      const { after, createdBefore, createdFrom, limit } = query
      return payments
        .filter(
          ({ payment: { createdAt, id } }) =>
            id > (after ?? "") && createdAt >= createdFrom && createdAt < createdBefore
        )
        .slice(0, limit)
    })
  const backtest = Backtest.make(await Effect.runPromise(compile(draft, providers)))
  const tenant = PaymentRecords.tenant
  const report = await Effect.runPromise(replay(routed, backtest, tenant, { from, until }, () => Effect.void))
  return { queries, report }
}

/** Whom the draft asks in place of `gone`. */
const asked = ({ report }: Awaited<ReturnType<typeof replayed>>) =>
  report.changes.providers.find(({ before }) => before === "gone")?.after

describe("a replay", () => {
  it("learns from payments before the period, as far back as the window, and does not count them", async () => {
    const first = made(from, "gone")
    assert.strictEqual(asked(await replayed([first])), "a")
    const warm = await replayed([...taken(from - 10 * MINUTE), first])
    assert.deepStrictEqual([asked(warm), warm.report.payments], ["b", 1])
    const cold = await replayed([...taken(from - 31 * MINUTE), first])
    assert.strictEqual(asked(cold), "a")
    assert.strictEqual(cold.queries[0]?.createdFrom, from - 30 * MINUTE)
  })

  it("counts a payment that was made when the period begins, and none that was made when it ends", async () => {
    const { report } = await replayed([made(from - 1, "a"), made(from, "a"), made(until - 1, "a"), made(until, "a")])
    assert.deepStrictEqual([report.payments, report.period], [2, { from, to: until - 1 }])
  })

  it("does not walk past what is older: its first page begins an hour before at the ids, for clocks that were set", async () => {
    const { queries } = await replayed([])
    assert.strictEqual(queries[0]?.after, firstPaymentId(from - 90 * MINUTE))
    const early = { ...made(from + MINUTE, "a"), attempts: [] }
    const { report } = await replayed([{ ...early, payment: { ...early.payment, id: idOf(from - 80 * MINUTE) } }])
    assert.strictEqual(report.payments, 1)
  })

  it("goes on page by page, where the last one ended", async () => {
    const all = Array.from({ length: 1_200 }, (_, index) => made(from + index * 1_000, "a"))
    const { queries, report } = await replayed(all)
    assert.strictEqual(report.payments, 1_200)
    assert.deepStrictEqual(
      queries.map(({ after }) => after).slice(1),
      [499, 999].map((index) => all[index]?.payment.id ?? null)
    )
  })

  it("stops between two pages when it is interrupted", async () => {
    const page = Array.from({ length: 500 }, (_, index) => made(from + index, "a"))
    let pages = 0
    const interrupted = Effect.gen(function* () {
      const third = yield* Deferred.make<void>()
      // It would never end.
      const endless = () => {
        pages += 1
        return pages === 3 ? Effect.as(Deferred.succeed(third, undefined), page) : Effect.succeed(page)
      }
      const range = { from, until }
      const fiber = yield* Effect.forkChild(
        eachStoredPayment(
          endless,
          PaymentRecords.tenant,
          range,
          () => {},
          () => Effect.void
        )
      )
      yield* Deferred.await(third)
      yield* Fiber.interrupt(fiber)
    })
    await Effect.runPromise(interrupted)
    assert.isBelow(pages, 10)
  })
})
