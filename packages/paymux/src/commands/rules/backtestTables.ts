/** A backtest for people. What is not shown of long lists is in the JSON. */
import type { BacktestReport, Expected, Measured, RuleReport, Sums } from "@paymux/routing"
import { Console, Effect } from "effect"
import { styleText } from "node:util"
import { amountText } from "../amountText.ts"
import { printTable } from "../table.ts"

export interface Replayed {
  readonly account: string
  readonly livemode: boolean
  /** ISO 8601 */
  readonly since: string
  readonly until: string
  /** By name. */
  readonly draft: string
}

/** Rows of a list that a person reads. */
const SHOWN = 20

export const printBacktest = Effect.fnUntraced(function* (report: BacktestReport, replayed: Replayed) {
  yield* printSummary(report, replayed)
  yield* printProviders(report)
  yield* printCosts(report)
  yield* printChanges(report)
  yield* printNoRoute(report)
  yield* printRules(report)
})

const printSummary = Effect.fnUntraced(function* (report: BacktestReport, replayed: Replayed) {
  const { acceptance, changes, noRoute, payments, rulesetsBefore } = report
  const { account, draft, livemode, since, until } = replayed
  const mode = livemode ? "live" : "test"
  yield* Console.log(`${bold(draft)} (${shortRuleset(report.ruleset)})`)
  yield* Console.log(`${number(payments)} ${mode} payments of account ${account}, ${since} to ${until}`)
  const before = rulesetsBefore.slice(0, 3).map((each) => `${shortRuleset(each.ruleset)} ${number(each.payments)}`)
  const more = rulesetsBefore.length > 3 ? [`${rulesetsBefore.length - 3} more`] : []
  yield* Console.log(`decided by ${[...before, ...more].join(", ")}\n`)
  yield* printTable(
    ["", "payments", "share"],
    [
      [
        "another provider is asked first",
        number(changes.payments - noRoute.payments),
        share(changes.payments - noRoute.payments, payments)
      ],
      ["no provider can take it", number(noRoute.payments), percent(noRoute.share)]
    ]
  )
  yield* Console.log("")
  yield* printTable(
    ["payments that are paid", "", "90% range", "payments with an estimate"],
    [
      ["before, measured", rate(acceptance.measured), "", ""],
      ["before", rate(acceptance.before), range(acceptance.before), percent(acceptance.before.coverage)],
      ["after, expected", rate(acceptance.after), range(acceptance.after), percent(acceptance.after.coverage)]
    ]
  )
  yield* Console.log("\nThe expected rate is an estimate, from the attempts of these payments.")
  if (acceptance.after.coverage < 1) {
    yield* Console.log(
      `${percent(1 - acceptance.after.coverage)} of these payments are of a kind that the draft's provider has never had: their result is not estimated.`
    )
  }
  if (report.usesLearnedRates) {
    yield* Console.log(
      `Success rates were rebuilt from the attempts of this account's ${mode} payments; a server learns from all accounts, and may choose otherwise.`
    )
  }
})

const printProviders = Effect.fnUntraced(function* ({ acceptance, noRoute, payments, providers }: BacktestReport) {
  yield* heading("Providers, asked first")
  yield* printTable(
    ["provider", "before", "after", "share before", "share after", "first attempts", "paid before", "paid after"],
    [
      ...providers.map(({ after, before, measured, provider }) => [
        provider,
        number(before.payments),
        number(after.payments),
        percent(before.share),
        percent(after.share),
        rate(measured),
        rate(before.expected),
        ranged(after.expected)
      ]),
      ...(noRoute.payments === 0
        ? []
        : [["(no route)", "", number(noRoute.payments), "", percent(noRoute.share), "", "", ""]]),
      [
        "all",
        number(payments),
        number(payments),
        "",
        "",
        rate(acceptance.measured),
        rate(acceptance.before),
        ranged(acceptance.after)
      ]
    ]
  )
})

