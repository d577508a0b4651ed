/** `paymux payments list`: the filters of `GET /v1/payments`, on the database. */
import { rails } from "@paymux/core"
import type { Tenant } from "@paymux/core"
import { failureCodes, PaymentStore, paymentStatuses } from "@paymux/core/store"
import type { ListQuery, Page } from "@paymux/core/store"
import { noHostedPage, paymentJson } from "@paymux/core/wire"
import { cursors, listQuery } from "@paymux/http"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import type { CliError } from "effect/cli"
import { accountFlag, databaseFlag, jsonFlag, liveFlag, onExistingDatabase } from "../database.ts"
import { printTable } from "../table.ts"
import { userError } from "../userError.ts"
import { paymentRow } from "./paymentRow.ts"

const repeatable = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(`${description}; repeatable`), Flag.atLeast(0))
const time = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(`${description}, RFC 3339 with a zone, such as 2026-01-31T12:00:00Z`),
    Flag.optional
  )

const amount = (name: string, description: string) =>
  Flag.Int(name).pipe(
    Flag.withDescription(`${description}, in minor units, inclusive; needs exactly one --currency`),
    Flag.optional
  )

const filters = {
  limit: Flag.Int("limit").pipe(Flag.withDescription("1 to 100"), Flag.withDefault(20)),
  status: Flag.Literals("status", paymentStatuses).pipe(
    Flag.withDescription("Only payments with this status; repeatable"),
    Flag.atLeast(0)
  ),
  method: Flag.Literals("method", rails).pipe(
    Flag.withDescription("Only payments with this method; repeatable"),
    Flag.atLeast(0)
  ),
  currency: repeatable("currency", "Only in this currency, such as EUR"),
  provider: repeatable("provider", "Only at this provider instance"),
  email: repeatable("email", "Only of the customer with this e-mail address"),
  reference: repeatable("reference", "Only with this provider reference, such as pi_… or order_…"),
  failureCode: Flag.Literals("failure-code", failureCodes).pipe(
    Flag.withDescription("Only payments that failed with this code; repeatable"),
    Flag.atLeast(0)
  ),
  card: repeatable("card-fingerprint", "Only with the card of this fingerprint"),
  order: repeatable("order", "Only for this order"),
  amountMin: amount("amount-min", "From this amount on"),
  amountMax: amount("amount-max", "Up to this amount"),
  after: time("created-after", "Only created after this time"),
  before: time("created-before", "Only created before this time"),
  metadata: Flag.KeyValuePair("metadata").pipe(
    Flag.withDescription("Only payments with this metadata, as key=value; repeatable for other keys"),
    Flag.withDefault({})
  ),
  inReview: Flag.Boolean("in-review").pipe(
    Flag.withDescription("Only payments with open reviews"),
    Flag.withDefault(false)
  )
}

export const list = Command.make(
  "list",
  { ...filters, json: jsonFlag, database: databaseFlag, account: accountFlag, live: liveFlag },
  Effect.fnUntraced(function* ({ account, database, json, live, ...asked }) {
    const tenant = { account, livemode: live }
    const query = yield* queryOf(tenant, asked)
    const page = yield* onExistingDatabase(
      database,
      Layer.empty,
      PaymentStore.use((store) => searched(store, tenant, query))
    )
    yield* json ? Console.log(jsonOf(page)) : printed(page)
    if (page.hasMore && !json) yield* Console.error(more(query))
  })
).pipe(
  Command.withDescription("List payments, newest first"),
  Command.withExamples([
    { command: "paymux payments list --reference pi_3Qx7Ff", description: "The payment with a reference of Stripe's" },
    {
      command: "paymux payments list --currency EUR --amount-min 4999 --amount-max 4999",
      description: "Payments of EUR 49.99"
    },
    {
      command: "paymux payments list --status failed --metadata order_id=1001",
      description: "The failures of an order"
    }
  ])
)

