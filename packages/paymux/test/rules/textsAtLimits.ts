/**
 * Texts of rules at the limits of rules in the database: 512 KB, 2,000 rules, 64 levels. Each has as much of one kind of thing as
 * fits: days, values, levels, rules, alternatives, comments, outages, exclusions, mistakes. The same seed gives the same text.
 */

export interface TextAtLimit {
  readonly kind: string
  readonly text: string
}

/** Bytes of a text in the database; some texts are a little longer. */
const LIMIT = 512 * 1024

interface Random {
  /** At least 0, less than `below`. */
  readonly below: (below: number) => number
  readonly between: (least: number, most: number) => number
  readonly pick: <A>(of: readonly [A, ...ReadonlyArray<A>]) => A
}

/** Mulberry32: the same numbers in every run. */
const randomOf = (seed: number): Random => {
  let state = seed >>> 0
  const below = (end: number): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * end)
  }
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    pick: (of) => of[below(of.length)] ?? of[0]
  }
}

/** Text of `pieces` until it has `size` bytes. All of it is ASCII. */
const fill = (size: number, separator: string, piece: (index: number) => string): string => {
  const pieces: Array<string> = []
  let length = 0
  for (let index = 0; length < size; index++) {
    const next = piece(index)
    pieces.push(next)
    length += next.length + separator.length
  }
  return pieces.join(separator)
}

const repeated = (count: number, piece: (index: number) => string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => piece(index))

const DEFAULT = "default: { priority: [sandbox_card_a, sandbox_upi_a] }\n"
const CHOOSE = "choose: { priority: [sandbox_card_a, sandbox_card_b] }"

const ruleOf = (name: string, when: string): string => `  - name: ${name}\n    when: ${when}\n    ${CHOOSE}\n`

const wholeOf = (rules: string, top = ""): string => `version: 1\n${top}rules:\n${rules}${DEFAULT}`

/** From 1970-01-01 on, or further apart; around the year 9999 it begins again. */
const dayText = (day: number): string => new Date((day % 2_900_000) * 86_400_000).toISOString().slice(0, 10)

type Kind = (random: Random, size: number) => string

const INDENT = " ".repeat(12)

const listIn = (random: Random, size: number, item: (index: number) => string): string => {
  const style = random.below(3)
  if (style === 0) return `[${fill(size, ",", item)}]`
  if (style === 1) return `[\n${fill(size, ",\n", (index) => `${INDENT}${item(index)}`)}\n${INDENT}]`
  return `\n${fill(size, "\n", (index) => `${INDENT}- ${item(index)}`)}`
}

const dayItem = (random: Random): ((index: number) => string) => {
  const step = random.pick([1, 2, 3, 9, 40])
  const first = random.pick([0, 20_000, 20_500])
  const ranges = random.below(3) === 0
  return (index) => {
    const day = first + index * step
    return ranges ? `{ from: ${dayText(day)}, to: ${dayText(day + random.below(step))} }` : dayText(day)
  }
}

const days: Kind = (random, size) => {
  const dates = listIn(random, size, dayItem(random))
  const others = random.pick([
    "",
    `\n        between: ["23:00", "04:00"]`,
    "\n        weekdays: [sat, sun]",
    "\n        zone: Asia/Kolkata"
  ])
  const when = `\n      time:\n        dates: ${dates}${others}`
  const more = random.below(2) === 0 ? "" : ruleOf("weekend", "{ time: { weekdays: [sat, sun], zone: UTC } }")
  return wholeOf(`${ruleOf("days", when)}${more}`)
}

const holidays: Kind = (random, size) => {
  const calendars = random.pick([1, 2, 30])
  const item = dayItem(random)
  const written = repeated(calendars, (index) => `  calendar_${index}: ${listIn(random, size / calendars, item)}\n`)
  const named = random.pick(["calendar_0", `[${repeated(calendars, (index) => `calendar_${index}`).join(", ")}]`])
  const rules = repeated(random.pick([1, 3, 40]), (index) =>
    ruleOf(`holidays ${index}`, `{ amount: { gte: ${index + 1} }, currency: EUR, time: { holidays: ${named} } }`)
  )
  return wholeOf(rules.join(""), `holidays:\n${written.join("")}`)
}

