/**
 * What the providers have booked. The statement of the cards' provider agrees with the books but for a few planted movements; one
 * statement cannot be read, and one was not read yet.
 */
import { misconfigured } from "@paymux/core"
import type { ProviderOperations } from "@paymux/core"
import { ProviderRegistry } from "@paymux/core/engine"
import type { StatementMovement } from "@paymux/core/statement"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout } from "node:timers/promises"
import { readStatement } from "../../../packages/paymux/src/reconcile/readStatement.ts"
import type { StatementWindow } from "../../../packages/paymux/src/reconcile/readStatement.ts"
import type { Shop } from "./settings.ts"

type Read = NonNullable<ProviderOperations["statement"]>

const day = 24 * 60 * 60_000
const week = 7 * day

/** `from`: ms UTC, the first day of the month. */
export const readStatements = async ({ engine }: Pick<Shop, "engine">, from: number): Promise<void> => {
  const read = (provider: string, window: StatementWindow, changed: (real: Read) => Read = (real) => real) =>
    engine.run(readChanged(provider, window, changed))
  const whole = { since: null, until: null }
  for (const provider of ["sandbox_upi_a", "sandbox_card_b", "sandbox_stablecoin_a"]) await read(provider, whole)
  await read("sandbox_card_a", { since: from, until: engine.now() - day }, stating({ isFirst: true, from }))
  await read("sandbox_card_a", { since: from, until: null }, stating({ isFirst: false, from }))
  const revoked = () => Effect.fail(misconfigured("Expired API key"))
  await read("sandbox_stablecoin_b", whole, () => revoked).catch(() => null)
  while (await engine.run(isWaiting)) await setTimeout(5)
}

const readChanged = Effect.fnUntraced(function* (id: string, window: StatementWindow, changed: (real: Read) => Read) {
  const running = yield* ProviderRegistry.use(({ get }) => Effect.succeed(get(id)))
  const statement = running?.operations.statement
  if (running === null || statement === undefined) return yield* Effect.die(new Error(`${id} has no statement.`))
  return yield* readStatement({ ...running, operations: { statement: changed(statement) } }, window, "example")
})

/** Until the engine has applied what differs. */
const isWaiting = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    sql`SELECT 1 FROM provider_inbox WHERE status = 'waiting' AND tries = 0 AND evidence LIKE '%"statement"%'`,
    (rows) => rows.length > 0
  )
)

interface Stated {
  /** The second time, one charge that was missing is there, and another has changed. */
  readonly isFirst: boolean
  readonly from: number
}

const stating =
  ({ from, isFirst }: Stated) =>
  (real: Read): Read =>
  (query) =>
    Effect.map(real(query), ({ movements, next }) => {
      const paidOut = (each: StatementMovement) => ({ ...each, payout: payoutOf(each, from) })
      const stated = [...planted(movements, isFirst), ...ofOthers(from)].map(paidOut)
      return { movements: [...stated, ...transfersOf(movements.map(paidOut), query.until)], next }
    })

const planted = (movements: ReadonlyArray<StatementMovement>, isFirst: boolean): ReadonlyArray<StatementMovement> => {
  const charges = movements.filter(({ amount, type }) => type === "payment" && amount.currency === "EUR")
  const place = (movement: StatementMovement | undefined) => charges.findIndex(({ id }) => id === movement?.id)
  const refunded = charges[12]
  const stated = movements.flatMap((each): ReadonlyArray<StatementMovement> => {
    const { amount, fee } = each
    switch (place(each)) {
      case 2:
        return []
      case 4:
        return isFirst ? [] : [each]
      case 6:
        return [{ ...each, amount: { ...amount, minorUnits: amount.minorUnits - 500 }, fee: null, net: null }]
      case 8:
        return fee === null ? [each] : [{ ...each, fee: { ...fee, minorUnits: fee.minorUnits + 35 } }]
      case 9:
        return isFirst ? [each] : [{ ...each, amount: { ...amount, minorUnits: 1 }, fee: null, net: null }]
      default:
        return [each]
    }
  })
  return refunded === undefined ? stated : [...stated, lost(refunded), strayRefund(refunded)]
}

/** An operation whose payment a restored backup does not have. */
const lost = (charge: StatementMovement): StatementMovement => ({
  ...charge,
  id: "sbx_txn_lost",
  operation: "op_01jd8w6x2vh6k9v0q3f7m5t1ae",
  reference: "sbx_01jd8w6x2vh6k9v0q3f7m5t1ae",
  original: null
})

/** A refund from the provider's own dashboard. */
const strayRefund = ({ bookedAt, reference, ...charge }: StatementMovement): StatementMovement => ({
  ...charge,
  id: "sbx_txn_stray_refund",
  type: "refund",
  direction: "out",
  operation: null,
  reference: "sbx_stray_refund",
  original: reference,
  amount: { ...charge.amount, minorUnits: 200 },
  fee: null,
  net: { ...charge.amount, minorUnits: 200 },
  bookedAt: bookedAt + 60_000
})

/** Another shop at the same account. */
const ofOthers = (from: number): ReadonlyArray<StatementMovement> =>
  [1_900, 4_250, 990].map((minorUnits, n) => ({
    id: `sbx_txn_other_${n}`,
    type: "payment",
    operation: null,
    reference: `order-${7_001 + n}`,
    original: null,
    amount: { minorUnits, currency: "EUR" as StatementMovement["amount"]["currency"] },
    direction: "in",
    fee: null,
    net: null,
    payout: null,
    bookedAt: from + (5 + n * 4) * day
  }))

const payoutOf = ({ amount, bookedAt }: StatementMovement, from: number): string =>
  `po_${Math.floor((bookedAt - from) / week) + 1}_${amount.currency.toLowerCase()}`

/** A day after the newest movement of each payout; what was not transferred before `until` is not stated. */
const transfersOf = (movements: ReadonlyArray<StatementMovement>, until: number): ReadonlyArray<StatementMovement> =>
  [...Map.groupBy(movements, ({ payout }) => payout ?? "")].flatMap(([payout, parts]) => {
    const [first] = parts
    const bookedAt = Math.max(...parts.map((part) => part.bookedAt)) + day
    const sum = parts.reduce(
      (total, { direction, net }) => total + (direction === "out" ? -1 : 1) * (net?.minorUnits ?? 0),
      0
    )
    if (first === undefined || sum <= 0 || bookedAt >= until) return []
    const amount = { ...first.amount, minorUnits: sum }
    const id = `sbx_txn_${payout}`
    return {
      ...first,
      id,
      type: "payout",
      operation: null,
      reference: null,
      original: null,
      amount,
      direction: "out",
      fee: null,
      net: amount,
      bookedAt,
      payout
    }
  })
