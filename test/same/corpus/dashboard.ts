/** The control API and the pages of the dashboard, as their browser reads them. */
import { euros, stablecoin, upi } from "./customers.ts"
import type { Group } from "./Entry.ts"

const create = "POST /v1/payments"
const api = "/dashboard/api/default/test"
const rules =
  "version: 1\nrules: []\ndefault:\n  priority: [sandbox_card_b, sandbox_card_a, sandbox_upi_a, sandbox_stablecoin_a]\n"

export const dashboard: Group = {
  name: "dashboard",
  options: { sandbox: true, routing: { source: "database", initial: "routing.yaml" } },
  files: { "routing.yaml": rules.replace("card_b, sandbox_card_a", "card_a, sandbox_card_b") },
  entries: [
    { name: "page", send: "GET /dashboard", as: "anyone" },
    { name: "page of a payment", send: "GET /dashboard/default/test/payments", as: "anyone" },
    { name: "missing asset", send: "GET /dashboard/assets/none.js", as: "anyone" },
    { name: "sign-in methods", send: "GET /dashboard/api/sign-in", as: "anyone" },
    { name: "session of a stranger", send: "GET /dashboard/api/session", as: "anyone" },
    {
      name: "sign in from another site",
      send: "POST /dashboard/api/sign-in/sandbox",
      as: "anyone",
      json: { token: "{link}" },
      headers: { origin: "https://evil.example" }
    },
    {
      name: "sign in with a wrong link",
      send: "POST /dashboard/api/sign-in/sandbox",
      as: "person",
      json: { token: "wrong" }
    },
    { name: "sign in", send: "POST /dashboard/api/sign-in/sandbox", as: "person", json: { token: "{link}" } },
    { name: "sign in again", send: "POST /dashboard/api/sign-in/sandbox", as: "person", json: { token: "{link}" } },
    { name: "session", send: "GET /dashboard/api/session", as: "person" },
    { name: "document", send: "GET /dashboard/api/openapi.json", as: "person" },
    {
      name: "add endpoint",
      send: `POST ${api}/endpoints`,
      as: "person",
      json: { url: "{shop}/shop" },
      save: { secret: "secret", endpoint: "id" }
    },
    {
      name: "add endpoint of another machine",
      send: `POST ${api}/endpoints`,
      as: "person",
      json: { url: "http://10.0.0.1/hook" }
    },
    { name: "endpoints", send: `GET ${api}/endpoints`, as: "person" },
    {
      name: "edit endpoint",
      send: `PATCH ${api}/endpoints/{endpoint}`,
      as: "person",
      json: { events: ["payment.succeeded", "payment.failed", "payment.review_opened", "refund.succeeded"] }
    },
    { name: "create key", send: `POST ${api}/keys`, as: "person", json: { name: "till" }, save: { till: "id" } },
    { name: "keys", send: `GET ${api}/keys`, as: "person" },
    { name: "revoke key", send: `POST ${api}/keys/{till}/revoke`, as: "person", json: {} },
    { name: "create card", send: create, json: euros(1_200), save: { card: "id" } },
    { name: "create held", send: create, json: { ...euros(3_000), capture_method: "manual" }, save: { held: "id" } },
    { name: "create declined", send: create, json: euros(1_201, "tok_declined"), save: { declined: "id" } },
    { name: "create pending", send: create, json: upi(4_902, "pending@paymux"), save: { pending: "id" } },
    { name: "create in review", send: create, json: stablecoin(2_501, "under"), save: { under: "id" } },
    { wait: "payment.succeeded", of: "{card}" },
    { wait: "payment.failed", of: "{declined}" },
    { wait: "payment.review_opened", of: "{under}" },
    { name: "payments", send: `GET ${api}/payments`, as: "person" },
    { name: "payments in review", send: `GET ${api}/payments?inReview=true`, as: "person" },
    { name: "payments by an unknown filter", send: `GET ${api}/payments?nope=1`, as: "person" },
    { name: "payment", send: `GET ${api}/payments/{card}`, as: "person", save: { card_version: /"version":(\d+)/ } },
    {
      name: "payment that is held",
      send: `GET ${api}/payments/{held}`,
      as: "person",
      save: { held_version: /"version":(\d+)/ }
    },
    {
      name: "payment that waits",
      send: `GET ${api}/payments/{pending}`,
      as: "person",
      save: { pending_version: /"version":(\d+)/ }
    },
    { name: "payment in review", send: `GET ${api}/payments/{under}`, as: "person" },
    { name: "unknown payment", send: `GET ${api}/payments/pay_01m8hqjm8vf3gb5dbs0mqb8ryr`, as: "person" },
    { name: "payment without a session", send: `GET ${api}/payments/{card}`, as: "anyone" },
    { name: "payment of another account", send: "GET /dashboard/api/other/test/payments/{card}", as: "person" },
    { name: "routing of a payment", send: `GET ${api}/payments/{card}/routing`, as: "person" },
    {
      name: "refund",
      send: `POST ${api}/payments/{card}/refunds`,
      as: "person",
      json: { amount: 200 },
      key: "refund",
      headers: { "if-match": '"{card_version}"' }
    },
    {
      name: "refund, repeated",
      send: `POST ${api}/payments/{card}/refunds`,
      as: "person",
      json: { amount: 200 },
      key: "refund",
      headers: { "if-match": '"{card_version}"' }
    },
    {
      name: "refund without a key",
      send: `POST ${api}/payments/{card}/refunds`,
      as: "person",
      json: { amount: 200 },
      headers: { "if-match": '"{card_version}"' }
    },
    {
      name: "refund without a version",
      send: `POST ${api}/payments/{card}/refunds`,
      as: "person",
      json: { amount: 200 },
      key: "other"
    },
    {
      name: "capture",
      send: `POST ${api}/payments/{held}/capture`,
      as: "person",
      json: { amount: 1_000 },
      key: "capture",
      headers: { "if-match": '"{held_version}"' }
    },
    {
      name: "cancel",
      send: `POST ${api}/payments/{pending}/cancel`,
      as: "person",
      json: {},
      key: "cancel",
      headers: { "if-match": '"{pending_version}"' }
    },
    {
      name: "simulate what is over",
      send: `POST ${api}/payments/{declined}/simulate`,
      as: "person",
      json: { outcome: "succeeded" }
    },
    { wait: "refund.succeeded", of: "{card}" },
    { name: "timeline", send: `GET ${api}/payments/{held}/timeline`, as: "person" },
    { name: "refunds", send: `GET ${api}/refunds`, as: "person", save: { refund: "data.0.id" } },
    { name: "refund alone", send: `GET ${api}/refunds/{refund}`, as: "person" },
    {
      name: "events of a payment",
      send: `GET ${api}/events?payment={held}`,
      as: "person",
      save: { event: "data.0.id" }
    },
    { name: "event", send: `GET ${api}/events/{event}`, as: "person" },
    { name: "requests", send: `GET ${api}/requests?limit=3`, as: "person", save: { request: "data.0.id" } },
    { name: "request", send: `GET ${api}/requests/{request}`, as: "person" },
    { name: "reviews", send: `GET ${api}/reviews`, as: "person" },
    { name: "review", send: `GET ${api}/reviews/{under}`, as: "person" },
    { name: "reports", send: `GET ${api}/reports`, as: "person" },
    { name: "statements", send: `GET ${api}/statements`, as: "person" },
    { name: "statement runs", send: `GET ${api}/statements/runs`, as: "person" },
    { name: "statement differences", send: `GET ${api}/statements/differences`, as: "person" },
    { name: "breaker history", send: `GET ${api}/breakers/history`, as: "person" },
    { name: "providers", send: `GET ${api}/providers`, as: "person" },
    { name: "rules", send: `GET ${api}/rules`, as: "person" },
    { name: "rules vocabulary", send: `GET ${api}/rules/vocabulary`, as: "person" },
    { name: "rules check", send: `POST ${api}/rules/check`, as: "person", json: { text: rules } },
    { name: "rules check, wrong", send: `POST ${api}/rules/check`, as: "person", json: { text: "version: 2" } },
    { name: "rules publish without a version", send: `POST ${api}/rules/publish`, as: "person", json: { text: rules } },
    {
      name: "rules publish",
      send: `POST ${api}/rules/publish`,
      as: "person",
      json: { text: rules, note: "b first" },
      headers: { "if-match": '"1"' }
    },
    {
      name: "rules publish, overtaken",
      send: `POST ${api}/rules/publish`,
      as: "person",
      json: { text: rules },
      headers: { "if-match": '"1"' }
    },
    { name: "rules versions", send: `GET ${api}/rules/versions`, as: "person" },
    { name: "rules version", send: `GET ${api}/rules/versions/2`, as: "person" },
    { name: "rules diff", send: `GET ${api}/rules/diff?from=1&to=2`, as: "person" },
    {
      name: "invite",
      send: `POST ${api}/team/invitations`,
      as: "person",
      json: { email: "dev@shop.example", role: "developer" }
    },
    { name: "team", send: `GET ${api}/team`, as: "person" },
    { name: "audit", send: `GET ${api}/audit`, as: "person" },
    { name: "unknown route", send: `GET ${api}/nothing`, as: "person" },
    { name: "remove endpoint", send: `DELETE ${api}/endpoints/{endpoint}`, as: "person" },
    { name: "sign out", send: "POST /dashboard/api/session/sign-out", as: "person", json: {} },
    { name: "session after signing out", send: "GET /dashboard/api/session", as: "person" }
  ]
}
