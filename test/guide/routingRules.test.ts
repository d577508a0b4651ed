/**
 * The examples of `docs/guide/routing-rules.md` and `docs/guide/routing-recipes.md` are run, each with what its page had
 * shown before it.
 *
 * - `yaml` and `json` with a file name in the fence are that file. With `refused` behind the name they must be refused,
 *   else they must be right: rules (they have a `version`) against the providers of `paymux.config.ts`, anything else as
 *   a request that makes a payment.
 * - `yaml` without a name is one or more rules, which must be right.
 * - `json` with `payment` is a part of a payment that was made (`month.ts`).
 * - `console` is one command and all that it prints.
 *
 * `…` stands for what differs each time, and alone on a line for any number of lines; in a command, for the rest of a
 * payment's id or of a ruleset's name.
 */
import { decodeCreatePayment } from "@paymux/core"
import { compile, compileWithWarnings, facts, RulesUsage, usageWarnings } from "@paymux/routing"
import { PaymentRecords } from "@paymux/test-suites"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { startCommands } from "../../packages/paymux/test/Commands.ts"
import type { Commands } from "../../packages/paymux/test/Commands.ts"
import { readRules } from "../../packages/paymux/src/rules/RulesDocument.ts"
import options from "./paymux.config.ts"

const root = resolve(import.meta.dirname, "../..")
const pageOf = (file: string): string => readFileSync(join(root, "docs/guide", file), "utf8")
const guide = pageOf("routing-rules.md")
const recipes = pageOf("routing-recipes.md")

interface Block {
  /** Of the fence on the page. */
  readonly line: number
  readonly language: string
  readonly name: string
  readonly isRefused: boolean
  readonly text: string
}

const blocksOf = (page: string): ReadonlyArray<Block> =>
  [...page.matchAll(/^```(\w+)(?: (\S+))?( refused)?\n([^]*?)^```$/gm)].map(
    ([, language = "", name = "", refused, text = ""], index, all) => ({
      line: page.slice(0, all[index]?.index).split("\n").length,
      language,
      name,
      isRefused: refused !== undefined,
      text
    })
  )

let folder: string
let commands: Commands
/** The payments of `month.ts`, made by the guide's first rules. */
let month: { readonly payment: { readonly [key: string]: unknown }; readonly folder: string }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "paymux-guide-"))
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction")
  const first = blocksOf(guide).find(({ name }) => name === "routing.yaml")
  const made = place("month", first === undefined ? [] : [first])
  commands = startCommands()
  const payment = await commands.make(made, join(import.meta.dirname, "month.ts"))
  month = { payment: Object(payment), folder: made }
})
afterAll(() => {
  commands.stop()
  rmSync(folder, { recursive: true, force: true })
})

const schema = JSON.parse(readFileSync(join(root, "docs/reference/routing.schema.json"), "utf8"))