/** A page, over as many searches for metadata without an index as it takes: this process holds up no payment. */
const searched = Effect.fnUntraced(function* (store: PaymentStore["Service"], tenant: Tenant, query: ListQuery) {
  let page: Page = yield* store.list(tenant, query)
  while (page.stoppedAt !== null && page.records.length < query.limit) {
    const position = { side: "after", id: page.stoppedAt } as const
    const limit = query.limit - page.records.length
    const next: Page = yield* store.list(tenant, { ...query, limit, position })
    page = { ...next, records: [...page.records, ...next.records] }
  }
  return page
})

interface Asked {
  readonly limit: number
  readonly status: ReadonlyArray<string>
  readonly method: ReadonlyArray<string>
  readonly currency: ReadonlyArray<string>
  readonly provider: ReadonlyArray<string>
  readonly email: ReadonlyArray<string>
  readonly reference: ReadonlyArray<string>
  readonly failureCode: ReadonlyArray<string>
  readonly card: ReadonlyArray<string>
  readonly order: ReadonlyArray<string>
  readonly amountMin: Option.Option<number>
  readonly amountMax: Option.Option<number>
  readonly after: Option.Option<string>
  readonly before: Option.Option<string>
  readonly metadata: Readonly<Record<string, string>>
  readonly inReview: boolean
}

/** The flag for each parameter of the API. */
const flags = {
  limit: "limit",
  status: "status",
  payment_method: "method",
  currency: "currency",
  provider: "provider",
  customer_email: "email",
  provider_reference: "reference",
  failure_code: "failure-code",
  card_fingerprint: "card-fingerprint",
  order: "order",
  amount_min: "amount-min",
  amount_max: "amount-max",
  created_after: "created-after",
  created_before: "created-before",
  metadata: "metadata"
} as const

/** Checked as the API checks its query. */
const queryOf = (tenant: Tenant, asked: Asked): Effect.Effect<ListQuery, CliError.UserError> => {
  const values: ReadonlyArray<readonly [keyof typeof flags | `metadata[${string}]`, ReadonlyArray<string>]> = [
    ["limit", [String(asked.limit)]],
    ["status", asked.status],
    ["payment_method", asked.method],
    ["currency", asked.currency],
    ["provider", asked.provider],
    ["customer_email", asked.email],
    ["provider_reference", asked.reference],
    ["failure_code", asked.failureCode],
    ["card_fingerprint", asked.card],
    ["order", asked.order],
    ["amount_min", Option.toArray(asked.amountMin).map(String)],
    ["amount_max", Option.toArray(asked.amountMax).map(String)],
    ["created_after", Option.toArray(asked.after)],
    ["created_before", Option.toArray(asked.before)],
    ...Object.entries(asked.metadata).map(([key, value]) => [`metadata[${key}]`, [value]] as const)
  ]
  const pairs = values.flatMap(([name, given]) => given.map((value) => [name, value] as const))
  return listQuery(pairs, tenant, withoutCursors).pipe(
    Effect.map((query): ListQuery => ({ ...query, inReview: asked.inReview })),
    Effect.mapError(({ errors = [] }) =>
      userError(new Error(errors.map(({ message, pointer }) => `--${flagOf(pointer)} ${message}.`).join("\n")))
    )
  )
}

const flagOf = (pointer: string): string => Object.entries(flags).find(([name]) => name === pointer)?.[1] ?? "metadata"

/** The command has no pages. */
const withoutCursors = cursors([Redacted.make("paymux payments list")])

const jsonOf = ({ records }: Page): string =>
  JSON.stringify(
    records.map((record) => paymentJson(record, noHostedPage)),
    null,
    2
  )

const printed = ({ records }: Page) =>
  records.length === 0
    ? Console.error("No payments.")
    : printTable(
        ["id", "created", "amount", "method", "status", "provider", "attempts"],
        records.map((record) => {
          const { amount, attempts, created, id, method, provider, status } = paymentRow(record)
          return [id, created, amount, method, status, provider, attempts]
        })
      )

const more = ({ limit }: ListQuery): string =>
  limit < 100
    ? `There are more: --limit ${Math.min(100, limit * 2)}`
    : "There are more: narrow the filters, such as with --created-before."
