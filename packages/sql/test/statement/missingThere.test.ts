/** What succeeded here and is not in the statement, on both databases: one operation for each condition, and its borders. */
import { assert, describe, it } from "@effect/vitest"
import type { IdempotencyKey, OperationId } from "@paymux/core"
import type { StatementMovement } from "@paymux/core/statement"
import { firstPaymentId, PaymentStore } from "@paymux/core/store"
import type { Entry, Operation } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Statements } from "../../src/index.ts"
import type { StatementRules, StatementRun } from "../../src/index.ts"
import { postgres, sqlite } from "../databases.ts"

const { anEntry, anOperation, aRecord, currency } = PaymentRecords

const place = { provider: "acme", livemode: false, source: "provider" } as const
const bookedWithin = 1_000
const since = 1_700_000_000_000
const until = since + 10_000

type Booked = Pick<StatementMovement, "type"> & Partial<StatementMovement>

/** Operations of one attempt of a payment, and how the statement books the first of them. */
interface Case {
  readonly operations: ReadonlyArray<Partial<Operation>>
  readonly booked?: Booked
  readonly entries?: ReadonlyArray<Partial<Entry>>
  readonly livemode?: boolean
  /** Of the operations, in their order; `null`: not missing. */
  readonly found: ReadonlyArray<string | null>
}

/** Of an operation whose id is derived from the request. */
const derived = "derived" as IdempotencyKey

/** Derived ids have no time in them. */
const idOf = (n: number, place: number, time: number, isDerived: boolean) => {
  const start = isDerived ? "op_5zzzzzzzzz" : `op_${firstPaymentId(time).slice("pay_".length, "pay_".length + 10)}`
  // Boundary of a test: the shape of an id.
  return `${start}${String(n * 10 + place).padStart(16, "0")}` as OperationId
}

const recordOf = (n: number, { entries = [], livemode = false, operations }: Case) => {
  const record = aRecord(n, { livemode })
  const made = operations.map((change, place) => {
    const createdAt = change.createdAt ?? since + 5
    return anOperation(n, place + 1, {
      id: idOf(n, place, createdAt, change.key === derived),
      attemptSeq: 1,
      status: "succeeded",
      createdAt,
      endedAt: createdAt + 1,
      ...change
    })
  })
  const [create] = made
  return {
    ...record,
    operations: made,
    entries: entries.map((entry) => anEntry(n, { operationId: create?.id ?? null, ...entry }))
  }
}

const movementOf = (n: number, operation: OperationId, booked: Booked): StatementMovement => ({
  id: `movement_${n}`,
  operation,
  reference: null,
  original: null,
  amount: { minorUnits: 10_000, currency: currency("INR") },
  direction: booked.type === "payment" || booked.type === "capture" ? "in" : "out",
  fee: null,
  net: null,
  payout: null,
  bookedAt: since + 10,
  ...booked
})

const compared = Effect.fnUntraced(function* (entered: StatementRun, rules: StatementRules) {
  const statements = yield* Statements
  let run = entered
  while (run.state === "comparing") run = yield* statements.compare(run, rules)
  return run
})

const differencesOf = ({ counts }: StatementRun): number =>
  Object.values(counts.differences).reduce((sum, count) => sum + count, 0)

/** What a whole run finds of each operation, by the cases. */
const foundOf = Effect.fnUntraced(function* (
  cases: ReadonlyArray<Case>,
  { earlier = since, paymentsInParts }: { readonly earlier?: number; readonly paymentsInParts: boolean }
) {
  const [store, statements, sql] = [yield* PaymentStore, yield* Statements, yield* SqlClient.SqlClient]
  const records = cases.map((each, n) => recordOf(n + 1, each))
  for (const record of records) yield* store.begin({ record, binding: null })
  const movements = cases.flatMap(({ booked }, n) => {
    const operation = records[n]?.operations[0]?.id
    return booked === undefined || operation === undefined ? [] : [movementOf(n, operation, booked)]
  })
  const rules = { bookedWithin, paymentsInParts }
  yield* statements.end(yield* statements.begin({ ...place, since: earlier, until: since }))
  const begun = yield* statements.begin({ ...place, since, until })
  const entered = yield* statements.enter(begun, { movements, next: null }, rules)
  // As if it had been read while the payment was open.
  yield* sql`DELETE FROM statement_differences WHERE kind = 'other_status'`
  const run = yield* compared(entered, rules)
  const rows = yield* sql<{ readonly operation_id: string; readonly kind: string }>`
    SELECT operation_id, kind FROM statement_differences WHERE movement IS NULL`
  const kinds = new Map(rows.map(({ kind, operation_id }) => [operation_id, kind]))
  assert.strictEqual(kinds.size, rows.length)
  assert.strictEqual(differencesOf(run) - differencesOf(entered), rows.length)
  const again = yield* statements.begin({ ...place, since, until })
  const unchanged = yield* compared(yield* statements.enter(again, { movements: [], next: null }, rules), rules)
  assert.strictEqual(differencesOf(unchanged), 0, "each once")
  return records.map(({ operations }) => operations.map(({ id }) => kinds.get(id) ?? null))
})

