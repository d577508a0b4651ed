/** The tables of `docs/reference/books.md`, from what the engine makes of these payments. `pnpm generate` writes them. */
import { resolve as path } from "node:path"
import type { PaymentRecord } from "../packages/core/src/domain/Payment.ts"
import { resolve } from "../packages/core/src/domain/books/resolve.ts"
import type { Step } from "../packages/core/src/domain/Step.ts"
import { noHostedPage } from "../packages/core/src/wire/HostedPage.ts"
import { paymentJson } from "../packages/core/src/wire/PaymentJson.ts"
import {
  after,
  asked,
  attempt,
  begun,
  claims,
  givenBack,
  money,
  operation,
  taken
} from "../packages/core/test/domain/records.ts"

export const page = path(import.meta.dirname, "../docs/reference/books.md")

export const facts = ["duplicate", "late charge", "excess capture", "dispute", "refund"] as const
export type Fact = (typeof facts)[number]

/** What happens to one payment, in the order in which it is reported. */
export type History = ReadonlyArray<Fact>

export const AMOUNT = 10_000
export const CAPTURED = 6_000
export const EXCESS = 2_500
export const REFUNDED = 1_000
export const DISPUTED = 2_000

const bare: PaymentRecord = {
  ...begun,
  payment: { ...begun.payment, amount: money(AMOUNT), captureMethod: "manual" },
  attempts: [attempt(1, { provider: "acme" })],
  operations: [operation(1, { provider: "acme", minorUnits: AMOUNT })]
}

const next: Step["next"] = {
  attempt: attempt(2, { provider: "globex" }),
  operation: operation(2, { provider: "globex", minorUnits: AMOUNT })
}

/** Not found at acme, authorized at globex, and a part of it captured. */
const paid = (isExcess: boolean): PaymentRecord => {
  const held = after(bare, [1, claims.notFound, { next }], [2, claims.authorized, { reference: "ch_2" }])
  const capturing = asked(held, "capture", { attemptSeq: 2, provider: "globex", kind: "capture", minorUnits: CAPTURED })
  const captured = CAPTURED + (isExcess ? EXCESS : 0)
  return after(capturing, ["capture", taken(captured), { reference: "ch_2" }])
}

/** The payment after these reports, before anything is returned. An excess capture always comes first. */
export const paymentAfter = (history: History): PaymentRecord =>
  history.reduce(reported, paid(history.includes("excess capture")))

const reported = (record: PaymentRecord, fact: Fact): PaymentRecord => {
  switch (fact) {
    case "duplicate":
      return after(record, [2, taken(AMOUNT), { reference: "ch_3" }])
    case "late charge":
      return after(record, [1, taken(AMOUNT), { reference: "ch_1" }])
    case "excess capture":
      return record
    case "dispute":
      return after(record, [2, { _tag: "Disputed", amount: money(DISPUTED) }, { reference: "dp_1" }])
    case "refund":
      return after(
        asked(record, "refund", { attemptSeq: 2, provider: "globex", kind: "refund", minorUnits: REFUNDED }),
        ["refund", givenBack(REFUNDED), { reference: "re_1" }]
      )
  }
}

/** Each combination, the one without any first. */
export const combinations: ReadonlyArray<History> = Array.from({ length: 2 ** facts.length }, (_, bits) =>
  facts.filter((_, place) => (bits & (1 << place)) !== 0)
)

/** After the excess of each review was returned at the provider. */
export const returned = (record: PaymentRecord): PaymentRecord =>
  record.payment.reviews.reduce((so, review) => {
    const resolved = resolve(so, review, { resolution: "given_back" }, { now: 2000, lateSuccess: "succeed" })
    if (resolved === null) throw new Error(`${review.reason} cannot be given back`)
    return resolved.change.record
  }, record)

/** Authorized, and canceled at the merchant's request. */
const canceled: PaymentRecord = after(
  asked(after(bare, [1, claims.authorized, { reference: "ch_1" }]), "cancel", {
    attemptSeq: 1,
    provider: "acme",
    kind: "cancel",
    minorUnits: AMOUNT
  }),
  ["cancel", claims.canceled]
)

