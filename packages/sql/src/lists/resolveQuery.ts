import type { Tenant } from "@paymux/core"
import type { ListQuery, ListTimedOut, Page, StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import type { StatementRunner } from "../dialect/Fragments.ts"
import { eachOf, text } from "../rows/ReadRow.ts"
import { spellingsOf } from "./emailSpellings.ts"
import { filtersKinds, hasAll, kindsStatement, matchingKinds, readKind } from "./kinds.ts"
import type { Kind } from "./kinds.ts"
import { mostBranches } from "./listFilters.ts"
import type { ResolvedQuery } from "./listFilters.ts"

/** Finds the stored spellings that may belong to the e-mail addresses. */
type StoredSpellings = (
  tenant: Tenant,
  emails: ReadonlyArray<string>
) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>

type ReadPage = (tenant: Tenant, query: ResolvedQuery) => Effect.Effect<Page, StoreUnavailable | ListTimedOut>

/** Lists payments: looks up the references, the kinds and the e-mail addresses of the query, then reads the page. */
export const listOf = ({ read }: StatementRunner, storedSpellings: StoredSpellings, readPage: ReadPage) =>
  Effect.fnUntraced(function* (tenant: Tenant, query: ListQuery) {
    const { customerEmail: emails, providerReference: references } = query
    const ids = references.length === 0 ? null : yield* idsOfReferences(read, references)
    const kinds = filtersKinds(query) ? yield* kindsOf(read, tenant, query) : null
    if (ids?.length === 0 || kinds?.length === 0) return { records: [], hasMore: false, stoppedAt: null }
    const customerEmail = emails.length === 0 ? emails : spellingsOf(emails, yield* storedSpellings(tenant, emails))
    const page = yield* readPage(tenant, { ...query, customerEmail, ids, kinds })
    if (kinds === null) return page
    // A payment that went on to another provider meanwhile may have got a kind that did not exist before.
    const now = yield* kindsOf(read, tenant, query)
    return now !== null && hasAll(kinds, now)
      ? page
      : yield* readPage(tenant, { ...query, customerEmail, ids, kinds: now })
  })

/** The kinds of payments that meet the filters of the query; `null`: there are too many to scan each. */
const kindsOf = (read: StatementRunner["read"], tenant: Tenant, query: ListQuery) =>
  Effect.map(read(kindsStatement(tenant, mostKinds + 1)), (rows): ReadonlyArray<Kind> | null => {
    const matching = matchingKinds(query, rows.map(readKind))
    return rows.length > mostKinds || matching.length > mostBranches ? null : matching
  })

/** The maximum number of kinds that a list looks up. */
const mostKinds = 500

/** The ids of the payments with one of the references, at any provider. */
const idsOfReferences = (read: StatementRunner["read"], references: ReadonlyArray<string>) =>
  Effect.map(
    read(
      ({ bind, sql }) =>
        `SELECT DISTINCT payment_id FROM operations WHERE ${sql.isOneOf("reference", bind(references))}`
    ),
    eachOf((row) => text(row, "payment_id"))
  )