type Cases = { readonly [what: string]: Case }

const missing = ["missing_there"]

const each: Cases = {
  "a payment": { operations: [{}], found: missing },
  "a payment that is booked": { operations: [{}], booked: { type: "payment" }, found: [null] },
  "a payment of which a dispute is booked": { operations: [{}], booked: { type: "dispute" }, found: missing },
  "a capture": { operations: [{ kind: "capture" }], found: missing },
  "a capture that is booked": { operations: [{ kind: "capture" }], booked: { type: "capture" }, found: [null] },
  "a refund": { operations: [{ kind: "refund" }], found: ["refund_not_booked"] },
  "a refund that is booked": { operations: [{ kind: "refund" }], booked: { type: "refund" }, found: [null] },
  "a refund under the reference of one that is booked": {
    operations: [
      { kind: "refund", reference: "re_1" },
      { kind: "refund", reference: "re_1" }
    ],
    booked: { type: "refund" },
    found: [null, "duplicate_here"]
  },
  "a payment under the reference of a refund that is booked": {
    operations: [{ kind: "refund", reference: "x_1" }, { reference: "x_1" }],
    booked: { type: "refund" },
    found: [null, "missing_there"]
  },
  "a capture under the reference of one that is booked": {
    operations: [
      { kind: "capture", reference: "cap_1" },
      { kind: "capture", reference: "cap_1" }
    ],
    booked: { type: "capture" },
    found: [null, "missing_there"]
  },
  "a second charge of a payment under the reference of its first": {
    operations: [{ reference: "ch_2" }, { attemptSeq: 2, reference: "ch_2" }],
    booked: { type: "payment" },
    found: [null, "missing_there"]
  },
  "a payment of which a refund is booked that was not requested": {
    operations: [{ reference: "ch_1" }],
    booked: { type: "refund", operation: null, original: "ch_1" },
    found: missing
  },
  "a hold that was captured": { operations: [{}, { kind: "capture" }], found: [null, "missing_there"] },
  "a hold whose capture was declined": {
    operations: [{}, { kind: "capture", status: "declined" }],
    found: ["missing_there", null]
  },
  "a hold that was captured in another attempt": {
    operations: [{}, { kind: "capture", attemptSeq: 2 }],
    found: ["missing_there", "missing_there"]
  },
  "a refund of what was captured": {
    operations: [{ kind: "refund" }, { kind: "capture" }],
    found: ["refund_not_booked", "missing_there"]
  },
  "a cancel": { operations: [{ kind: "cancel" }], found: [null] },
  "nothing of an amount": { operations: [{ minorUnits: 0 }], found: [null] },
  "a minor unit": { operations: [{ minorUnits: 1 }], found: missing },
  ...Object.fromEntries(
    (["planned", "sending", "pending", "unknown", "authorized", "declined", "canceled"] as const).map((status) => [
      `a payment that is ${status}`,
      { operations: [{ status }], found: [null] }
    ])
  ),
  "a payment of another provider": { operations: [{ provider: "other" }], found: [null] },
  "a payment of live mode": { operations: [{}], livemode: true, found: [null] },
  "requested as the time begins": { operations: [{ createdAt: since }], found: missing },
  "requested before the time begins": { operations: [{ createdAt: since - 1, endedAt: since + 1 }], found: [null] },
  "done, by another clock, as long before as it may be booked": {
    operations: [{ endedAt: since - bookedWithin }],
    found: missing
  },
  "done longer before": { operations: [{ endedAt: since - bookedWithin - 1 }], found: [null] },
  "done when it must be booked by the end": { operations: [{ endedAt: until - bookedWithin - 1 }], found: missing },
  "done when it may be booked after the end": { operations: [{ endedAt: until - bookedWithin }], found: [null] },
  "done, by another clock, before it was requested": {
    operations: [{ createdAt: until + 50_000, endedAt: until - bookedWithin - 1 }],
    found: missing
  },
  "not ended": { operations: [{ endedAt: null }], found: [null] }
}

