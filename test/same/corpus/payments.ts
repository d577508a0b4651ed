/** The API of payments and refunds, in the sandbox, with an endpoint that receives every event. */
import { asha, euros, stablecoin, upi } from "./customers.ts"
import type { Group } from "./Entry.ts"

const create = "POST /v1/payments"
const readme = { amount: 10_000, currency: "INR", payment_method: "upi", customer: asha }

export const payments: Group = {
  name: "payments",
  options: { sandbox: true, returnSchemes: { default: ["myapp"] } },
  entries: [
    {
      name: "add endpoint",
      run: ["webhooks", "add", "{shop}/shop"],
      save: { secret: /(whsec_\S+)/, endpoint: /(we_\w+)/ }
    },

    { name: "create upi intent", send: create, json: readme, key: "upi-intent", save: { upi: "id" } },
    { name: "repeat upi intent", send: create, json: readme, key: "upi-intent" },
    { name: "same key, another body", send: create, json: { ...readme, amount: 1 }, key: "upi-intent" },
    {
      name: "same key, fields in another order",
      send: create,
      json: Object.fromEntries(Object.entries(readme).toReversed()),
      key: "upi-intent"
    },
    {
      name: "create upi collect",
      send: create,
      json: upi(4_900, "success@paymux"),
      key: "collect",
      save: { collect: "id" }
    },
    { name: "create upi declined", send: create, json: upi(4_901, "failure@paymux"), save: { declined_upi: "id" } },
    { name: "create upi pending", send: create, json: upi(4_902, "pending@paymux"), save: { pending: "id" } },
    {
      name: "create upi qr",
      send: create,
      json: { ...readme, amount: 77, payment_method_details: { upi: { flow: "qr" } } }
    },
    { name: "create card", send: create, json: euros(1_200), key: "card", save: { card: "id" } },
    {
      name: "create card declined",
      send: create,
      json: euros(1_201, "tok_declined"),
      key: "declined",
      save: { declined: "id" }
    },
    { name: "repeat card declined", send: create, json: euros(1_201, "tok_declined"), key: "declined" },
    { name: "create card without funds", send: create, json: euros(1_202, "tok_insufficient_funds") },
    { name: "create card with unknown token", send: create, json: euros(1_203, "tok_of_another") },
    {
      name: "create card 3ds",
      send: create,
      json: { ...euros(1_204, "tok_3ds"), return_url: "https://shop.example/done?order=7" },
      save: { secure: "id", secure_page: /sandbox\/pay\/([^"]+)/, hosted: /hosted_url":"[^"]*(\/pay\/[^"]+)"/ }
    },
    {
      name: "create card with scheme of an app",
      send: create,
      json: { ...euros(1_205, "tok_3ds"), return_url: "myapp://done" }
    },
    {
      name: "create card, manual",
      send: create,
      json: { ...euros(3_000), capture_method: "manual" },
      save: { manual: "id" }
    },
    {
      name: "create card, manual, to cancel",
      send: create,
      json: { ...euros(3_001), capture_method: "manual" },
      save: { held: "id" }
    },
    {
      name: "create yen",
      send: create,
      json: { ...euros(3_002), currency: "JPY", capture_method: "manual" },
      save: { yen: "id" }
    },
    { name: "create dinar", send: create, json: { ...euros(3_003), currency: "KWD" } },
    {
      name: "create card with all fields",
      send: create,
      json: {
        ...euros(987_654),
        description: 'tea, "green" & 茶',
        metadata: { order_id: "o-1", "ñ \u0000": "☃", note: "x".repeat(200) },
        customer: {
          ...asha,
          name: "Asha Rao",
          address: { line1: "1 MG Road", city: "Pune", postal_code: "411001", country: "IN" }
        },
        client: { language: "en-IN", time_zone: "Asia/Kolkata", screen: { width: 390, height: 844 } },
        return_url: "https://shop.example/done"
      },
      save: { full: "id" }
    },
    { name: "create large amount", send: create, json: euros(9_007_199_254_740_991), save: { large: "id" } },
    { name: "create stablecoin", send: create, json: stablecoin(2_500, "exact"), save: { coin: "id" } },
    { name: "create stablecoin, too little", send: create, json: stablecoin(2_501, "under"), save: { under: "id" } },
    {
      name: "create primary down",
      send: create,
      json: { ...euros(700), metadata: { sandbox_scenario: "primary_down" } },
      save: { failed_over: "id" }
    },
    {
      name: "create all down",
      send: create,
      json: { ...euros(701), metadata: { sandbox_scenario: "all_down" } },
      save: { all_down: "id" }
    },
    {
      name: "create undecided",
      send: create,
      json: { ...euros(702), metadata: { sandbox_scenario: "undecided" } },
      save: { undecided: "id" }
    },

    { name: "amount zero", send: create, json: euros(0) },
    { name: "amount as text", send: create, json: { ...euros(1), amount: "12" } },
    { name: "amount with a fraction", send: create, json: { ...euros(1), amount: 1.5 } },
    { name: "amount too large", send: create, json: { ...euros(1), amount: 9_007_199_254_740_992 } },
    { name: "unknown currency", send: create, json: { ...euros(100), currency: "XXX" } },
    { name: "currency that upi lacks", send: create, json: { ...readme, currency: "USD" } },
    { name: "unknown method", send: create, json: { ...readme, payment_method: "cash" } },
    { name: "unknown field", send: create, json: { ...readme, amout: 1 } },
    {
      name: "several faults",
      send: create,
      json: { amount: -1, currency: "eur", customer: { email: "no", phone: "1" } }
    },
    { name: "card number", send: create, json: euros(100, "4111111111111111") },
    {
      name: "card number in metadata",
      send: create,
      json: { ...euros(100), metadata: { note: "card 4111 1111 1111 1111" } }
    },
    { name: "no body", send: create },
    { name: "empty object", send: create, json: {} },
    { name: "array", send: create, text: "[]" },
    { name: "cut off", send: create, text: '{"amount": 12' },
    { name: "duplicate field", send: create, text: '{"amount": 12, "amount": 13}' },
    {
      name: "not JSON",
      send: create,
      text: "amount=12",
      headers: { "content-type": "application/x-www-form-urlencoded" }
    },
    { name: "no content type", send: create, text: JSON.stringify(readme), headers: { "content-type": "" } },
    { name: "too large", send: create, json: { ...readme, description: "x".repeat(70_000) } },
    { name: "deep", send: create, text: `${"[".repeat(2_000)}${"]".repeat(2_000)}` },
    { name: "bad key", send: create, json: readme, key: "k".repeat(256) },
    { name: "card number as key", send: create, json: readme, key: "4111111111111111" },
    { name: "return url of a script", send: create, json: { ...readme, return_url: "javascript:alert(1)" } },
    { name: "return url of plain http", send: create, json: { ...readme, return_url: "http://shop.example/" } },
    { name: "no API key", send: create, as: "anyone", json: readme },
    {
      name: "wrong API key",
      send: create,
      as: "anyone",
      json: readme,
      headers: { authorization: "Bearer pmx_test_wrong" }
    },
    { name: "another scheme", send: create, as: "anyone", json: readme, headers: { authorization: "Basic eDp5" } },
    {
      name: "live key without a live mode",
      send: "GET /v1/payments",
      as: "anyone",
      headers: { authorization: "Bearer pmx_live_wrong" }
    },

    { name: "read upi", send: "GET /v1/payments/{collect}" },
    { name: "read declined", send: "GET /v1/payments/{declined}" },
    { name: "read pending", send: "GET /v1/payments/{pending}" },
    { name: "read failed over", send: "GET /v1/payments/{failed_over}" },
    { name: "read all down", send: "GET /v1/payments/{all_down}" },
    { name: "read full", send: "GET /v1/payments/{full}" },
    { name: "read unknown", send: "GET /v1/payments/pay_01m8hqjm8vf3gb5dbs0mqb8ryr" },
    { name: "read no id", send: "GET /v1/payments/nothing" },
    { name: "read with a card number", send: "GET /v1/payments/4111111111111111" },
    { name: "head", send: "HEAD /v1/payments/{card}" },
    { name: "put", send: "PUT /v1/payments/{card}", json: {} },
    { name: "delete", send: "DELETE /v1/payments/{card}" },
    { name: "options", send: "OPTIONS /v1/payments" },

    { name: "capture in part", send: "POST /v1/payments/{manual}/capture", json: { amount: 1_000 }, key: "capture" },
    {
      name: "capture in part, repeated",
      send: "POST /v1/payments/{manual}/capture",
      json: { amount: 1_000 },
      key: "capture"
    },
    { name: "capture again", send: "POST /v1/payments/{manual}/capture", json: {} },
    { name: "capture too much", send: "POST /v1/payments/{held}/capture", json: { amount: 3_002 } },
    { name: "capture, unknown field", send: "POST /v1/payments/{held}/capture", json: { amout: 1 } },
    { name: "capture what is captured", send: "POST /v1/payments/{card}/capture", json: {} },
    { name: "capture what waits", send: "POST /v1/payments/{pending}/capture", json: {} },
    { name: "capture all", send: "POST /v1/payments/{yen}/capture" },
    { name: "cancel held", send: "POST /v1/payments/{held}/cancel", key: "cancel" },
    { name: "cancel held, repeated", send: "POST /v1/payments/{held}/cancel", key: "cancel" },
    { name: "cancel canceled", send: "POST /v1/payments/{held}/cancel" },
    { name: "cancel captured", send: "POST /v1/payments/{card}/cancel" },
    { name: "cancel pending upi", send: "POST /v1/payments/{pending}/cancel" },
    { wait: "payment.review_opened", of: "{under}" },
    { name: "cancel coin in review", send: "POST /v1/payments/{under}/cancel" },
    {
      name: "refund in part",
      send: "POST /v1/payments/{card}/refunds",
      json: { amount: 500, reason: "size" },
      key: "one",
      save: { refund: "id" }
    },
    {
      name: "refund in part, repeated",
      send: "POST /v1/payments/{card}/refunds",
      json: { amount: 500, reason: "size" },
      key: "one"
    },
    {
      name: "refund, key of another",
      send: "POST /v1/payments/{collect}/refunds",
      json: { amount: 500, reason: "size" },
      key: "one"
    },
    {
      name: "refund in part again",
      send: "POST /v1/payments/{card}/refunds",
      json: { amount: 500, metadata: { ticket: "7" } }
    },
    { name: "refund too much", send: "POST /v1/payments/{card}/refunds", json: { amount: 500 } },
    { name: "refund the rest", send: "POST /v1/payments/{card}/refunds", json: {} },
    { name: "refund refunded", send: "POST /v1/payments/{card}/refunds", json: {} },
    { name: "refund upi", send: "POST /v1/payments/{collect}/refunds", json: { amount: 1 } },
    { name: "refund declined", send: "POST /v1/payments/{declined}/refunds", json: {} },
    { name: "refund unknown", send: "POST /v1/payments/pay_01m8hqjm8vf3gb5dbs0mqb8ryr/refunds", json: {} },
    { name: "refund of zero", send: "POST /v1/payments/{card}/refunds", json: { amount: 0 } },
    { name: "list refunds", send: "GET /v1/payments/{card}/refunds" },
    {
      name: "list refunds by pages",
      send: "GET /v1/payments/{card}/refunds?limit=1",
      save: { refunds_cursor: "next_cursor" }
    },
    {
      name: "list refunds, next page",
      send: "GET /v1/payments/{card}/refunds?limit=1&starting_after={refunds_cursor}"
    },
    { name: "read refund", send: "GET /v1/refunds/{refund}" },
    { name: "read unknown refund", send: "GET /v1/refunds/re_01m8hqjm8vf3gb5dbs0mqb8ryr" },

    { name: "page", send: "GET {hosted}", as: "anyone" },
    { name: "page in Hindi", send: "GET {hosted}", as: "anyone", headers: { "accept-language": "hi" } },
    { name: "page status", send: "GET {hosted}/status", as: "anyone" },
    { name: "page QR", send: "GET {hosted}/qr.svg", as: "anyone" },
    { name: "page with a wrong token", send: "GET /pay/{secure}/AAAAAAAAAAAAAAAAAAAAAA", as: "anyone" },
    { name: "page of no payment", send: "GET /pay/nothing/nothing", as: "anyone" },
    {
      name: "page, no decision",
      send: "POST {hosted}",
      as: "anyone",
      text: "decision=maybe",
      headers: { "content-type": "application/x-www-form-urlencoded" }
    },
    {
      name: "page, too large a form",
      send: "POST {hosted}",
      as: "anyone",
      text: `decision=${"x".repeat(2_000)}`,
      headers: { "content-type": "application/x-www-form-urlencoded" }
    },
    { name: "sandbox page", send: "GET /sandbox/pay/{secure_page}", as: "anyone" },
    { name: "sandbox page of none", send: "GET /sandbox/pay/sandbox_card_a/none", as: "anyone" },
    {
      name: "sandbox page, approve",
      send: "POST /sandbox/pay/{secure_page}",
      as: "anyone",
      text: "decision=approve",
      headers: { "content-type": "application/x-www-form-urlencoded" }
    },
    { name: "page of a missing asset", send: "GET /pay/assets/none.css", as: "anyone" },
    { wait: "payment.succeeded", of: "{secure}" },
    { name: "read approved", send: "GET /v1/payments/{secure}" },
    { name: "page of a paid payment", send: "GET {hosted}", as: "anyone" },
    {
      name: "return with a wrong token",
      send: "GET /return/op_01m8hqjm8vf3gb5dbs0mqb8ryr/AAAAAAAAAAAAAAAAAAAAAA",
      as: "anyone"
    },

    {
      name: "simulate success",
      send: "POST /v1/sandbox/payments/{undecided}/simulate",
      json: { outcome: "succeeded" }
    },
    { name: "simulate again", send: "POST /v1/sandbox/payments/{undecided}/simulate", json: { outcome: "failed" } },
    {
      name: "simulate an unknown outcome",
      send: "POST /v1/sandbox/payments/{undecided}/simulate",
      json: { outcome: "maybe" }
    },
    {
      name: "simulate unknown payment",
      send: "POST /v1/sandbox/payments/pay_01m8hqjm8vf3gb5dbs0mqb8ryr/simulate",
      json: { outcome: "failed" }
    },
    { name: "create to fail", send: create, json: euros(703, "tok_3ds"), save: { failing: "id" } },
    {
      name: "simulate failure",
      send: "POST /v1/sandbox/payments/{failing}/simulate",
      json: { outcome: "failed", code: "do_not_honor" }
    },
    { name: "create to expire", send: create, json: euros(704, "tok_3ds"), save: { expiring: "id" } },
    { name: "simulate expiry", send: "POST /v1/sandbox/payments/{expiring}/simulate", json: { outcome: "expired" } },
    { wait: "payment.succeeded", of: "{undecided}" },
    { wait: "payment.succeeded", of: "{upi}" },
    { wait: "payment.succeeded", of: "{coin}" },

    { name: "list", send: "GET /v1/payments" },
    { name: "list two", send: "GET /v1/payments?limit=2", save: { cursor: "next_cursor", newest: "data.0.id" } },
    { name: "list the next two", send: "GET /v1/payments?limit=2&starting_after={cursor}" },
    { name: "list newer", send: "GET /v1/payments?limit=2&ending_before={card}" },
    { name: "list failed", send: "GET /v1/payments?status=failed" },
    {
      name: "list two statuses of cards",
      send: "GET /v1/payments?payment_method=card&status=succeeded&status=authorized&limit=100"
    },
    { name: "list yen", send: "GET /v1/payments?currency=JPY" },
    { name: "list by email", send: "GET /v1/payments?customer_email=RAVI%40example.com&limit=100" },
    { name: "list by provider", send: "GET /v1/payments?provider=sandbox_card_b" },
    { name: "list by failure", send: "GET /v1/payments?failure_code=insufficient_funds" },
    { name: "list by reference", send: "GET /v1/payments?provider_reference=unknown" },
    { name: "list by metadata", send: "GET /v1/payments?metadata%5Border_id%5D=o-1" },
    { name: "list by amount", send: "GET /v1/payments?currency=EUR&amount_min=1200&amount_max=1203" },
    { name: "list by amount, no currency", send: "GET /v1/payments?amount_min=1200" },
    {
      name: "list of another time",
      send: "GET /v1/payments?created_after=2020-01-01T00%3A00%3A00Z&created_before=2020-01-02T00%3A00%3A00Z"
    },
    { name: "list too many", send: "GET /v1/payments?limit=101" },
    { name: "list by an unknown parameter", send: "GET /v1/payments?nope=1" },
    { name: "list after no cursor", send: "GET /v1/payments?starting_after=nothing" },

    { name: "healthz", send: "GET /healthz", as: "anyone" },
    { name: "readyz", send: "GET /readyz", as: "anyone" },
    { name: "openapi", send: "GET /v1/openapi.json", as: "anyone" },
    { name: "docs", send: "GET /v1/docs", as: "anyone" },
    { name: "problems", send: "GET /docs/problems", as: "anyone" },
    { name: "problem", send: "GET /docs/problems/no_route", as: "anyone" },
    { name: "unknown problem", send: "GET /docs/problems/none", as: "anyone" },
    { name: "metrics without a token", send: "GET /metrics", as: "anyone" },
    { name: "root", send: "GET /", as: "anyone" },
    { name: "unknown path", send: "GET /v2/payments" },
    { name: "path with two slashes", send: "GET //v1/payments" },
    { name: "webhook of no provider", send: "POST /webhooks/none", as: "anyone", json: {} },
    { name: "webhook of the sandbox", send: "POST /webhooks/sandbox_card_a", as: "anyone", json: {} },
    { name: "metrics", send: "GET /metrics", as: "anyone", headers: { authorization: "Bearer metrics-of-the-replay" } }
  ]
}
