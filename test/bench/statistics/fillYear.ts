/** The events of payments within `span` ms before the end of a year, as SQL: five providers, two methods, three currencies, one in eight payments fails for one of five reasons. */
import type { SqlClient } from "effect/sql"

/** ms UTC */
export const yearEnd = Date.UTC(2026, 9, 1)

const year = 365 * 86_400_000

export const fillYear = (sql: SqlClient.SqlClient, payments: number, span = year) => {
  const numbers = sql.onDialectOrElse({
    pg: () => `generate_series(1, ${payments}) AS numbers (n)`,
    orElse: () => `(WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${payments})
      SELECT n FROM numbers) AS numbers`
  })
  const no = sql.onDialectOrElse({ pg: () => "false", orElse: () => "0" })
  const iso = (ms: string) =>
    sql.onDialectOrElse({
      pg: () => `to_char(to_timestamp((${ms}) / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      orElse: () => `strftime('%Y-%m-%dT%H:%M:%fZ', (${ms}) / 1000.0, 'unixepoch')`
    })
  const at = `(${yearEnd - span} + CAST(n AS bigint) * ${span} / ${payments})`
  const took = "(40 + (CAST(n AS bigint) * 7919) % 1500 + CASE WHEN n % 19 = 0 THEN (n * 31) % 9000 ELSE 0 END)"
  const one = (list: ReadonlyArray<string>, number: string) =>
    `CASE (${number}) % ${list.length} ${list.map((word, index) => `WHEN ${index} THEN '${word}'`).join(" ")} END`
  const provider = one(["acme", "beta", "gamma", "delta", "epsilon"], "n / 3")
  // A provider takes one method, in one or two currencies.
  const method = one(["card", "upi", "card", "upi", "card"], "n / 3")
  const currency = `CASE WHEN (n / 3) % 5 IN (1, 3) THEN 'INR' WHEN n % 4 = 0 THEN 'USD' ELSE 'EUR' END`
  const code = one(
    ["card_declined", "insufficient_funds", "expired_card", "processing_error", "fraud_suspected"],
    "n / 8"
  )
  const isFailed = "n % 8 = 0"
  const status = `CASE WHEN ${isFailed} THEN 'failed' ELSE 'succeeded' END`
  const amount = "(100 + (n * 17) % 100000)"
  const payment = [
    `'{"id":"pay_' || n || '","object":"payment","livemode":false,"status":"' || ${status} || '","pending_reason":null'`,
    `',"amount":' || ${amount} || ',"amount_captured":' || CASE WHEN ${isFailed} THEN 0 ELSE ${amount} END`,
    `',"amount_refunded":0,"currency":"' || ${currency} || '","payment_method":"' || ${method} || '"'`,
    `',"payment_method_details":{},"capture_method":"automatic","description":"Order 1234","customer":{"email":"asha@example.com","phone":"+919999999999","name":"Asha Rao"},"metadata":{"order_id":"1234"},"return_url":null,"next_action":null,"hosted_url":null,"failure":'`,
    `CASE WHEN ${isFailed} THEN '{"code":"' || ${code} || '","retryable":true}' ELSE 'null' END`,
    `',"reviews":[],"provider":"' || ${provider} || '","routing":{"rule":"default","ruleset":"sha256:0000000000000000000000000000000000000000000000000000000000000000","reason":"priority","dropped":[]},"attempts":[{"seq":1,"provider":"'`,
    `${provider} || '","reference":"ref_' || n || '","status":"' || CASE WHEN ${isFailed} THEN 'declined' ELSE 'succeeded' END || '","reason":"priority","code":'`,
    `CASE WHEN ${isFailed} THEN '"' || ${code} || '"' ELSE 'null' END || ',"vendor_code":null,"started_at":"' || ${iso(at)} || '","ended_at":"' || ${iso(`${at} + ${took}`)}`,
    `'"}],"operations":[],"version":2,"created_at":"' || ${iso(at)} || '","updated_at":"' || ${iso(at)} || '"}'`
  ].join(" || ")
  const refund = `'{"id":"re_' || n || '","object":"refund","livemode":false,"payment":"pay_' || n || '","status":"succeeded","amount":50,"currency":"' || ${currency} || '","reason":null,"failure":null,"provider":"' || ${provider} || '","reference":null,"created_at":"' || ${iso(`${at} + 3600000`)} || '","ended_at":null}'`
  const columns = "id, payment_id, sequence, type, account, livemode, payment, refund, created_at, dispatched_at"
  return [
    sql.unsafe(`INSERT INTO payment_events (${columns})
      SELECT 'evt_' || n, 'pay_' || n, 1, 'payment.succeeded', 'default', ${no}, ${payment}, NULL, ${at}, ${at} FROM ${numbers}`),
    sql.unsafe(`INSERT INTO payment_events (${columns})
      SELECT 'evt_r' || n, 'pay_' || n, 2, 'refund.succeeded', 'default', ${no}, ${payment}, ${refund}, ${at}, ${at}
      FROM ${numbers} WHERE n % 50 = 1`),
    sql.unsafe("ANALYZE")
  ]
}