const withDerivedIds = (cases: Cases): Cases =>
  Object.fromEntries(
    Object.entries(cases).map(([what, one]) => [
      what,
      { ...one, operations: one.operations.map((operation) => ({ key: derived, ...operation })) }
    ])
  )

const amount = (minorUnits: number) => ({ amount: { minorUnits, currency: currency("INR") } })

const inParts: Cases = {
  "a payment of which nothing is booked": { operations: [{}], found: missing },
  "a payment that is booked": { operations: [{}], booked: { type: "payment" }, entries: [{}], found: [null] },
  "a payment of which a part is booked": {
    operations: [{}],
    booked: { type: "payment", ...amount(4_000) },
    entries: [{}],
    found: ["other_amount"]
  },
  "a part of what was requested, without entries": {
    operations: [{}],
    booked: { type: "payment", ...amount(4_000) },
    found: ["other_amount"]
  },
  "one of two charges": {
    operations: [{}],
    booked: { type: "payment", ...amount(6_000) },
    entries: [
      { minorUnits: 6_000, reference: "a" },
      { minorUnits: 4_000, reference: "b" }
    ],
    found: ["other_amount"]
  },
  "what the books have of another attempt, in another currency, or only held": {
    operations: [{}],
    booked: { type: "payment" },
    entries: [
      {},
      { minorUnits: 20_000, reference: "b", attemptSeq: 2 },
      { minorUnits: 20_000, reference: "c", currency: "USD" },
      { minorUnits: 20_000, reference: "d", kind: "authorized" }
    ],
    found: [null]
  },
  "a part of a refund": {
    operations: [{ kind: "refund" }],
    booked: { type: "refund", ...amount(4_000) },
    found: [null]
  },
  "a refund of which nothing is booked": { operations: [{ kind: "refund" }], found: ["refund_not_booked"] },
  ...Object.fromEntries(
    (["declined", "not_executed", "expired", "canceled"] as const).flatMap((status): ReadonlyArray<[string, Case]> => [
      [
        `a part of a payment that is ${status}`,
        { operations: [{ status }], booked: { type: "payment", ...amount(4_000) }, found: ["other_status"] }
      ],
      [`a payment that is ${status}`, { operations: [{ status }], found: [null] }]
    ])
  ),
  "a part of a payment that is open": {
    operations: [{ status: "pending", endedAt: null }],
    booked: { type: "payment", ...amount(4_000) },
    found: [null]
  },
  "a part of a refund that was declined": {
    operations: [{ kind: "refund", status: "declined" }],
    booked: { type: "refund", ...amount(4_000) },
    found: [null]
  }
}

/** The run before this one, without a gap, begins there. */
const earlier = since - 5_000

const afterAnother: Cases = {
  "requested as the first of them begins": { operations: [{ createdAt: earlier, endedAt: since }], found: missing },
  "requested before": { operations: [{ createdAt: earlier - 1, endedAt: since }], found: [null] },
  "done in the time of the first": {
    operations: [{ createdAt: earlier, endedAt: since - bookedWithin - 1 }],
    found: [null]
  }
}