const values: Kind = (random, size) => {
  const [key, item] = random.pick<readonly [string, (index: number) => string]>([
    ["metadata.shop", (index) => `s${index}`],
    ["account", (index) => `acc_${index}`],
    ["customer.email", (index) => `p${index}@example.com`],
    ["card.bin", (index) => `"${400_000 + (index % 99_999_999)}"`],
    ["amount", (index) => String(index * 7 + 1)],
    ["currency", (index) => ["EUR", "USD", "INR"][index % 3] ?? "EUR"],
    ["card.country", () => "DE"]
  ])
  const of = random.pick([1, 2, 7])
  const list = () => listIn(random, size / of, item)
  const prefixes = key !== "amount" && key !== "currency" && key !== "card.country" && random.below(2) === 0
  const money = key === "amount" ? "\n      currency: EUR" : ""
  return wholeOf(
    repeated(of, (index) =>
      ruleOf(
        `values ${index}`,
        prefixes
          ? `\n      ${key}:\n        in_prefixes: ${list()}`
          : `${money}\n      metadata.rule: r${index}\n      ${key}: ${list()}`
      )
    ).join("")
  )
}

/** `depth` levels around a condition, each with some beside it. */
const nested = (random: Random, depth: number, beside: number): string => {
  let inner = "{ currency: EUR }"
  for (let level = 0; level < depth; level++) {
    const kind = random.below(3)
    const others = repeated(beside, (index) => `{ metadata.k${level}: v${index} }`)
    if (kind === 0) inner = `{ not: ${inner} }`
    else inner = `{ ${kind === 1 ? "all" : "any"}: [${[inner, ...others].join(", ")}] }`
  }
  return inner
}

const levels: Kind = (random, size) => {
  const rules: Array<string> = []
  let length = 0
  for (let index = 0; length < size && index < 2_000; index++) {
    const conditions = nested(random, random.between(8, 29), random.pick([0, 1, 3]))
    const rule = ruleOf(`levels ${index}`, `{ metadata.rule: r${index}, any: [${conditions}, { account: a${index} }] }`)
    rules.push(rule)
    length += rule.length
  }
  if (random.below(3) === 0) rules.unshift(ruleOf("deepest", nested(random, random.between(28, 70), 0)))
  return wholeOf(rules.join(""))
}

const many: Kind = (random) => {
  const count = random.pick([1_990, 2_000, 2_001, 3_000])
  const kind = random.below(4)
  const when = (index: number): string => {
    if (kind === 0) return `{ metadata.shop: s${index} }`
    if (kind === 1) return `{ currency: EUR, amount: { gte: ${2_000_000 - index * 100} } }`
    if (kind === 2)
      return `{ currency: EUR, amount: { between: [${index * 10}, ${index * 10 + 9}] }, card.network: [visa, mastercard] }`
    return `{ any: [{ metadata.a: x${index} }, { metadata.b: y${index} }, { not: { card.country: DE }, account: z${index} }] }`
  }
  return wholeOf(repeated(count, (index) => `  - { name: r${index}, when: ${when(index)}, ${CHOOSE} }\n`).join(""))
}

const alternatives: Kind = (random, size) => {
  const branches = random.pick([2, 16, 64, 65, 1_000_000])
  const any = (bytes: number, key: string) => {
    const written: Array<string> = []
    let length = 0
    for (let index = 0; index < branches && length < bytes; index++) {
      const one = random.pick([
        `{ ${key}: v${index} }`,
        `{ ${key}: { starts_with: v${index} } }`,
        `{ not: { ${key}: v${index} } }`
      ])
      written.push(one)
      length += one.length + 2
    }
    return `{ any: [${written.join(", ")}] }`
  }
  const rules: Array<string> = []
  let length = 0
  while (length < size && rules.length < 2_000) {
    const part = random.pick([size, size / 4, 3_000])
    const all = random.pick([1, 2, 6, 40])
    const rule = ruleOf(
      `alternatives ${rules.length}`,
      `{ metadata.rule: r${rules.length}, all: [${repeated(all, (index) => any(Math.min(part, size - length) / all, `metadata.k${index}`)).join(", ")}] }`
    )
    rules.push(rule)
    length += rule.length
  }
  return wholeOf(rules.join(""))
}

