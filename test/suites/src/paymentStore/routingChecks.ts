import type { PaymentId, PaymentRecord, Tenant } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import type { RoutedPayment, RoutedQuery } from "@paymux/core/store"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { StoreCheck } from "./StoreCheck.ts"
import { beginAll, randomRecord, range, sequence, tenants } from "./routingSamples.ts"

export const routingChecks = (check: StoreCheck): void => {
  check(
    "pages of routed payments show each of the tenant's once, oldest first, in the time asked for, with its attempts",
    Effect.gen(function* () {
      const records = range(1, 300).map(randomRecord(sequence(11)))
      yield* beginAll(records)
      const everything = { createdFrom: 0, createdBefore: Number.MAX_SAFE_INTEGER }
      // The time at which each of these begins is one of a payment's.
      const times = [
        everything,
        ...range(1_100, 1_110).map((from) => ({ createdFrom: from, createdBefore: from + 100 }))
      ]
      for (const own of tenants) {
        for (const time of times) {
          for (const limit of [1_000, 7]) {
            assert.deepStrictEqual(
              yield* everyPage(own, { ...time, limit }),
              records.filter((record) => isRouted(own, time, record)).map(toRouted)
            )
          }
        }
      }
    })
  )
}

const everyPage = Effect.fnUntraced(function* (own: Tenant, query: Omit<RoutedQuery, "after">) {
  const store = yield* PaymentStore
  const seen: Array<RoutedPayment> = []
  let after: PaymentId | null = null
  while (true) {
    const page: ReadonlyArray<RoutedPayment> = yield* store.routed(own, { ...query, after })
    assert.isAtMost(page.length, query.limit)
    seen.push(...page)
    const last = page.at(-1)
    if (last === undefined) return seen
    after = last.payment.id
  }
})

const toRouted = ({ attempts, payment }: PaymentRecord): RoutedPayment => ({ payment, attempts })

const isRouted = (
  own: Tenant,
  { createdBefore, createdFrom }: Pick<RoutedQuery, "createdFrom" | "createdBefore">,
  { payment }: PaymentRecord
): boolean =>
  payment.account === own.account &&
  payment.livemode === own.livemode &&
  payment.createdAt >= createdFrom &&
  payment.createdAt < createdBefore
