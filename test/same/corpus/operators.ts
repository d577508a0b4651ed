/** What operators do by commands, beside a running server. */
import { asha, euros, stablecoin } from "./customers.ts"
import type { Group } from "./Entry.ts"

const create = "POST /v1/payments"

export const operators: Group = {
  name: "operators",
  options: {
    sandbox: true,
    routing: { source: "database", initial: "routing.yaml" },
    statements: {
      sandbox_card_a: {
        columns: { id: "id", type: "type", amount: "amount", currency: "currency", bookedAt: "date", operation: "op" },
        types: { sale: "payment" },
        dates: { format: "iso" },
        amounts: { unit: "minor" }
      }
    }
  },
  files: {
    "report.csv":
      "id,type,amount,currency,date,op\n" +
      "t1,sale,1200,EUR,2026-11-28T10:00:00Z,op_01m8hqjm8vf3gb5dbs0mqb8ryr\n" +
      "t2,sale,700,EUR,2026-11-28T10:00:01Z,\n",
    "wrong.csv": "id,type,amount,currency,date,op\nt1,sale,12.5,EUR,2026-11-28T10:00:00Z,\n",
    "routing.yaml":
      "version: 1\nrules: []\ndefault:\n  priority: [sandbox_card_a, sandbox_card_b, sandbox_upi_a, sandbox_stablecoin_a]\n",
    "second.yaml":
      "version: 1\nrules:\n  - name: yen\n    when: { currency: JPY }\n    choose: { priority: [sandbox_card_b] }\ndefault:\n  priority: [sandbox_card_a, sandbox_card_b, sandbox_upi_a, sandbox_stablecoin_a]\n",
    "wrong.yaml": "version: 1\nrules:\n  - name: yen\n    when: { curency: JPY }\n    choose: { priority: [missing] }\n"
  },
  entries: [
    { name: "add endpoint", run: ["webhooks", "add", "{shop}/shop"], save: { secret: /(whsec_\S+)/ } },
    { name: "create card", send: create, json: euros(1_200), save: { card: "id" } },
    { name: "create declined", send: create, json: euros(1_201, "tok_declined"), save: { declined: "id" } },
    { name: "create in review", send: create, json: stablecoin(2_501, "under"), save: { under: "id" } },
    { wait: "payment.review_opened", of: "{under}" },
    { name: "refund", send: "POST /v1/payments/{card}/refunds", json: { amount: 200 } },
    { name: "invalid", send: create, json: { ...euros(1), amout: 1 } },
    { wait: "payment.succeeded", of: "{card}" },
    { name: "help", run: ["--help"] },
    { name: "unknown command", run: ["paymets", "list"] },
    { name: "payments", run: ["payments", "list"] },
    { name: "payment", run: ["payments", "get", "{card}"] },
    { name: "timeline", run: ["payments", "timeline", "{card}", "--json"] },
    { name: "refunds", run: ["refunds", "list"] },
    { name: "events", run: ["events", "list"], save: { event: /(evt_\w+)/ } },
    { name: "event", run: ["events", "show", "{event}"] },
    { name: "requests", run: ["requests", "list", "--json"], save: { request: /(req_\w+)/ } },
    { name: "request", run: ["requests", "show", "{request}"] },
    { name: "reviews", run: ["review", "list"] },
    { name: "review", run: ["review", "show", "{under}"] },
    { name: "resolve without evidence", run: ["review", "resolve", "{under}", "--as", "given_back"] },
    {
      name: "resolve",
      run: ["review", "resolve", "{under}", "--as", "given_back", "--evidence", "bank transfer 7", "--yes"]
    },
    { wait: "payment.review_resolved", of: "{under}" },
    { name: "keys", run: ["keys", "list"] },
    { name: "create key", run: ["keys", "create", "--name", "till"], save: { till: /(pmx_\S+)/ } },
    { name: "providers", run: ["providers", "list"] },
    { name: "endpoints", run: ["webhooks", "list"], save: { endpoint: /(we_\w+)/ } },
    { name: "test endpoint", run: ["webhooks", "test", "{endpoint}"] },
    { name: "deliveries", run: ["webhooks", "deliveries", "--type", "payment.succeeded"] },
    { name: "rotate endpoint", run: ["webhooks", "rotate", "{endpoint}"], save: { second_secret: /(whsec_\S+)/ } },
    { name: "create after the rotation", send: create, json: euros(1_202), save: { rotated: "id" } },
    { wait: "payment.succeeded", of: "{rotated}" },
    { name: "rules check, wrong", run: ["rules", "check", "wrong.yaml"] },
    { name: "rules publish", run: ["rules", "publish", "second.yaml", "--note", "yen to b"] },
    { name: "rules history", run: ["rules", "history"] },
    { name: "rules diff", run: ["rules", "diff", "1", "2"] },
    { name: "reconcile", run: ["reconcile", "--since", "1h"] },
    { name: "reconcile a report", run: ["reconcile", "--provider", "sandbox_card_a", "--file", "report.csv"] },
    { name: "reconcile a wrong report", run: ["reconcile", "--provider", "sandbox_card_a", "--file", "wrong.csv"] },
    { name: "statement runs", run: ["statements", "runs"] },
    { name: "statement differences", run: ["statements", "differences"] },
    { name: "stats rebuild", run: ["stats", "rebuild"] },
    { name: "stats", run: ["stats", "show"] },
    { name: "invite", run: ["dashboard", "invite", "dev@shop.example", "--role", "developer"] },
    { name: "erase", run: ["customers", "erase", "--email", asha.email, "--yes"] },
    { name: "read erased", send: "GET /v1/payments/{card}" },
    { name: "audit", run: ["audit", "list"] }
  ]
}
