import type { Tenant } from "@paymux/core"
import type { ListQuery, ListTimedOut, Page, StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { StatementRunner } from "../dialect/Fragments.ts"
import { eachOf, text } from "../rows/ReadRow.ts"
import { spellingsOf } from "./emailSpellings.ts"
import type { ResolvedQuery } from "./listFilters.ts"

/** Finds the stored spellings that may belong to the e-mail addresses. */
type StoredSpellings = (
  tenant: Tenant,
  emails: ReadonlyArray<string>
) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>

type ReadPage = (tenant: Tenant, query: ResolvedQuery) => Effect.Effect<Page, StoreUnavailable | ListTimedOut>

/** Lists payments: looks up the references and the e-mail addresses of the query, then reads the page. */
export const listOf = ({ read }: StatementRunner, storedSpellings: StoredSpellings, readPage: ReadPage) =>
  Effect.fnUntraced(function* (tenant: Tenant, query: ListQuery) {
    const { customerEmail: emails, providerReference: references } = query
    const ids = references.length === 0 ? null : yield* idsOfReferences(read, references)
    if (ids?.length === 0) return { records: [], hasMore: false, stoppedAt: null }
    const customerEmail = emails.length === 0 ? emails : spellingsOf(emails, yield* storedSpellings(tenant, emails))
    return yield* readPage(tenant, { ...query, customerEmail, ids })
  })

/** The ids of the payments with one of the references, at any provider. */
const idsOfReferences = (read: StatementRunner["read"], references: ReadonlyArray<string>) =>
  Effect.map(
    read(
      ({ bind, sql }) =>
        `SELECT DISTINCT payment_id FROM operations WHERE ${sql.isOneOf("reference", bind(references))}`
    ),
    eachOf((row) => text(row, "payment_id"))
  )
