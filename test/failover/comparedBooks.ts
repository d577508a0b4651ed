/**
 * The books compared with the vendor's ledger as its statement, and each movement of the ledger by what has become of it. The
 * ledger and the rows decide; the engine's own result of the comparison is not asked.
 */
import type { PaymentRecord } from "@paymux/core"
import type { StatementMovement } from "@paymux/core/statement"
import { Statements } from "@paymux/sql"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { readStatement } from "../../packages/paymux/src/reconcile/readStatement.ts"
import { migrated } from "../crash/Database.ts"
import { readFindings } from "../crash/Findings.ts"
import type { HarnessReport } from "../crash/TestHarness.ts"
import type { LedgerEntry } from "../crash/vendor/Ledger.ts"
import { vendorProvider } from "../crash/vendor/vendorProvider.ts"

export const compareBooks = async (database: string, ledger: ReadonlyArray<LedgerEntry>): Promise<void> => {
  for (const account of ["alpha", "beta"] as const) {
    await Effect.runPromise(
      readStatement(sourceOf(account, ledger), { since: 0, until: null }, "compared-books").pipe(
        Effect.provide(Statements.layer.pipe(Layer.provideMerge(migrated({ url: database }))))
      )
    )
  }
}

const pageSize = 500

const sourceOf = (account: "alpha" | "beta", ledger: ReadonlyArray<LedgerEntry>) => {
  const provider = vendorProvider({ id: account, url: "http://127.0.0.1:2", mark: () => ({}) })
  const movements = ledger.filter((entry) => entry.account === account && isMovement(entry)).map(movementOf)
  return {
    provider: {
      ...provider,
      capabilities: { ...provider.capabilities, statement: { bookedWithin: "1 minute" } as const }
    },
    operations: {
      statement: ({ cursor, since }: { readonly cursor: string | null; readonly since: number }) => {
        const start = Number(cursor ?? 0)
        const end = start + pageSize
        return Effect.succeed({
          movements: movements.slice(start, end).map((movement) => ({ ...movement, bookedAt: since })),
          next: end < movements.length ? String(end) : null
        })
      }
    }
  }
}

const isMovement = ({ kind }: LedgerEntry): boolean => kind === "captured" || kind === "refunded"

const movementId = ({ key, kind }: LedgerEntry): string => `${kind} ${key}`

const movementOf = (entry: LedgerEntry): Omit<StatementMovement, "bookedAt"> => {
  const isRefund = entry.kind === "refunded"
  return {
    id: movementId(entry),
    type: isRefund ? "refund" : "payment",
    operation: entry.operation,
    reference: isRefund ? null : entry.object,
    original: isRefund ? entry.object : null,
    // Boundary: the currencies of the scenarios.
    amount: { minorUnits: entry.minorUnits, currency: entry.currency as StatementMovement["amount"]["currency"] },
    direction: isRefund ? "out" : "in",
    fee: null,
    net: null,
    payout: null
  }
}

/** What has become of the movements of the ledger. */
export interface Compared {
  /** The operation has succeeded in the database. */
  readonly matched: number
  /** All that was captured was refunded, and the database does not have it. */
  readonly refunded: number
  readonly inReview: number
  /** An unmatched report. */
  readonly listed: number
  readonly unexplained: ReadonlyArray<string>
  /** Payments without a review whose books are not the sum of their movements that are matched or refunded. */
  readonly unequal: ReadonlyArray<string>
  /** Purchases that are paid twice at one provider, which honors keys: none may be. */
  readonly twiceAtOne: ReadonlyArray<string>
  /** Purchases that are paid at two providers, as the lost failover was not repeated. */
  readonly twiceAtTwo: number
}