const printCosts = Effect.fnUntraced(function* ({ currencies, providers }: BacktestReport) {
  yield* heading("Amounts and costs, by the draft's fees")
  const rows = [
    ...providers.flatMap(({ currencies, provider }) => currencies.map((each) => ({ provider, ...each }))),
    ...currencies.map((each) => ({ provider: "all", ...each }))
  ]
  yield* printTable(
    [
      "provider",
      "amount before",
      "amount after",
      "cost before",
      "cost after",
      "fee unknown before",
      "fee unknown after"
    ],
    rows.map(({ after, before, currency, provider }) => [
      provider,
      amountText(before.amount, currency),
      amountText(after.amount, currency),
      cost(before, currency),
      cost(after, currency),
      number(before.feeUnknown),
      number(after.feeUnknown)
    ])
  )
})

const printChanges = Effect.fnUntraced(function* ({ changes, payments }: BacktestReport) {
  const moved = changes.providers.filter(({ after, before }) => after !== before)
  if (moved.length > 0) {
    yield* heading("Provider asked first, where it changes")
    yield* printTable(
      ["before", "after", "payments", "share"],
      moved
        .slice(0, SHOWN)
        .map((each) => [each.before, each.after ?? "(no route)", number(each.payments), share(each.payments, payments)])
    )
    yield* andMore(moved.length)
  }
  yield* heading("Rule that decides")
  yield* printTable(
    ["before", "after", "payments", "share"],
    changes.rules
      .slice(0, SHOWN)
      .map((each) => [each.before, each.after, number(each.payments), share(each.payments, payments)])
  )
  yield* andMore(changes.rules.length)
})

const printNoRoute = Effect.fnUntraced(function* ({ noRoute }: BacktestReport) {
  if (noRoute.payments === 0) return
  yield* heading("Payments that no provider can take")
  yield* printTable(
    ["rule", "dropped", "why", "payments"],
    noRoute.dropped.slice(0, SHOWN).map((each) => [each.rule, each.provider, each.reason, number(each.payments)])
  )
  yield* andMore(noRoute.dropped.length)
})

const printRules = Effect.fnUntraced(function* ({ default: fallback, payments, rules }: BacktestReport) {
  yield* heading("Rules of the draft")
  // Those that need attention come first if not all are shown.
  const shown = rules.length <= SHOWN ? rules : rules.toSorted((a, b) => lookFirst(a) - lookFirst(b)).slice(0, SHOWN)
  yield* printTable(
    ["rule", "takes", "share", "matches", ""],
    [
      ...shown.map((rule) => [
        rule.name,
        number(rule.takes),
        share(rule.takes, payments),
        `${rule.exact ? "" : "at least "}${number(rule.matches)}`,
        remark(rule)
      ]),
      ["default", number(fallback.payments), percent(fallback.share), "", ""]
    ]
  )
  yield* andMore(rules.length)
})

const lookFirst = ({ state }: RuleReport): number => (state === "used" ? 1 : 0)

const remark = ({ shadowedBy, state }: RuleReport): string => {
  switch (state) {
    case "used":
      return ""
    case "dead":
      return "dead: it matches nothing"
    case "unknown":
      return "takes nothing; too many rules match before it to say more"
    case "shadowed": {
      const by = shadowedBy.slice(0, 3).map(({ payments, rule }) => `${rule} (${number(payments)})`)
      return `shadowed by ${by.join(", ")}${shadowedBy.length > 3 ? " and others" : ""}`
    }
    default:
      return state satisfies never
  }
}

const andMore = (length: number) =>
  length > SHOWN ? Console.log(`and ${number(length - SHOWN)} more: --json has all`) : Effect.void

const heading = (text: string) => Console.log(`\n${bold(text)}`)
const bold = (text: string): string => styleText("bold", text, { stream: process.stdout })

const number = (n: number): string => n.toLocaleString("en-US")
const percent = (fraction: number): string => `${(fraction * 100).toFixed(1)}%`
const share = (part: number, whole: number): string => percent(part / whole)
const rate = ({ rate }: Measured | Expected): string => (rate === null ? "unknown" : percent(rate))

const range = ({ range }: Expected): string => (range === null ? "" : `${percent(range.low)} to ${percent(range.high)}`)
const ranged = (expected: Expected): string =>
  expected.range === null ? rate(expected) : `${rate(expected)} (${range(expected)})`

const cost = ({ cost, feeUnknown, payments }: Sums, currency: string): string =>
  payments > 0 && feeUnknown === payments ? "unknown" : amountText(cost, currency)

const shortRuleset = (ruleset: string): string => ruleset.slice(0, "sha256:".length + 8)
