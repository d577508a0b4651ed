/** What has become of payments that were begun under names of the former version, which depended on the place of a provider. */
import type { PaymentRecord } from "@paymux/core"
import { make as makeIds } from "../../packages/core/src/domain/Ids.ts"
import { namesAtProvider } from "../../packages/core/src/execution/restore/namesAtProvider.ts"
import { CREATE_PAYMENT } from "../../packages/http/src/routes/Api.ts"
import { readFindings } from "../crash/Findings.ts"
import { nameDigest } from "../crash/nameDigest.ts"
import type { LedgerEntry } from "../crash/vendor/Ledger.ts"
import { query } from "./PostgresNode.ts"

/** Numbers of purchases that the vendor has received under a former name. */
export interface FormerPurchases {
  readonly begun: number
  /** Found at the provider by the former name when the client repeated the request, and adopted. */
  readonly adopted: number
  /** Sent again under another name: the database had lost the payment, and no provider that can be asked had it. */
  readonly sentAgain: number
}

/** As the migration leaves the database of the former version, which has payments. */
export const noteFormerNames = (database: string) =>
  query(
    database,
    "UPDATE restoration SET former_names_until = floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + 86400000"
  )

export const formerPurchases = async (
  database: string,
  ledger: ReadonlyArray<LedgerEntry>
): Promise<FormerPurchases> => {
  const { records } = await readFindings({ url: database })
  const received = Map.groupBy(
    ledger.filter(({ kind }) => kind === "received"),
    ({ purchase }) => purchase
  )
  const former = [...received].flatMap(([purchase, entries]) => {
    const names = formerKeys(purchase)
    // Captures, cancels and refunds have no `received`.
    const creates = entries.map(({ key }) => names.has(key))
    return creates.includes(true) ? [{ purchase, names, isSentAgain: creates.includes(false) }] : []
  })
  const adopted = new Map(records.filter(isAdopted).map((record) => [record.payment.metadata["purchase"], record]))
  return {
    begun: former.length,
    adopted: former.filter(({ names, purchase }) => names.has(keyOf(adopted.get(purchase)))).length,
    sentAgain: former.filter(({ isSentAgain }) => isSentAgain).length
  }
}

const isAdopted = ({ attempts }: PaymentRecord): boolean => attempts[0]?.reason === "found after a restore"

const keyOf = (record: PaymentRecord | undefined): string => record?.operations[0]?.key ?? ""

/** Of a purchase, which is its own idempotency key. */
const formerKeys = (purchase: string): ReadonlySet<string> => {
  const request = { tenant, id: unused, endpoint: CREATE_PAYMENT, key: purchase }
  return new Set(
    providers.flatMap((provider) =>
      namesAtProvider(ids, request, provider, providers, providers.length)
        // The first one is the present name.
        .slice(1)
        .map(({ key }) => String(key))
    )
  )
}

const providers = ["alpha", "beta"]
const tenant = { account: "default", livemode: false }
const ids = makeIds(
  (length) => new Uint8Array(length),
  () => 0,
  nameDigest
)
const unused = ids.payment(["unused"])
