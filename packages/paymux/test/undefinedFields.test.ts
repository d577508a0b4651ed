/** JavaScript, and TypeScript without `exactOptionalPropertyTypes`, pass `undefined` for what is left out. */
import { assert, describe, it } from "@effect/vitest"
import { createPaymux } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"
import { card } from "./card.ts"

// Boundary: the types of this repository have no `undefined` there.
const undefinedIn = (...names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name) => [name, undefined])) as { readonly [name: string]: never }

const period = ["from", "until"]
const page = ["after", "limit"]

const create = (paymux: Paymux, more: object = {}) => paymux.payments.create({ ...card, ...more })

const calls: { readonly [name: string]: (paymux: Paymux) => Promise<unknown> } = {
  "payments.create": (paymux) =>
    paymux.payments.create(
      {
        ...card,
        ...undefinedIn("capture_method", "description", "metadata", "client", "return_url"),
        customer: { ...card.customer, ...undefinedIn("name", "address") },
        payment_method_details: {
          card: {
            token: "tok_success",
            ...undefinedIn("network", "country", "funding", "bin", "fingerprint", "tokens")
          },
          ...undefinedIn("upi", "stablecoin")
        }
      },
      undefinedIn("idempotencyKey")
    ),
  "payments.list": (paymux) =>
    paymux.payments.list(
      undefinedIn(
        "limit",
        "starting_after",
        "ending_before",
        "status",
        "currency",
        "amount_min",
        "created_after",
        "metadata"
      )
    ),
  "payments.list of metadata": (paymux) => paymux.payments.list({ metadata: undefinedIn("order_id") }),
  "payments.timeline": async (paymux) =>
    paymux.payments.timeline((await create(paymux)).id, undefinedIn("after", "limit")),
  "payments.capture": async (paymux) => {
    const { id } = await create(paymux, { capture_method: "manual" })
    return paymux.payments.capture(id, undefinedIn("amount"), undefinedIn("idempotencyKey", "version"))
  },
  "payments.cancel": async (paymux) => {
    const { id } = await create(paymux, { capture_method: "manual" })
    return paymux.payments.cancel(id, undefinedIn("idempotencyKey", "version"))
  },
  "refunds.create": async (paymux) =>
    paymux.refunds.create((await create(paymux)).id, undefinedIn("amount", "reason"), undefinedIn("idempotencyKey")),
  "refunds.search": (paymux) =>
    paymux.refunds.search(undefinedIn("statuses", "paymentId", "provider", ...period, ...page)),
  "webhookEndpoints.add, update, rotate": async (paymux) => {
    const { id } = await paymux.webhookEndpoints.add({ url: "http://127.0.0.1:4999/", ...undefinedIn("events") })
    await paymux.webhookEndpoints.update(id, undefinedIn("url", "events"))
    return paymux.webhookEndpoints.rotate(id, undefinedIn("overlapMs"))
  },
  "webhookDeliveries.list": (paymux) =>
    paymux.webhookDeliveries.list(
      undefinedIn("endpointId", "status", "eventId", "paymentId", "types", ...period, ...page)
    ),
  "webhookDeliveries.countSince": (paymux) => paymux.webhookDeliveries.countSince(0, undefinedIn("endpointId")),
  "apiKeys.create, rotate": async (paymux) => {
    const { id } = await paymux.apiKeys.create(undefinedIn("name"))
    return paymux.apiKeys.rotate(id, undefinedIn("overlapMs"))
  },
  "reviews.list": (paymux) => paymux.reviews.list(undefinedIn(...page)),
  "reports.list": (paymux) => paymux.reports.list(undefinedIn(...page)),
  "events.list": (paymux) => paymux.events.list(undefinedIn("types", "paymentId", ...period, ...page)),
  "requests.list": (paymux) => paymux.requests.list(undefinedIn(...period, ...page)),
  "auditLog.list": (paymux) => paymux.auditLog.list(undefinedIn(...period, ...page)),
  "statistics.series, totals": async (paymux) => {
    await paymux.statistics.series(undefinedIn("of", "step", "groupBy", "providers", ...period))
    return paymux.statistics.totals(undefinedIn("of", "groupBy", "providers", ...period))
  },
  "statements.runs, differences": async (paymux) => {
    await paymux.statements.runs(undefinedIn("provider", ...page))
    return paymux.statements.differences(undefinedIn("provider", "state", ...page))
  },
  "rules.history": (paymux) => paymux.rules.history(undefinedIn("ruleset", ...page)),
  "breakers.list, history": async (paymux) => {
    await paymux.breakers.list(undefinedIn("provider"))
    return paymux.breakers.history(undefinedIn("provider", ...period, ...page))
  },
  "dashboard.users, invitations": async (paymux) => {
    await paymux.dashboard.users(undefinedIn("after", "limit"))
    return paymux.dashboard.invitations(undefinedIn("after", "limit"))
  },
  forAccount: (paymux) => paymux.forAccount("shop", undefinedIn("mode")).payments.list()
}

describe("undefined in an optional field", () => {
  for (const [name, call] of Object.entries(calls)) {
    it(`is as if left out: ${name}`, async () => {
      await using paymux = await createPaymux({ sandbox: true, database: ":memory:", logs: false })
      await call(paymux)
    })
  }

  it("of what is required is missing", async () => {
    await using paymux = await createPaymux({ sandbox: true, database: ":memory:", logs: false })
    const error = await paymux.payments.create({ ...card, ...undefinedIn("amount") }).catch((error: unknown) => error)
    assert.include(String(error), "/amount is required")
  })

  it("does not change what the caller passed, and an object that contains itself is refused", async () => {
    await using paymux = await createPaymux({ sandbox: true, database: ":memory:", logs: false })
    const given = { ...card, ...undefinedIn("description") }
    await paymux.payments.create(given)
    assert.isTrue(Object.hasOwn(given, "description"))
    const circular: { [name: string]: unknown } = { ...card }
    circular["metadata"] = circular
    const error = await paymux.payments.create(circular as never).catch((error: unknown) => error)
    assert.include(String(error), "PaymentError")
  })
})
