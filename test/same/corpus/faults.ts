/** Providers that answer late or never, and receivers that refuse: side by side, since each takes seconds. */
import { euros, stablecoin, upi } from "./customers.ts"
import type { Group } from "./Entry.ts"

const create = "POST /v1/payments"

export const faults: Group = {
  name: "faults",
  options: { sandbox: true, lateSuccess: "reverse" },
  entries: [
    { name: "add endpoint", run: ["webhooks", "add", "{shop}/shop"], save: { secret: /(whsec_\S+)/ } },
    {
      name: "add flaky endpoint",
      run: ["webhooks", "add", "{shop}/flaky", "--event", "payment.succeeded"],
      save: { flaky_secret: /(whsec_\S+)/ }
    },
    {
      name: "add gone endpoint",
      run: ["webhooks", "add", "{shop}/gone", "--event", "payment.failed"],
      save: { gone_secret: /(whsec_\S+)/ }
    },
    {
      name: "create late success",
      send: create,
      json: { ...euros(1_000), metadata: { sandbox_scenario: "late_success" } },
      save: { late: "id" }
    },
    {
      name: "create card that times out",
      send: create,
      json: euros(1_001, "tok_timeout"),
      key: "timeout",
      inBackground: true
    },
    { name: "create upi that times out", send: create, json: upi(1_002, "timeout@paymux"), inBackground: true },
    {
      name: "create primary timeout",
      send: create,
      json: { ...euros(1_003), metadata: { sandbox_scenario: "primary_timeout" } },
      inBackground: true
    },
    { name: "create too much", send: create, json: stablecoin(1_004, "over"), save: { over: "id" } },
    { name: "create wrong asset", send: create, json: stablecoin(1_005, "wrong_asset"), save: { wrong: "id" } },
    { name: "create reorganized", send: create, json: stablecoin(1_006, "reorg"), save: { reorg: "id" } },
    { wait: "payment.succeeded", of: "{over}" },
    { wait: "payment.succeeded", of: "{over}", at: "flaky", times: 2 },
    { wait: "payment.review_opened", of: "{wrong}" },
    { name: "read wrong asset", send: "GET /v1/payments/{wrong}" },
    { wait: "payment.late_reversed", of: "{late}" },
    { name: "read late success", send: "GET /v1/payments/{late}" }
  ]
}
