/** What the people of the shop set up during the month: keys, endpoints, rules and the team. */
import { theProgram, Users } from "@paymux/dashboard"
import type { Actor } from "@paymux/dashboard"
import { Effect } from "effect"
import type { CreatePaymentJson } from "paymux"
import type { HistoryEngine } from "../HistoryEngine.ts"
import { joinEveryone, quickUsers } from "../people.ts"
import type { WebhookReceiver } from "../WebhookReceiver.ts"
import type { Merchant } from "./Merchant.ts"
import { laterRules } from "./rules.ts"

export interface Shop {
  readonly engine: HistoryEngine
  readonly merchant: Merchant
  readonly receiver: WebhookReceiver
  readonly staff: Staff
}

/** Whom the audit log names. */
type Staff = Awaited<ReturnType<typeof hire>>

export const hire = async (engine: HistoryEngine) => {
  const joined = await engine.run(Effect.provide(joinEveryone(), quickUsers))
  const of = (role: Actor["role"]): Actor => {
    const actor = joined.find((each) => each.role === role)
    if (actor === undefined) throw new Error(`There is no ${role}.`)
    return actor
  }
  return { owner: of("owner"), developer: of("developer"), operator: of("operator"), routing: of("routing") }
}

/** A change and the day on which it happens; a fraction is a part of the day. */
type Change = readonly [day: number, act: (shop: Shop) => Promise<unknown>]

/** Of a month of 30 days. */
export const changes = (): ReadonlyArray<Change> => {
  const made = { backend: "", reports: "", laptop: "", crm: "" }
  const keys = ({ engine, staff }: Shop) => engine.as(staff.developer).apiKeys
  const endpoints = ({ engine, staff }: Shop) => engine.as(staff.developer).webhookEndpoints
  return [
    [
      0,
      async (shop) => {
        const { id, key } = await keys(shop).create({ name: "shop backend" })
        made.backend = id
        shop.merchant.key = key
      }
    ],
    [0.01, async (shop) => endpoints(shop).add({ url: shop.receiver.url("/hooks/orders") })],
    [0.02, async (shop) => void (made.crm = (await endpoints(shop).add({ url: shop.receiver.url("/hooks/crm") })).id)],
    [1, async (shop) => void (made.reports = (await keys(shop).create({ name: "monthly report — تقرير" })).id)],
    // An account has two keys at most.
    [4, async (shop) => keys(shop).revoke(made.reports)],
    [12, async (shop) => void (made.laptop = (await keys(shop).create({ name: "Zoe\u0301's laptop" })).id)],
    ...laterRules.map(({ note, text }, index): Change => [
      5 + index * 7,
      ({ engine, staff }) => engine.as(staff.routing).rules.publish({ text, from: index + 1, note })
    ]),
    [11, async (shop) => endpoints(shop).disable(made.crm)],
    [16, async (shop) => keys(shop).revoke(made.laptop)],
    [
      3,
      async ({ engine }) => {
        const { payments } = engine.as(theProgram, "books")
        for (const amount of [1_900, 2_400, 24_000]) await payments.create({ ...card, amount })
      }
    ],
    [
      22,
      ({ engine, staff }) => engine.as(staff.owner).rules.rollback({ to: 2, from: 4, note: "The migration is done" })
    ],
    [
      26.5,
      async (shop) => {
        const { key } = await keys(shop).rotate(made.backend, { overlapMs: 3_600_000 })
        shop.merchant.key = key
      }
    ],
    [
      27,
      async (shop) =>
        endpoints(shop).add({
          url: shop.receiver.url("/hooks/warehouse"),
          events: ["payment.succeeded", "payment.failed", "refund.succeeded"]
        })
    ],
    [28, invitations],
    [29, mistakes]
  ]
}

const invitations = ({ engine }: Shop) =>
  engine.run(
    Effect.gen(function* () {
      const { invite } = yield* Users
      yield* invite(null, { email: "noa@shop.example", account: "default", modes: ["test"], role: "operator" })
      yield* invite(null, { email: "tomas@agency.example", account: "default", modes: ["test"], role: "viewer" })
    }).pipe(Effect.provide(quickUsers))
  )

const card: CreatePaymentJson = {
  amount: 4_200,
  currency: "EUR",
  payment_method: "card",
  payment_method_details: { card: { token: "tok_success" } },
  customer: { email: "asha@customers.example", phone: "+4915112345678" }
}

/** Requests that the API refuses, for the request log. */
const mistakes = async ({ merchant }: Shop) => {
  await merchant.post("/v1/payments", { ...card, amount: -5, currency: "euro" })
  await merchant.post("/v1/payments", { ...card, payment_method: "cash" })
  await merchant.post("/v1/payments", card, "checkout-4711")
  await merchant.post("/v1/payments", { ...card, amount: 4_300 }, "checkout-4711")
  await merchant.get("/v1/payments/pay_00000000000000000000000000")
  await merchant.get("/v1/payments?limit=5&status=failed")
  await merchant.post("/v1/payments/pay_00000000000000000000000000/refunds", { amount: 100 })
}
