import type { LeaseStore } from "@paymux/core/store"
import { Effect } from "effect"
import type { StatementRunner } from "../dialect/Fragments.ts"
import { firstOf, numeral } from "../rows/ReadRow.ts"

/** The leases of a store, which protect providers' background processes. */
export const leases = ({ write }: StatementRunner): LeaseStore => ({
  hold: (name, { latest = Number.MAX_SAFE_INTEGER, now, owner, until }) =>
    Effect.map(
      write(
        ({ bind }) => `INSERT INTO provider_leases AS held (name, owner, fence, held_until)
          VALUES (${bind(name)}, ${bind(owner)}, 1, ${bind(until)})
          ON CONFLICT (name) DO UPDATE SET
            fence = held.fence + CASE WHEN held.owner = excluded.owner THEN 0 ELSE 1 END,
            owner = excluded.owner,
            held_until = excluded.held_until
          WHERE held.owner = excluded.owner OR held.held_until <= ${bind(now)}
            OR held.held_until > ${bind(latest)}
          RETURNING fence`
      ),
      // No row was written: another owner holds the lease.
      firstOf((held) => numeral(held, "fence"))
    ),
  release: (name, owner) =>
    Effect.asVoid(
      // The row of the lease is kept, because its fence must never decrease.
      write(
        ({ bind }) => `UPDATE provider_leases SET owner = '', held_until = 0
          WHERE name = ${bind(name)} AND owner = ${bind(owner)}`
      )
    )
})
