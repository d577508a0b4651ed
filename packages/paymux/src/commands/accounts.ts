/** `paymux accounts list`: whom this database serves. */
import type { Tenant } from "@paymux/core"
import { iso } from "@paymux/core/wire"
import { ApiKeys } from "@paymux/http"
import type { ActiveApiKeys } from "@paymux/http"
import { accountsWithPayments } from "@paymux/sql"
import type { PaymentAccount } from "@paymux/sql"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import * as Audited from "../Audited.ts"
import { databaseFlag, jsonFlag, onExistingDatabase } from "./database.ts"
import { printTable } from "./table.ts"

const list = Command.make(
  "list",
  { database: databaseFlag, json: jsonFlag },
  Effect.fnUntraced(function* ({ database, json }) {
    const accounts = yield* onExistingDatabase(
      database,
      Audited.apiKeys,
      Effect.all([ApiKeys.use(({ active }) => active), accountsWithPayments]).pipe(
        Effect.map(([keys, payments]) => joined(keys, payments))
      )
    )
    if (json) return yield* Console.log(JSON.stringify(accounts, null, 2))
    if (accounts.length === 0) return yield* Console.error("There are no accounts yet: paymux keys create makes one.")
    yield* printTable(
      ["account", "mode", "active keys", "newest payment"],
      accounts.map(({ account, active_keys, mode, newest_payment_at }) => [
        account,
        mode,
        String(active_keys),
        newest_payment_at ?? "none"
      ])
    )
  })
).pipe(Command.withDescription("List the accounts that have API keys or payments, with their modes"))

export const accounts = Command.make("accounts").pipe(
  Command.withDescription("List the accounts of a database"),
  Command.withSubcommands([list])
)

/** By name, test before live; an account is there as soon as it has a key or a payment. */
const joined = (keys: ReadonlyArray<ActiveApiKeys>, payments: ReadonlyArray<PaymentAccount>) => {
  const rows = new Map<string, Row>()
  const rowOf = ({ account, livemode }: Tenant): Row => {
    const mode = livemode ? "live" : "test"
    return rows.get(`${account} ${mode}`) ?? { account, mode, active_keys: 0, newest_payment_at: null }
  }
  const keep = (row: Row) => rows.set(`${row.account} ${row.mode}`, row)
  for (const key of keys) keep({ ...rowOf(key), active_keys: key.active })
  for (const payment of payments) keep({ ...rowOf(payment), newest_payment_at: iso(payment.newestPaymentAt) })
  return [...rows.values()].sort((a, b) => compare(a.account, b.account) || compare(b.mode, a.mode))
}

interface Row {
  readonly account: string
  readonly mode: "test" | "live"
  readonly active_keys: number
  readonly newest_payment_at: string | null
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
