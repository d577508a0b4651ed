import type { HeldLease, ProviderStateStore } from "@paymux/core/store"
import { Effect } from "effect"
import type { Fragments, StatementRunner } from "../dialect/Fragments.ts"
import { firstOf, numeral, text } from "../rows/ReadRow.ts"

/** The stored keys and counters of providers. */
export const providerState = ({ read, write }: StatementRunner): ProviderStateStore => ({
  get: (provider, key) =>
    Effect.map(
      read(
        ({ bind }) => `SELECT value FROM provider_state
          WHERE provider = ${bind(provider)} AND key = ${bind(key)}`
      ),
      firstOf((row) => text(row, "value"))
    ),
  compareAndSet: (provider, key, expected, value, lease) =>
    Effect.map(
      write((statement) => {
        const { bind } = statement
        const set = { provider: bind(provider), key: bind(key), value: bind(value) }
        const change =
          expected === null
            ? `INSERT INTO provider_state (provider, key, value)
                SELECT ${set.provider}, ${set.key}, ${set.value} FROM held WHERE true ON CONFLICT DO NOTHING`
            : `UPDATE provider_state SET value = ${set.value} FROM held
                WHERE provider = ${set.provider} AND key = ${set.key} AND value = ${bind(expected)}`
        return `WITH held AS (${heldLease(statement, lease)}) ${change} RETURNING 1 AS done`
      }),
      (rows) => rows.length === 1
    ),
  next: (provider, counter) =>
    Effect.map(
      write(
        ({ bind }) => `INSERT INTO provider_counters AS counted (provider, counter, value)
          VALUES (${bind(provider)}, ${bind(counter)}, 1)
          ON CONFLICT (provider, counter) DO UPDATE SET value = counted.value + 1 RETURNING value`
      ),
      ([row = {}]) => numeral(row, "value")
    )
})

/** Checks that the lease is still held, and locks it until the write that depends on it is done. */
const heldLease = ({ bind, sql }: Fragments, lease: HeldLease | null): string =>
  lease === null
    ? "SELECT 1"
    : `SELECT 1 FROM provider_leases WHERE name = ${bind(lease.name)}
        AND fence = ${bind(lease.fence)} ${sql.lock("FOR SHARE")}`
