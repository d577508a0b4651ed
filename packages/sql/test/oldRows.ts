/** Rows for earlier versions of the tables. The store only writes the latest version, so they are inserted directly. */
import { PaymentRecords } from "@paymux/test-suites"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { toStorable } from "../src/rows/storableText.ts"

const { eventId, operationId, paymentId } = PaymentRecords

interface OldRow {
  readonly [column: string]: string | number | boolean | null
}

/** A payment in the first version of the tables. `change` replaces and adds columns. */
export const oldPayment = (n: number, change: OldRow = {}): OldRow => ({
  id: paymentId(n),
  account: "default",
  livemode: false,
  status: "pending",
  state: '{"status":"pending","reason":"processing","nextAction":null}',
  rail: "upi",
  method: '{"rail":"upi","flow":"intent","vpa":null}',
  minor_units: 10_000,
  currency: "INR",
  capture_method: "automatic",
  customer: '{"email":"payer@example.com","phone":"+919999999999","name":null}',
  customer_email: "payer@example.com",
  metadata: "{}",
  amount_captured: 0,
  amount_refunded: 0,
  provider: "acme",
  routing: '{"rule":"default","ruleset":"sha256:00","reason":"priority","candidates":[],"dropped":[]}',
  pending_announced: false,
  event_sequence: 0,
  deadline_at: 46_000,
  version: 1,
  created_at: 1_000 + n,
  updated_at: 1_000 + n,
  ...change
})

export const oldAttempt = (n: number, seq: number, change: OldRow = {}): OldRow => ({
  payment_id: paymentId(n),
  seq,
  provider: "acme",
  status: "sending",
  reason: "priority",
  action_shown: false,
  late: false,
  started_at: 1_000,
  ...change
})

/** The operation at position `seq - 1`: the create operation of attempt `seq`, unless `change` replaces that. */
export const oldOperation = (n: number, seq: number, change: OldRow = {}): OldRow => ({
  payment_id: paymentId(n),
  position: seq - 1,
  id: operationId(n, seq),
  attempt_seq: seq,
  provider: "acme",
  kind: "create",
  minor_units: 10_000,
  status: "sending",
  key: `key-${n}-${seq}`,
  owner: "engine-1",
  unsettled: false,
  checks: 0,
  deadline_at: 31_000,
  next_check_at: 36_000,
  created_at: 1_000,
  ...change
})

/** The first event of a payment, without the columns of later versions. */
export const oldEvent = (n: number, change: OldRow = {}): OldRow => ({
  id: eventId(n),
  payment_id: paymentId(n),
  sequence: 1,
  type: "payment.pending",
  account: "default",
  livemode: false,
  payment: "{}",
  created_at: 1_000,
  ...change
})

export const insertRows = Effect.fnUntraced(function* (
  table: "payments" | "attempts" | "operations" | "payment_events",
  rows: ReadonlyArray<OldRow>
) {
  const sql = yield* SqlClient.SqlClient
  const literal = sql.onDialectOrElse({ pg: () => pgLiteral, orElse: () => sqliteLiteral })
  for (const row of rows) {
    const values = Object.values(row).map(literal).join(", ")
    yield* sql.unsafe(`INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${values})`)
  }
})

type Value = OldRow[string]

const pgLiteral = (value: Value): string => (typeof value === "string" ? quoted(toStorable(value)) : String(value))

const sqliteLiteral = (value: Value): string => {
  if (typeof value === "boolean") return value ? "1" : "0"
  return typeof value === "string" ? quoted(value) : String(value)
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
