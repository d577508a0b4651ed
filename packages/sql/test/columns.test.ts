/** The lists of columns: each part of a value is stored under its own name. */
import { assert, describe, it } from "@effect/vitest"
import { PaymentRecords } from "@paymux/test-suites"
import { valuesOf } from "../src/rows/Column.ts"
import type { Columns } from "../src/rows/Column.ts"
import {
  attemptColumns,
  entryColumns,
  eventColumns,
  evidenceColumns,
  inboxColumns,
  keyColumns,
  operationColumns,
  paymentColumns
} from "../src/rows/columns.ts"
import { readEvent, readEvidenceRow, readInboxEntry, readKey, readRecord } from "../src/rows/rows.ts"

const { aRecord, anEntry, anEvent, aBinding, anInboxEntry, succeeded } = PaymentRecords

/** A row as a database returns it. */
const rowOf = <A>(columns: Columns<A>, value: A) => {
  const values = valuesOf(columns, value)
  return Object.fromEntries(columns.all.map(({ name }, place) => [name, values[place]]))
}

/** With another number in each field that holds one, and another text in each field of those that may hold any. */
const distinct = <A extends object>(value: A, texts: ReadonlyArray<keyof A & string>): A => {
  const changed = Object.entries(value).map(([field, part]: [string, unknown], place) => [
    field,
    typeof part === "number" || field.endsWith("At")
      ? 1_000 + place
      : texts.some((text) => text === field)
        ? `${field} ${place}`
        : part
  ])
  // Boundary: the fields are those of the value.
  return { ...value, ...Object.fromEntries(changed) }
}

describe("the columns of a table", () => {
  it("store each part of a payment under its own name", () => {
    const { attempts, operations, payment } = succeeded(aRecord(1))
    const record = {
      payment: {
        ...distinct(payment, ["account", "description", "returnUrl", "order", "provider"]),
        livemode: true,
        pendingAnnounced: false,
        amountReceived: 7
      },
      attempts: attempts.flatMap((attempt) => [
        { ...distinct(attempt, ["provider", "reason", "vendorCode"]), late: true },
        { ...attempt, actionShown: true },
        { ...attempt, isOverpayment: true }
      ]),
      operations: operations.flatMap((operation) => [
        {
          ...distinct(operation, ["provider", "charge", "reason", "vendorCode", "key", "reference", "owner"]),
          unsettled: true
        },
        { ...operation, isOverpayment: true }
      ]),
      entries: [distinct(anEntry(1), ["provider", "reference"])]
    }
    const read = readRecord({
      payment: rowOf(paymentColumns, record.payment),
      attempts: record.attempts.map((attempt) => rowOf(attemptColumns, attempt)),
      operations: record.operations.map((operation) => rowOf(operationColumns, operation)),
      entries: record.entries.map((entry) => rowOf(entryColumns, entry))
    })
    assert.deepStrictEqual(read, record)
  })

  it("store each part of a key, an event, evidence and a report under its own name", () => {
    const binding = distinct(aBinding(1), ["account", "endpoint", "key", "fingerprint"])
    assert.deepStrictEqual(readKey({ ...rowOf(keyColumns, binding), answer: null }), { ...binding, answer: null })
    const event = distinct(anEvent(aRecord(1), "payment.succeeded"), [
      "account",
      "payment",
      "refund",
      "review",
      "dispute"
    ])
    assert.deepStrictEqual(readEvent(rowOf(eventColumns, event)), event)
    const evidence = distinct(
      {
        paymentId: event.paymentId,
        operationId: PaymentRecords.operationId(1),
        source: "webhook" as const,
        kind: "",
        vendorCode: null,
        eventId: null,
        document: null,
        occurredAt: null,
        recordedAt: 1
      },
      ["kind", "vendorCode", "eventId", "document"]
    )
    assert.deepStrictEqual(readEvidenceRow(rowOf(evidenceColumns, evidence)), evidence)
    const entry = distinct(anInboxEntry(1), ["provider", "eventKey", "document"])
    assert.deepStrictEqual(readInboxEntry(rowOf(inboxColumns, entry)), entry)
  })
})