export const comparedBooks = async (database: string, ledger: ReadonlyArray<LedgerEntry>): Promise<Compared> => {
  const { records } = await readFindings({ url: database })
  const reported = await unmatchedEvents(database)
  const movements = ledger.filter(isMovement)
  const words = movements.map((entry) => [entry, placeOf(entry, ledger, records, reported)] as const)
  const count = (place: string) => words.filter(([, word]) => word === place).length
  const known = words.flatMap(([entry, word]) => (word === "matched" || word === "refunded" ? [entry] : []))
  const paid = [...Map.groupBy(movements, ({ purchase }) => purchase)].flatMap(([purchase, of]) => {
    const kept = [...Map.groupBy(of, ({ object }) => object).values()].filter((own) => keptOf(own) > 0)
    const accounts = new Set(kept.flat().map(({ account }) => account))
    return kept.length > 1 ? [{ purchase, accounts: accounts.size, isTwiceAtOne: accounts.size < kept.length }] : []
  })
  return {
    matched: count("matched"),
    refunded: count("refunded"),
    inReview: count("in review"),
    listed: count("listed"),
    unequal: records.flatMap((record) => unequalBooks(record, known)),
    unexplained: words.filter(([, word]) => word === null).map(([entry]) => JSON.stringify(entry)),
    twiceAtOne: paid.filter(({ isTwiceAtOne }) => isTwiceAtOne).map(({ purchase }) => purchase),
    twiceAtTwo: paid.filter(({ accounts }) => accounts > 1).length
  }
}

const placeOf = (
  entry: LedgerEntry,
  ledger: ReadonlyArray<LedgerEntry>,
  records: ReadonlyArray<PaymentRecord>,
  reported: ReadonlySet<string>
) => {
  const record = records.find((each) => isNamedBy(entry, each))
  const operation = record?.operations.find(({ id }) => id === entry.operation)
  if (operation?.status === "succeeded") return "matched"
  if (record !== undefined && record.payment.reviews.length > 0) return "in review"
  const isRefunded = keptOf(ledger.filter(({ object }) => object === entry.object)) === 0
  if (record === undefined && isRefunded) return "refunded"
  // A refund that was lost, of a payment that was not: operators have it in their list.
  if (reported.has(movementId(entry))) return "listed"
  return isRefunded ? "refunded" : null
}

/** A refund that the database does not have is under the name of its charge. */
const isNamedBy = ({ object, operation }: LedgerEntry, { operations }: PaymentRecord): boolean =>
  operations.some(({ id, reference }) => id === operation || reference === object)

const unequalBooks = (record: PaymentRecord, known: ReadonlyArray<LedgerEntry>) => {
  const { operations, payment } = record
  if (payment.reviews.length > 0) return []
  const entries = known.filter((entry) => isNamedBy(entry, record))
  const there = keptOf(entries)
  const here = payment.amountCaptured - payment.amountRefunded
  if (there === here) return []
  const found = JSON.stringify({ operations, entries })
  return [`${payment.id} (${payment.state.status}): the vendor has ${there}, the database ${here}: ${found}`]
}

const keptOf = (entries: ReadonlyArray<LedgerEntry>): number =>
  entries.reduce((kept, { kind, minorUnits }) => {
    if (kind === "captured") return kept + minorUnits
    return kind === "refunded" ? kept - minorUnits : kept
  }, 0)

/** Ids of movements in reports that operators see as unmatched. */
const unmatchedEvents = (database: string): Promise<ReadonlySet<string>> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ readonly event_key: string }>`SELECT i.event_key FROM provider_inbox i
        JOIN unmatched_reports u ON u.position = i.position WHERE i.event_key LIKE 'statement %'`
      return new Set(rows.map(({ event_key }) => event_key.slice("statement ".length)))
    }).pipe(Effect.provide(migrated({ url: database })))
  )

/** What must not be, as sentences. Lost payments and events, and charges that are listed, are expected. */
export const faultsOfLoss = (
  { unresolved }: Pick<HarnessReport, "unresolved">,
  { twiceAtOne, unequal, unexplained }: Compared
): ReadonlyArray<string> => [
  ...unexplained.map((each) => `unexplained: ${each}`),
  ...unequal.map((each) => `unequal: ${each}`),
  ...twiceAtOne.map((each) => `paid twice at one provider: ${each}`),
  ...unresolved.map((each) => `unresolved: ${each}`)
]
