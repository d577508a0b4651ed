/** Random payments for the checks of attempt counts, the same in every run. */
import type { Card, PaymentMethod, PaymentRecord, Tenant } from "@paymux/core"
import { failureCodes, isInFlight, PaymentStore } from "@paymux/core/store"
import type { AttemptCountBy, OutcomeStatus } from "@paymux/core/store"
import { Effect } from "effect"
import { aCard, aRecord, anAttempt, anOperation, currency, tenant } from "./records.ts"

export const byNothing: AttemptCountBy = { account: false, rule: false, amount: false, metadata: [] }

export const beginAll = Effect.fnUntraced(function* (records: ReadonlyArray<PaymentRecord>) {
  const store = yield* PaymentStore
  yield* Effect.forEach(records, (record) => store.begin({ record, binding: null }), {
    concurrency: "unbounded",
    discard: true
  })
})

export const tenants: readonly [Tenant, ...ReadonlyArray<Tenant>] = [
  tenant,
  { ...tenant, livemode: true },
  { ...tenant, account: "merchant 2" }
]

/** One to three attempts in slots that they share, some still open, in either mode of two accounts. */
export const randomRecord =
  (below: (limit: number) => number) =>
  (n: number): PaymentRecord => {
    const one = <A>(values: readonly [A, ...ReadonlyArray<A>]): A => values[below(values.length)] ?? values[0]
    const base = aRecord(n).payment
    const { payment } = aRecord(n, {
      ...one(tenants),
      method: one(methods),
      amount: {
        minorUnits: one([n, 9, 10, 99_999, 100_000, 9_007_199_254_740_991]),
        currency: currency(one(["INR", "USD"]))
      },
      metadata: one(metadata),
      routing: {
        ...base.routing,
        rule: one(rules),
        candidates: [{ provider: "acme", reason: one(["", 'odd \u0000\ud800\\u0041"']) }]
      },
      createdAt: 1_000 + n - below(20)
    })
    const attempts = range(1, 1 + below(3)).map((seq, index, all) => {
      const status = one(index === all.length - 1 ? statuses : closed)
      const startedAt = below(160) * 250
      return anAttempt(seq, {
        provider: one(["acme", "other", "third"]),
        status,
        code: status === "declined" || status === "not_executed" ? one(codes) : null,
        startedAt,
        endedAt: isInFlight(status) ? null : Math.max(0, startedAt + one(durations) + below(3))
      })
    })
    return { payment, attempts, operations: [anOperation(n, 1)], entries: [] }
  }

const durations = [-1_500, -1, 0, 998, 8_500, 20_000, 59_998, 61_234, 599_998, 601_000, 7_300_000] as const

const card = (change: Partial<Card> = {}) =>
  aCard({ tokens: { acme: { network: "no", odd: "\u0000\ud800" } }, ...change })

const methods: readonly [PaymentMethod, ...ReadonlyArray<PaymentMethod>] = [
  { rail: "upi", flow: "intent", vpa: null },
  { rail: "upi", flow: "qr", vpa: null },
  { rail: "upi", flow: "collect", vpa: "asha@upi" },
  { rail: "upi", flow: "collect", vpa: "asha@okbank" },
  { rail: "upi", flow: "collect", vpa: "without a handle" },
  { rail: "upi", flow: "collect", vpa: 'o\\d"d\u0000@ha\\u0041"n\u0000d@\ud800le' },
  { rail: "stablecoin", asset: "USDC", network: "base" },
  { rail: "stablecoin", asset: null, network: null },
  aCard(),
  card(),
  aCard({ token: "" }),
  aCard({ token: "\u0000" }),
  card({ network: "visa" }),
  aCard({ network: "visa", country: "IN", funding: "debit", bin: "411111" }),
  card({ network: "visa", country: "IN", funding: "debit", bin: "411111" }),
  card({ network: "visa", country: "IN", funding: "credit", bin: "41111199" }),
  card({ country: "IN" }),
  card({ network: 'quo"te \u0000\u001a茶', funding: "\\u0041\\\\/\\/\u0001\\", bin: "\ud800" })
]

/** Keys that a path in JSON, or JSON within SQL, might take for something else. The API refuses a key with a NUL. */
export const oddKeys: ReadonlyArray<string> = [
  "shop",
  'a"b',
  '"',
  "a\\",
  "\\\\",
  "//",
  "\\/",
  "a.b",
  "$",
  "$.shop",
  "a[0]",
  "it's",
  "",
  "茶",
  ":since",
  "%s",
  "\u001a0000",
  "\ud800",
  "\n",
  "\\u0041",
  "__proto__",
  "toString",
  "-> '$'"
]

const metadata: readonly [
  PaymentRecord["payment"]["metadata"],
  ...ReadonlyArray<PaymentRecord["payment"]["metadata"]>
] = [
  {},
  { shop: "north", order: "1" },
  { shop: "south", order: "2" },
  { shop: "" },
  { shop: 'quo"te \u0000\u001a0000\ud800\\u0041\\//' },
  Object.fromEntries(oddKeys.map((key, index) => [key, `value ${index}`]))
]

const rules = ["default", "cards in India", 'quo"te \u0000\\u0041\\/\\\ud800'] as const

const closed: readonly [OutcomeStatus, ...ReadonlyArray<OutcomeStatus>] = [
  "declined",
  "not_executed",
  "expired",
  "canceled"
]
const statuses: readonly [OutcomeStatus, ...ReadonlyArray<OutcomeStatus>] = [
  ...closed,
  "succeeded",
  "authorized",
  "sending",
  "pending",
  "unknown"
]
const codes: readonly [(typeof failureCodes)[number], ...ReadonlyArray<(typeof failureCodes)[number]>] = [
  "do_not_honor",
  ...failureCodes.slice(-4)
]

export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Whole numbers below a limit, the same in every run. */
export const sequence = (seed: number) => {
  let state = seed
  return (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}