/** More than one stretch, so that one ends between two operations, three of which are requested in each millisecond. */
const many: Cases = {
  refunds: {
    operations: Array.from({ length: 2_003 }, (_, n) => ({
      kind: "refund" as const,
      minorUnits: 1,
      createdAt: since + Math.floor(n / 3)
    })),
    found: Array.from({ length: 2_003 }, () => "refund_not_booked")
  }
}

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
] as const)("what a statement misses on %s", (_, database) => {
  it.live.each([
    ["each succeeded operation of its time that is not booked", each, { paymentsInParts: false }],
    ["of payments in parts, also parts", inParts, { paymentsInParts: true }],
    ["what was requested in the time of a run that it continues", afterAnother, { paymentsInParts: false, earlier }],
    ["every one of many", many, { paymentsInParts: false }],
    ["the same where ids are derived", withDerivedIds(each), { paymentsInParts: false }],
    [
      "the same of a continued run where ids are derived",
      withDerivedIds(afterAnother),
      { paymentsInParts: false, earlier }
    ],
    ["every one of many with derived ids", withDerivedIds(many), { paymentsInParts: false }]
  ] as const)("is %s", ([, cases, options]) =>
    Effect.gen(function* () {
      const found = yield* foundOf(Object.values(cases), options)
      const named = (found: ReadonlyArray<Case["found"]>) => Object.keys(cases).map((what, n) => [what, found[n]])
      assert.deepStrictEqual(named(found), named(Object.values(cases).map(({ found }) => found)))
    }).pipe(Effect.provide(Layer.provideMerge(Statements.layer, database), { local: true }))
  )

  it.live("is found by a run that an earlier version has left among derived ids", () =>
    Effect.gen(function* () {
      const [store, statements, sql] = [yield* PaymentStore, yield* Statements, yield* SqlClient.SqlClient]
      const record = recordOf(1, { operations: [{ key: derived }, { key: derived, kind: "capture" }], found: [] })
      yield* store.begin({ record, binding: null })
      const rules = { bookedWithin, paymentsInParts: false }
      const begun = yield* statements.begin({ ...place, since, until })
      const entered = yield* statements.enter(begun, { movements: [], next: null }, rules)
      // Earlier versions walked these ids in their order.
      const cursor = "op_5zzzzzzzzzzzzzzzzzzzzzzzzz"
      yield* sql`UPDATE statement_runs SET cursor = ${cursor} WHERE id = ${entered.id}`
      assert.strictEqual(differencesOf(yield* compared({ ...entered, cursor }, rules)), 1)
    }).pipe(Effect.provide(Layer.provideMerge(Statements.layer, database), { local: true }))
  )

  it.live("is found behind a cursor that an earlier version takes for the beginning of the derived ids", () =>
    Effect.gen(function* () {
      const [store, statements] = [yield* PaymentStore, yield* Statements]
      const { refunds } = withDerivedIds(many)
      if (refunds === undefined) return assert.fail("There are no refunds")
      yield* store.begin({ record: recordOf(1, refunds), binding: null })
      const rules = { bookedWithin, paymentsInParts: false }
      const begun = yield* statements.begin({ ...place, since, until })
      let run = yield* statements.enter(begun, { movements: [], next: null }, rules)
      const cursors: Array<string> = []
      while (run.state === "comparing") {
        run = yield* statements.compare(run, rules)
        if (run.cursor !== null) cursors.push(run.cursor)
      }
      assert.lengthOf(cursors, 2)
      for (const cursor of cursors) assert.isTrue(cursor > "op_4" && cursor < "op_40", cursor)
      assert.strictEqual(differencesOf(run), 2_003)
    }).pipe(Effect.provide(Layer.provideMerge(Statements.layer, database), { local: true }))
  )

  it.live("is an operation again that an answered difference was about, and not one whose difference is open", () =>
    Effect.gen(function* () {
      const [store, statements, sql] = [yield* PaymentStore, yield* Statements, yield* SqlClient.SqlClient]
      const rules = { bookedWithin, paymentsInParts: false }
      const records = [1, 2].map((n) => recordOf(n, { operations: [{}], found: [] }))
      for (const record of records) yield* store.begin({ record, binding: null })
      const ids = records.flatMap(({ operations: [create] }) => create?.id ?? [])
      const begun = yield* statements.begin({ ...place, since, until })
      for (const [n, resolvedAt] of [since, null].entries()) {
        yield* sql`INSERT INTO statement_differences
          (provider, livemode, kind, subject, operation_id, run, found_at, resolved_at)
          VALUES ('acme', ${place.livemode}, 'other_status', ${`movement_${n}`}, ${ids[n] ?? null}, ${begun.id}, ${since}, ${resolvedAt})`
      }
      yield* compared(yield* statements.enter(begun, { movements: [], next: null }, rules), rules)
      const found = yield* sql<{ readonly operation_id: string }>`
        SELECT operation_id FROM statement_differences WHERE kind = 'missing_there'`
      assert.deepStrictEqual(
        found.map(({ operation_id }) => operation_id),
        ids.slice(0, 1)
      )
    }).pipe(Effect.provide(Layer.provideMerge(Statements.layer, database), { local: true }))
  )
})