describe("the guide to routing rules", () => {
  it("has a row for each condition", () => {
    const conditions = Object.keys(schema.$defs.When.properties).filter((name) => !["all", "any", "not"].includes(name))
    assert.isAtLeast(conditions.length, 16)
    assert.deepStrictEqual(
      conditions.filter((name) => !guide.includes(`\n| \`${name}\` |`)),
      []
    )
  })

  it("shows rules, payments and commands that work, with what the commands print", async () => {
    assertBlocks(guide, { yaml: 10, json: 2, console: 8 })
    assert.deepStrictEqual(await faultsOf(guide), [])
  })

  it("would be refused with an example that is broken", async () => {
    const fence = (info: string, text: string) => `\`\`\`${info}\n${text}\n\`\`\`\n`
    const right = "version: 1\ndefault: { priority: [stripe, cashfree, coinbase] }"
    const shown = "routing.yaml: 0 rules, nothing wrong\nsha256:…"
    const broken: ReadonlyArray<readonly [string, string]> = [
      [fence("yaml", "- name: a\n  when: { payment_methd: card }\n  choose: { priority: [stripe] }"), "not known"],
      [fence("yaml", "- name: a\n  when: { payment_method: card }\n  choose: { priority: [strype] }"), "configured"],
      [fence("yaml routing.yaml", "version: 1"), "missing"],
      [fence("yaml routing.yaml refused", right), "is not refused"],
      [fence("json payment.json", '{"amount": 1}'), "currency"],
      [fence("json payment", '{"status": "refunded"}'), "status"],
      [
        fence("yaml routing.yaml", right) + fence("console", "$ paymux rules check routing.yaml\nall is well"),
        "prints"
      ],
      [fence("console", `$ paymux rules check routing.yaml\n${shown}`), "prints"],
      [fence("yaml routing.yaml", right) + fence("console", "$ paymux rules chekc routing.yaml"), "prints"],
      [fence("console", "$ ls"), "paymux"]
    ]
    const faults = await Promise.all(broken.map(([page]) => faultsOf(page)))
    for (const [index, [, word]] of broken.entries()) {
      assert.lengthOf(faults[index] ?? [], 1, broken[index]?.[0])
      assert.include(faults[index]?.[0], word)
    }
    const page = fence("yaml routing.yaml", right) + fence("console", `$ paymux rules check routing.yaml\n${shown}`)
    assert.deepStrictEqual(await faultsOf(page), [])
  })

  it("lists every warning that rules of this kind meet, and none that they do not", async () => {
    const [, section = ""] = guide.split(/^## Warnings$|^## Error messages$/m)
    const listed = [...section.matchAll(/^\| ``?(.+?)``? \|.*\|$/gm)].map(([, sentence = ""]) => sentence.trim())
    const met = (
      await Promise.all([...doubtful.map((text) => warningsOf(text)), ...unused.map(usageWarningsOf)])
    ).flat()
    const fits = (sentence: string, warning: string) => pattern(`…${sentence}…`).test(warning)
    assert.deepStrictEqual(
      listed.filter((sentence) => !met.some((warning) => fits(sentence, warning))),
      []
    )
    assert.deepStrictEqual(
      met.filter((warning) => !listed.some((sentence) => fits(sentence, warning))),
      []
    )
  })

  it("lists every refusal that rules of this kind meet, and none that they do not", async () => {
    const listed = [...guide.matchAll(/^\| ``?(.+?)``? \|.*\|$/gm)]
      .filter(({ index }) => index > guide.indexOf("\n## Error messages"))
      .map(([, sentence = ""]) => sentence.trim())
    assert.isAtLeast(listed.length, 20)
    const met = (await Promise.all(wrong.map(problemsOf))).flat()
    const fits = (sentence: string, problem: string) => pattern(`…${sentence}`).test(problem)
    assert.deepStrictEqual(
      listed.filter((sentence) => !met.some((problem) => fits(sentence, problem))),
      []
    )
    assert.deepStrictEqual(
      met.filter((problem) => !listed.some((sentence) => fits(sentence, problem))),
      []
    )
  })
})

describe("the routing recipes", () => {
  it("show complete rules without warnings, and what the commands print", async () => {
    assertBlocks(recipes, { yaml: 10, json: 7, console: 10 })
    const files = blocksOf(recipes).filter(({ language }) => language === "yaml")
    assert.deepStrictEqual(
      files.filter(({ text }) => !text.startsWith("version:")),
      []
    )
    assert.deepStrictEqual(await faultsOf(recipes), [])
    assert.deepStrictEqual(
      (await Promise.all(files.map(({ text }) => warningsOf(text, "2026-11-01T00:00:00Z")))).flat(),
      []
    )
  })

  it("have one file of rules under each heading", () => {
    const [, ...sections] = recipes.split(/^## /m)
    assert.lengthOf(sections, 10)
    for (const section of sections) {
      const names = blocksOf(section).flatMap(({ language, name }) => (language === "yaml" ? [name] : []))
      assert.lengthOf(names, 1, section.split("\n")[0])
    }
  })
})

/** A page whose fences are no longer found would pass. */
const assertBlocks = (page: string, least: { readonly [language: string]: number }): void => {
  const languages = blocksOf(page).map(({ language }) => language)
  for (const [language, count] of Object.entries(least)) {
    assert.isAtLeast(languages.filter((each) => each === language).length, count, language)
  }
}

/** What is wrong with the examples of a page. */
const faultsOf = async (page: string): Promise<ReadonlyArray<string>> => {
  const blocks = blocksOf(page)
  const faults = await Promise.all(
    blocks.map(async (block, index) => {
      const fault = await faultOf(block, blocks.slice(0, index))
      return fault === null ? [] : [`line ${block.line}: ${fault}`]
    })
  )
  return faults.flat()
}

const faultOf = async (block: Block, before: ReadonlyArray<Block>): Promise<string | null> => {
  switch (block.language) {
    case "yaml":
    case "json": {
      if (block.name === "payment") return partFault(JSON.parse(block.text), month.payment)
      const problems = isRules(block) ? await problemsOf(whole(block.text)) : await requestProblems(block.text)
      if (block.isRefused) return problems.length === 0 ? "is not refused" : null
      return problems.length === 0 ? null : problems.join("\n")
    }
    case "console":
      return commandFault(block, before)
    default:
      return null
  }
}

const isRules = ({ language, text }: Block): boolean => language === "yaml" || text.includes('"version"')

const everybody = "[stripe, adyen, razorpay, cashfree, evm_base, coinbase]"

/** Rules by themselves stand in a file that has nothing else. */
const whole = (text: string): string =>
  text.startsWith("- ")
    ? `version: 1\nrules:\n${text.replaceAll(/^/gm, "  ")}\ndefault: { priority: ${everybody} }\n`
    : text

/** JSON is YAML too: the reader of YAML reads both. */
const problemsOf = async (text: string): Promise<ReadonlyArray<string>> => {
  const read = readRules(text, "routing.yaml")
  if (Result.isFailure(read)) return read.failure.map(({ message }) => message)
  const compiled = await Effect.runPromise(Effect.result(compile(read.success.config, options.providers)))
  return Result.isSuccess(compiled) ? [] : compiled.failure.problems.map(({ message }) => message)
}

const requestProblems = async (text: string): Promise<ReadonlyArray<string>> => {
  const decoded = await Effect.runPromise(Effect.result(decodeCreatePayment(JSON.parse(text))))
  return Result.isSuccess(decoded) ? [] : [JSON.stringify(decoded.failure.reason)]
}

/** `shown`, which may leave out keys, against what there is. */
const partFault = (shown: unknown, actual: unknown): string | null => {
  if (typeof shown === "string") return pattern(shown).test(String(actual)) ? null : `${shown} is ${String(actual)}`
  if (typeof shown !== "object" || shown === null)
    return shown === actual ? null : `${JSON.stringify(shown)} is ${String(actual)}`
  for (const [key, value] of Object.entries(shown)) {
    const fault = partFault(value, typeof actual === "object" && actual !== null ? Reflect.get(actual, key) : undefined)
    if (fault !== null) return `${key}: ${fault}`
  }
  return null
}

const commandFault = async (block: Block, before: ReadonlyArray<Block>): Promise<string | null> => {
  const [, command, shown = ""] = /^\$ paymux (.+)\n([^]*)$/.exec(block.text) ?? []
  if (command === undefined) return "is not `$ paymux …`"
  const own = place(`line-${block.line}-`, before)
  cpSync(month.folder, own, { recursive: true, filter: (path) => !path.endsWith("routing.yaml") })
  const { code, stderr, stdout } = await commands.run(own, ...args(command))
  const output = stdout + stderr
  const fails = shown.includes("ERROR")
  if (pattern(lines(shown)).test(lines(output)) && (code === 0) === !fails) return null
  return `\`paymux ${command}\` prints (and exits with ${code}):\n${output}`
}

const args = (command: string): ReadonlyArray<string> =>
  command
    .replaceAll("pay_…", String(month.payment["id"]))
    .replaceAll(/sha256:[0-9a-f]*…/g, String(Reflect.get(Object(month.payment["routing"]), "ruleset")))
    .split(" ")

/** A new folder with the files that were shown. */
const place = (name: string, blocks: ReadonlyArray<Block>): string => {
  const own = mkdtempSync(join(folder, name))
  cpSync(join(import.meta.dirname, "paymux.config.ts"), join(own, "paymux.config.ts"))
  for (const { name, text } of blocks) if (/\.(?:yaml|json)$/.test(name)) writeFileSync(join(own, name), text)
  return own
}

const lines = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim()

const pattern = (shown: string): RegExp =>
  new RegExp(
    `^${shown
      .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll(/\n *…\n/g, "\n[^]*\n")
      .replaceAll("…", ".*")}$`
  )

const when = (conditions: string): string =>
  whole(`- name: a\n  when: { ${conditions} }\n  choose: { priority: [stripe] }\n`)
const otherwise = (choose: string): string => `version: 1\ndefault: { ${choose} }\n`

/** Rules with all that can be wrong with them. */
/** `at`: outages that are over are warned of. */
const warningsOf = async (text: string, at = "2026-12-01T00:00:00Z"): Promise<ReadonlyArray<string>> => {
  const read = readRules(text, "routing.yaml")
  if (Result.isFailure(read)) throw new Error(read.failure.map(({ message }) => message).join())
  const compiling = compileWithWarnings(read.success.config, options.providers)
  const { warnings } = await Effect.runPromise(
    Effect.provide(Effect.andThen(TestClock.setTime(Date.parse(at)), compiling), TestClock.layer())
  )
  return warnings.map(({ message }) => message)
}

/** Compared with two payments by UPI, in the first minute of a day and an hour later. */
const usageWarningsOf = async (text: string): Promise<ReadonlyArray<string>> => {
  const read = readRules(text, "routing.yaml")
  if (Result.isFailure(read)) throw new Error(read.failure.map(({ message }) => message).join())
  const { config } = read.success
  const usage = RulesUsage.make(config, await Effect.runPromise(compile(config, options.providers)))
  for (const createdAt of [0, 3_600_000]) {
    const payment = PaymentRecords.aPayment(1, { createdAt })
    usage.add(facts(payment, payment, payment.id, payment.createdAt))
  }
  return usageWarnings(config, usage.report(), "2026-10-26").map(({ message }) => message)
}

const choice = (conditions: string, choose: string, more = ""): string =>
  `version: 1\nrules:\n- name: a\n  when: { ${conditions} }\n  choose: { ${choose} }\ndefault: { priority: ${everybody} }\n${more}`

const euros = "payment_method: card, currency: EUR"

/** Each meets warnings of its own. */
const doubtful: ReadonlyArray<string> = [
  choice(euros, "best: cost, among: [stripe, adyen]"),
  choice(euros, "best: cost, among: [stripe, adyen]", "fees: { stripe: { card: { percent: 2 } } }\n"),
  choice(euros, "best: cost, among: [stripe]"),
  choice(euros, "best: success_rate, among: [stripe, adyen], min_samples: 250"),
  choice(euros, "best: success_rate, among: [stripe, adyen], explore: 100%"),
  choice(
    `${euros}, metadata.shop: nl`,
    "best: success_rate, among: [stripe, adyen], segments: [metadata.shop], learn_from: rule"
  ),
  choice(euros, "priority: [stripe]", "failover: { deadline: 1ms }\n"),
  choice(
    euros,
    "best: value, among: [stripe, adyen], margin: 0%",
    "fees: { stripe: &fee { card: { percent: 2 } }, adyen: *fee }\n"
  ),
  choice(euros, "priority: [stripe]", "holidays: { india: [2027-01-26] }\n"),
  choice("currency: [USD, JPY], amount: { gte: 500000 }", "priority: [stripe]"),
  choice(`${euros}, amount: { gte: 50 }`, "priority: [stripe]"),
  choice("card.network: viza", "priority: [stripe]"),
  choice('time: { between: ["02:00", "03:00"], zone: Europe/Berlin }', "priority: [stripe]"),
  choice(`${euros}, any: [{ amount: { gt: 900, lt: 100 } }, { amount: 500 }]`, "priority: [stripe]"),
  choice(`${euros}, livemode: true`, "priority: [stripe]"),
  choice(euros, "priority: [stripe]", "failover: { on: [] }\n"),
  choice(euros, "priority: [stripe] }\n  failover: { deadline: 9s"),
  choice("metadata.shop: a", `priority: ${everybody}`),
  choice("payment_method: card, currency: [EUR, USD, INR]", "split: { stripe: 50, razorpay: 50 }"),
  choice(
    euros,
    "priority: [stripe]",
    "outages: [{ provider: adyen, from: 2026-01-26T12:00:00Z, to: 2026-01-27T12:00:00Z }]\n"
  ),
  choice(euros, "priority: [stripe]", "outages: [{ provider: stripe, from: 9999-01-26T12:00:00Z }]\n"),
  choice('time: { between: ["09:00", "17:00"] }', "priority: [stripe]"),
  choice(`${euros}, customer.phone_country: "+911"`, "priority: [stripe]"),
  "version: 1\ndefault: { priority: [stripe] }\n"
]

/** Each meets warnings of its own when it is compared with payments. */
const unused: ReadonlyArray<string> = [
  choice(euros, "priority: [stripe]"),
  choice(`${euros}, time: { between: ["00:00", "00:01"] }`, "priority: [stripe]"),
  choice("payment_method: card, not: { metadata.shp: nl }", "priority: [stripe]"),
  choice(euros, "best: success_rate, among: [stripe, adyen], segments: [metadata.shp]"),
  whole(
    `
- name: all
  when: { currency: INR }
  choose: { priority: [cashfree] }
- name: rupees
  when: { currency: [INR, USD] }
  choose: { priority: [stripe, cashfree] }
`.trimStart()
  )
]

const wrong: ReadonlyArray<string> = [
  "rule: []\n",
  "version: 2\ndefault: [stripe]\n",
  otherwise("priority: []"),
  otherwise("prioritise: [stripe]"),
  otherwise("priority: stripe"),
  otherwise("priority: [stripe, strype, adyen, stripe]"),
  otherwise("split: { stripe: 70, adyen: 20 }"),
  otherwise("split: { stripe: 100 }, best: cost, among: [stripe]"),
  otherwise("split: { stripe: 100 }, seed: 5"),
  otherwise("best: cost, among: [stripe], window: 30m"),
  otherwise("best: success_rate, among: [stripe], margin: 8%, floor: 80%, within: 1%"),
  otherwise("best: value, among: [stripe], explore: 5%"),
  otherwise("best: success_rate, among: [stripe], prior: { adyen: 90% }"),
  otherwise("best: success_rate, among: [stripe, adyen], prior: { stripe: 0%, adyen: 100% }"),
  otherwise("best: success_rate, among: [stripe], window: soon, min_samples: 0, explore: 105%"),
  otherwise("best: success_rate, among: [stripe], window: 0s, learn_from: acount"),
  otherwise("best: success_rate, among: [stripe], segments: [card.country, customer.email, shop]"),
  otherwise("best: success_rate, among: [stripe], segments: [metadata.a, metadata.b, metadata.c, amount, account]"),
  otherwise("best: success_rate, among: [stripe], segments: [account, amount, amount], learn_from: account"),
  otherwise("best: success_rate, among: [stripe], window: 8d"),
  otherwise("best: success_rate, among: [stripe], window: 30s"),
  `${otherwise("priority: [stripe]")}failover: { deadline: 25h }\n`,
  `${otherwise("priority: [stripe]")}failover: { deadline: soon }\n`,
  `${otherwise("priority: [stripe]")}failover: { max_attempts: 20, deadline: 45, on: [unknown] }\n`,
  `${otherwise("priority: [stripe]")}exclude: []\n`,
  `${otherwise("priority: [stripe]")}failover: { on: [soft_decline, unsupported], not_on: [unsupported] }\n`,
  `${when("payment_method: card").replace("[stripe] }\n", "[stripe] }\n    failover: { on: [unsupported] }\n")}failover: { not_on: [unsupported] }\n`,
  `${otherwise("priority: [stripe]")}outages: [{ provider: stripe, from: 2026-01-26 }]\n`,
  `${otherwise("priority: [stripe]")}outages: [{ provider: stripe, from: 2026-02-30T12:00Z }]\n`,
  `${otherwise("priority: [stripe]")}outages: [{ provider: stripe, from: 2026-01-26T12:00Z, to: 2026-01-26T11:00Z }]\n`,
  `${otherwise("priority: [stripe]")}outages:\n  - { provider: stripe, from: 2026-01-26T12:00Z }\n  - { provider: stripe, from: 2026-01-27T12:00Z }\n`,
  `${otherwise("priority: [stripe]")}fees: { stripe: { card: { percent: 300 } } }\n`,
  when("payment_method: cards"),
  when("customer.mail: payer@example.com"),
  when("metadata: { channel: app }"),
  when("payment_method: []"),
  when("any: { payment_method: card }"),
  when("not: [{ payment_method: card }]"),
  when("currency: eur"),
  when("card.country: Germany"),
  when("card.country: UK"),
  when("card.network: Visa"),
  when("stablecoin.asset: usdc"),
  when("stablecoin.network: Base"),
  when("customer.phone_country: IN"),
  when("customer.phone_country: 91"),
  when("card.bin: 411111"),
  when('card.bin: "4111"'),
  when("livemode: yes"),
  when("amount: { gte: 5000 }"),
  when('amount: { gte: "5000" }, currency: EUR'),
  when("amount: 50.25, currency: EUR"),
  when("amount: {}, currency: EUR"),
  when('time: { between: ["9:00", "17:00"] }'),
  when('time: { between: ["09:00", "09:00"] }'),
  when('time: { between: ["09:00", "17:00"], zone: Bombay }'),
  when('time: { between: ["09:00", "17:00"], zone: "+05:30" }'),
  when("time: { zone: Asia/Kolkata }"),
  when("time: { dates: [24.12.2026] }"),
  when("time: { dates: [2026-02-30, { from: 2026-12-26, to: 2026-12-24 }] }"),
  when("time: { weekdays: [mon], holidays: india }"),
  when("payment_method: upi, card.country: IN"),
  when("currency: EUR, amount: { gte: 500, lte: 100 }"),
  when("currency: EUR, amount: { between: [500, 100] }"),
  when("currency: EUR, amount: { lt: 0 }"),
  when("currency: { exists: false }"),
  when("payment_method: upi"),
  whole(
    `
- name: cards
  when: { payment_method: card, livemode: true }
  choose: { priority: [stripe] }
- name: cards
  when: { payment_method: card, livemode: true, card.country: IN }
  choose: { priority: [stripe] }
- name: default
  when: { payment_method: card, livemode: false }
  choose: { priority: [stripe] }
- name: " last"
  when: { payment_method: card, card.country: DE }
  choose: { priority: [stripe] }
`.trimStart()
  ),
  "version: 1\nversion: 1\n",
  "version: 1\nrules:\n\t- name: a\n",
  "version: 1\nrules:\n  - name: a\n when: {}\n",
  when("currency:EUR"),
  "version: 1\nrules:\n  - name:a\n    when: {}\n",
  when("amount: { gte: 5,000 }, currency: EUR"),
  when("amount: { gte: 500.000 }, currency: EUR"),
  "version: 1\ndefault: { priority: [stripe }\nfees: {}\n",
  'version: 1\ndefault: { priority: ["stripe] }\n',
  "version: 1\ndefault: { priority: [!own stripe] }\n"
]