/** Payments that captured nothing, and are charged after they had ended. */
const ended: ReadonlyArray<readonly [title: string, record: PaymentRecord]> = [
  ["`canceled`, one charge", after(canceled, [1, taken(AMOUNT), { reference: "ch_1" }])],
  [
    "`canceled`, two charges",
    after(canceled, [1, taken(AMOUNT), { reference: "ch_1" }], [1, taken(AMOUNT), { reference: "ch_2" }])
  ],
  ["`failed`, one charge", after(bare, [1, claims.notFound], [1, taken(AMOUNT), { reference: "ch_1" }])],
  [
    "`failed`, two charges",
    after(
      bare,
      [1, claims.notFound],
      [1, taken(AMOUNT), { reference: "ch_1" }],
      [1, taken(AMOUNT), { reference: "ch_2" }]
    )
  ],
  [
    '`failed`, one charge, with `lateSuccess: "reverse"`',
    after(bare, [1, claims.notFound], [1, taken(AMOUNT), { reference: "ch_1", lateSuccess: "reverse" }])
  ]
]

const returns = ["by the engine", "by an operator", "at the provider", "again at the provider"] as const
type Return = (typeof returns)[number]

/** A charge of a failed payment, which the provider confirms. The engine's refund is refused if an operator returns it, too. */
const lateCharge = (isRefused: boolean): PaymentRecord => {
  const reverse = { reference: "ch_1", source: "inquiry", lateSuccess: "reverse" } as const
  const late = after(bare, [1, claims.notFound], [1, taken(AMOUNT), reverse])
  const refund = { provider: "acme", kind: "refund", purpose: "reversal", minorUnits: AMOUNT } as const
  const reversing = asked(late, "reversal", refund)
  return isRefused ? after(reversing, ["reversal", claims.declined]) : reversing
}

const returnedAs = (record: PaymentRecord, each: Return): PaymentRecord => {
  switch (each) {
    case "by the engine":
      return after(record, ["reversal", givenBack(AMOUNT), { reference: "re_1", source: "inquiry" }])
    case "by an operator":
      return returned(record)
    case "at the provider":
      return after(record, [1, givenBack(AMOUNT), { reference: "re_2" }])
    case "again at the provider":
      return after(record, [1, givenBack(AMOUNT), { reference: "re_3" }])
  }
}

/** An operator returns what is in review, before the refund of the engine is known to be done. */
const afterReturns = (history: ReadonlyArray<Return>): PaymentRecord => {
  const [engine, operator, ...outside] = returns
  const order = [operator, engine, ...outside].filter((each) => history.includes(each))
  return order.reduce(returnedAs, lateCharge(!history.includes(engine) || history.includes(operator)))
}

const everyReturn: ReadonlyArray<ReadonlyArray<Return>> = Array.from({ length: 2 ** returns.length }, (_, bits) =>
  returns.filter((_each, place) => (bits & (1 << place)) !== 0)
).filter((history) => history.includes("at the provider") || !history.includes("again at the provider"))

const amounts = (record: PaymentRecord): ReadonlyArray<string> => {
  const { amount_captured, amount_disputed, amount_refunded, overpayment, reviews } = paymentJson(record, noHostedPage)
  return [
    String(amount_captured),
    String(amount_refunded),
    amount_disputed === undefined ? "" : String(amount_disputed),
    overpayment === undefined ? "" : String(overpayment),
    reviews.map(({ amount, reason, reference }) => `\`${reason}\` ${reference} ${amount}`).join(", ")
  ]
}

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n")

const shown = ["`amount_captured`", "`amount_refunded`", "`amount_disputed`", "`overpayment`", "`reviews`"]

const tables = {
  combinations: table(
    [...facts, ...shown],
    combinations.map((history) => [
      ...facts.map((fact) => (history.includes(fact) ? "yes" : "")),
      ...amounts(paymentAfter(history))
    ])
  ),
  returns: table(
    [...returns, "`overpayment`", "`reviews`"],
    everyReturn.map((history) => [
      ...returns.map((each) => (history.includes(each) ? "yes" : "")),
      ...amounts(afterReturns(history)).slice(2)
    ])
  ),
  ended: table(
    ["before, and then", "status", ...shown],
    ended.map(([title, record]) => [title, `\`${paymentJson(record, noHostedPage).status}\``, ...amounts(record)])
  )
}

/** The page with the tables as they should be. */
export const withTables = (text: string): string =>
  Object.entries(tables).reduce((so, [name, rows]) => {
    const marked = new RegExp(`(<!-- ${name}:begin -->\\n)[^]*?(<!-- ${name}:end -->)`)
    if (!marked.test(so)) throw new Error(`The page has no marks for the table ${name}`)
    return so.replace(marked, (_, before: string, end: string) => `${before}${rows}\n${end}`)
  }, text)