/** Lines that mean nothing, where YAML lets them stand. */
const comments: Kind = (random, size) => {
  const line = random.pick(["", "#", "  # a remark", "        ", "#\t"])
  const lines = `${fill(size, "\n", () => line)}\n`
  switch (random.below(8)) {
    case 0:
      return `${lines}${wholeOf(ruleOf("one", "{ currency: EUR }"))}`
    case 1:
      return `${wholeOf(ruleOf("one", "{ currency: EUR }"))}${lines}`
    case 2:
      return wholeOf(ruleOf("one", `{ currency: [EUR,\n${lines}      USD] }`))
    case 3:
      return wholeOf(ruleOf("one", `\n${lines}      currency: EUR`))
    case 4:
      return wholeOf(`${ruleOf("one", "{ currency: EUR }")}${lines}${ruleOf("two", "{ currency: USD }")}`)
    case 5:
      return wholeOf(ruleOf("one", `{ currency: EUR\n${lines}      }`))
    case 6:
      return wholeOf(ruleOf("one", `{ currency\n${lines}      : EUR }`))
    default:
      return wholeOf(ruleOf("one", `{ currency: EUR, ? metadata.shop\n${lines}      : "a" }`))
  }
}

/** In the year 2100: all of these outages are planned ones. */
const FAR = 4_102_444_800_000

const outages: Kind = (random, size) => {
  const step = random.pick([1, 2])
  const at = (hour: number) => new Date(FAR + hour * 3_600_000).toISOString().replace(/\.000Z$/, "Z")
  const written = fill(size, "\n", (index) => {
    const provider = random.pick(["sandbox_card_a", "sandbox_card_b"])
    return `  - { provider: ${provider}, from: "${at(index * step * 2)}", to: "${at(index * step * 2 + step)}" }`
  })
  return wholeOf(ruleOf("one", "{ currency: EUR }"), `outages:\n${written}\n`)
}

/** Payments are looked for that get no provider. */
const excluded: Kind = (random, size) =>
  random
    .pick<Kind>([days, values, many, alternatives, outages])(random, size)
    .replace("version: 1\n", "version: 1\nexclude: [sandbox_card_b]\n")

const mistakes: Kind = (random, size) => {
  switch (random.below(7)) {
    case 0:
      return wholeOf(ruleOf("one", `{ currency: ${listIn(random, size, (index) => `x${index}`)} }`))
    case 1:
      return wholeOf(fill(size, "", (index) => `  - { nom: r${index} }\n`))
    case 2:
      return `version: 1\n${fill(size, "\n", (index) => `key_${index}: 1`)}\n${DEFAULT}`
    case 3:
      return wholeOf(ruleOf("one", "[".repeat(random.pick([65, 5_000, size]))))
    case 4:
      return wholeOf(ruleOf("one", `{ account: "${"a\\n".repeat(size / 3)} }`))
    case 5:
      return wholeOf(ruleOf("one", `{ account: ${fill(size, "\n\n", () => "        word word")} }`))
    default:
      return `a: &a [x,x,x,x,x,x,x,x,x]\n${repeated(9, (index) => `b${index}: &b${index} [${repeated(9, () => `*${index === 0 ? "a" : `b${index - 1}`}`).join(",")}]`).join("\n")}\n${DEFAULT}`
  }
}

/** A text in the form of JSON, which is YAML too: one line, or a line for each token. */
const json: Kind = (random, size) => {
  const indent = random.pick([0, 1])
  const list: Array<string> = []
  for (let index = 0, length = 0; length < size; index++) {
    list.push(`s${index}`)
    length += `s${index}`.length + (indent === 0 ? 3 : 11)
  }
  const config = {
    version: 1,
    rules: [{ name: "one", when: { "metadata.shop": list }, choose: { priority: ["sandbox_card_a"] } }],
    default: { priority: ["sandbox_card_a"] }
  }
  return JSON.stringify(config, null, indent)
}

const kinds: ReadonlyArray<readonly [string, Kind]> = Object.entries({
  days,
  holidays,
  values,
  levels,
  many,
  alternatives,
  comments,
  outages,
  mistakes,
  json,
  excluded
})

/** The kinds in turn, each about as long as a text may be: a few are longer. */
export const textAtLimit = (seed: number): TextAtLimit => {
  const random = randomOf(seed)
  const [kind, write] = kinds[seed % kinds.length] ?? ["days", days]
  const size = Math.floor(LIMIT * random.pick([0.15, 0.5, 0.8, 0.97, 0.98, 1.02]))
  return { kind, text: write(random, size - 400) }
}
