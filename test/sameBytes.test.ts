/** The API answers the same bytes on both databases, but for ids, times, digests and signatures. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createPaymux } from "paymux"
import type { Paymux } from "paymux"
import { migrations } from "../packages/paymux/src/Database.ts"
import { temporaryDatabase } from "./support/PostgresDatabases.ts"

const customer = { email: "asha@example.com", phone: "+919999999999" }
const waiting = { email: "asha@example.com", phone: "+918888888888" }
const card = (token: string) => ({ payment_method: "card", payment_method_details: { card: { token } } })

/** One after the other, so that lists have one order. */
const creates: ReadonlyArray<object> = [
  { amount: 10_000, currency: "INR", payment_method: "upi", customer },
  {
    amount: 5_000,
    currency: "INR",
    payment_method: "upi",
    customer: waiting,
    metadata: { order_id: "o-1", "ñ \u0000": "☃" }
  },
  { amount: 2_500, currency: "USD", payment_method: "stablecoin", customer },
  { amount: 1_200, currency: "EUR", ...card("tok_success"), customer, description: 'tea, "green" & 茶' },
  { amount: 1_200, currency: "EUR", ...card("tok_declined"), customer },
  { amount: 1_200, currency: "EUR", ...card("tok_insufficient_funds"), customer },
  { amount: 3_000, currency: "JPY", ...card("tok_success"), capture_method: "manual", customer },
  { amount: 3_000, currency: "KWD", ...card("tok_success"), capture_method: "manual", customer },
  { amount: 700, currency: "EUR", ...card("tok_success"), customer, metadata: { sandbox_scenario: "primary_down" } },
  { amount: 700, currency: "EUR", ...card("tok_success"), customer, metadata: { sandbox_scenario: "all_down" } },
  { amount: 0, currency: "EUR", ...card("tok_success"), customer },
  { amount: 100, currency: "USD", payment_method: "upi", customer },
  { amount: 100, currency: "EUR", ...card("4111111111111111"), customer }
]

const lists = [
  "",
  "?limit=2",
  "?status=failed",
  "?payment_method=card&status=succeeded&status=authorized",
  "?currency=JPY",
  "?customer_email=asha%40example.com&limit=100",
  "?provider_reference=unknown",
  "?metadata%5Border_id%5D=o-1",
  "?created_after=2020-01-01T00%3A00%3A00Z&created_before=2020-01-02T00%3A00%3A00Z",
  "?limit=101",
  "?nope=1"
]

/** What every request of the story was answered. */
const tell = async (paymux: Paymux): Promise<ReadonlyArray<string>> => {
  const said: Array<string> = []
  const ask = async (method: string, path: string, body?: object, key?: string): Promise<string> => {
    const response = await paymux.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          authorization: `Bearer ${paymux.testKey ?? ""}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(key === undefined ? {} : { "idempotency-key": key })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
    )
    const text = await response.text()
    const replayed = response.headers.get("idempotent-replayed")
    said.push(anonymous(`${method} ${path} ${response.status} ${replayed ?? ""} ${text}`))
    return /"id":"(pay_[0-9a-z]+)"/.exec(text)?.[1] ?? "pay_none"
  }
  const ids: Array<string> = []
  for (const [index, body] of creates.entries()) ids.push(await ask("POST", "/v1/payments", body, `key-${index}`))
  for (const [index, body] of creates.entries()) await ask("POST", "/v1/payments", body, `key-${index}`)
  await ask("POST", "/v1/payments", { ...creates[0], amount: 1 }, "key-0")
  const at = (index: number): string => `/v1/payments/${ids[index] ?? ""}`
  await ask("POST", `${at(6)}/capture`, { amount: 1_000 }, "capture")
  await ask("POST", `${at(6)}/capture`, { amount: 1_000 }, "capture")
  await ask("POST", `${at(6)}/capture`, {})
  await ask("POST", `${at(7)}/cancel`)
  await ask("POST", `${at(1)}/cancel`)
  for (const key of ["one", "two", "one"]) await ask("POST", `${at(3)}/refunds`, { amount: 500, reason: "size" }, key)
  await ask("POST", `${at(3)}/refunds`, { amount: 500 })
  await ask("POST", `${at(2)}/refunds`, {})
  await ask("GET", `${at(3)}/refunds`)
  for (const index of ids.keys()) await ask("GET", at(index))
  for (const query of lists) await ask("GET", `/v1/payments${query}`)
  return said
}

/** Ids by the order in which they first appear; times and digests by what they are. */
const anonymous = (text: string): string =>
  text
    .replace(/\b(?:pay|op|re|evt|req|sbx)_[0-9a-z-]{8,}/g, (id) => `<${id.slice(0, id.indexOf("_"))}>`)
    .replace(/(\/pay\/<pay>\/)[\w-]{22}/g, "$1<token>")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time>")
    .replace(/"next_cursor":"[^"]+"/g, '"next_cursor":"<cursor>"')
    .replace(/(tr=|txn=|0x)[0-9A-Za-z]{8,}/g, "$1<digest>")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<uuid>")

const story = async (database: string) => {
  await using paymux = await createPaymux({ sandbox: true, database })
  return await tell(paymux)
}

describe("P24", () => {
  it.live("SQLite and PostgreSQL answer the same bytes", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase(migrations)
      const sqlite = yield* Effect.promise(() => story(":memory:"))
      const postgres = yield* Effect.promise(() => story(url))
      assert.isAbove(sqlite.length, 60)
      assert.include(sqlite.join("\n"), '"status":"succeeded"')
      assert.deepStrictEqual(postgres, sqlite)
    })
  )
})
