/** Case D: decisions a second, against the rule engines one would take instead, and with a hundred times the rules. */
import { interleave } from "../Rounds.ts"
import type { Contender, Measured, Slice } from "../Rounds.ts"
import { openJsonLogic } from "./JsonLogic.ts"
import { openJsonRulesEngine } from "./JsonRulesEngine.ts"
import { shapes } from "./ManyRules.ts"
import { openPaymux, whenOf } from "./Paymux.ts"
import { firstMatch, nth, payments as samplePayments, rules } from "./Sample.ts"
import { openZen, openZenInBatches } from "./Zen.ts"

export interface RoutingBenchOptions {
  readonly rounds: number
  readonly warmUps: number
  /** How often a slice of ours goes through all payments: one pass is too short to be measured. */
  readonly passes: number
  readonly progress: (done: number, of: number) => void
}

const prepared = 10_000

export const routingNames = {
  whole: "Paymux, whole decision",
  match: "Paymux, matching alone",
  zen: "zen-engine, one at a time",
  zenTogether: "zen-engine, 64 at a time",
  zenInBatches: "zen-engine, 1,000 in a call",
  jsonLogic: "json-logic-js",
  jsonRulesEngine: "json-rules-engine",
  shape: (name: string, rules: number) => `${rules.toLocaleString("en")} rules: ${name}`
} as const

/** Those of which a hundred times the rules may cost little. */
export const shapeNames: ReadonlyArray<string> = shapes.map(({ name }) => name)

/** Fails where the contenders do not all answer alike. Everything is measured in time of one core. */
export const routingBench = async (options: RoutingBenchOptions) => [
  ...(await againstOthers(options)),
  ...(await againstFewer(options))
]

/** The same hundred rules, the same payments. */
const againstOthers = async (options: RoutingBenchOptions): Promise<ReadonlyArray<Measured & Noted>> => {
  const payments = samplePayments(prepared)
  const facts = payments.map((each) => each.facts)
  const paymux = await openPaymux(rules.map(whenOf))
  const [zen, zenTogether, zenInBatches] = [openZen(1), openZen(64), openZenInBatches()]
  const [jsonLogic, jsonRulesEngine] = [openJsonLogic(), openJsonRulesEngine()]

  const right = facts.map(firstMatch)
  check(routingNames.whole, paymux.numbersOf(payments), right)
  check(routingNames.zen, await zen(facts), right)
  check(routingNames.zenTogether, await zenTogether(facts), right)
  check(routingNames.zenInBatches, await zenInBatches(facts), right)
  check(routingNames.jsonLogic, jsonLogic(facts), right)
  check(routingNames.jsonRulesEngine, await jsonRulesEngine(facts), right)

  const match = paymux.matcher(payments)
  return interleave(
    [
      repeated(routingNames.whole, options.passes, () => paymux.decide(payments)),
      repeated(routingNames.match, options.passes, match),
      inParts(routingNames.zen, facts, zen),
      inParts(routingNames.zenTogether, facts, zenTogether),
      inParts(routingNames.zenInBatches, facts, zenInBatches),
      inParts(routingNames.jsonLogic, facts, async (part) => jsonLogic(part)),
      inParts(routingNames.jsonRulesEngine, facts, jsonRulesEngine)
    ],
    { ...options, progress: (done, of) => options.progress(done, of * 2) }
  )
}

interface Noted {
  readonly note?: string
}

/** The same shape of rules, a hundred and ten thousand. */
const againstFewer = async (options: RoutingBenchOptions): Promise<ReadonlyArray<Measured & Noted>> => {
  const contenders: Array<Contender> = []
  const notes = new Map<string, string>()
  for (const shape of shapes) {
    for (const count of [100, 10_000]) {
      const name = routingNames.shape(shape.name, count)
      const paymux = await openPaymux(Array.from({ length: count }, (_, rule) => shape.when(rule)))
      const targets = Array.from({ length: prepared }, (_, n) => nth(n, count + 1))
      const payments = targets.map((rule) => shape.payment(rule))
      check(name, paymux.numbersOf(payments), targets)
      if (count > 100) notes.set(name, `checked and compiled in ${(paymux.compiledIn / 1000).toFixed(1)} s`)
      contenders.push(repeated(name, options.passes, () => paymux.decide(payments)))
    }
  }
  const measured = await interleave(contenders, {
    ...options,
    progress: (done, of) => options.progress(of + done, of * 2)
  })
  return measured.map((each) => ({ ...each, note: notes.get(each.name) ?? "" })).map(withoutEmptyNote)
}

const withoutEmptyNote = ({ note, ...measured }: Measured & { readonly note: string }): Measured & Noted =>
  note === "" ? measured : { ...measured, note }

const check = (name: string, found: ReadonlyArray<number>, right: ReadonlyArray<number>): void => {
  const wrong = right.findIndex((number, index) => found[index] !== number)
  if (wrong !== -1 || found.length !== right.length) {
    throw new Error(`${name} answers ${found[wrong]} where ${right[wrong]} is right (payment ${wrong})`)
  }
}

const repeated = (name: string, passes: number, pass: () => void): Contender => ({
  name,
  run: () =>
    onOneCore(prepared * passes, async () => {
      for (let i = 0; i < passes; i++) pass()
    })
})

/** The next thousand of the payments: all of them would take the slow ones minutes. */
const inParts = <A>(
  name: string,
  all: ReadonlyArray<A>,
  work: (part: ReadonlyArray<A>) => Promise<unknown>
): Contender => {
  let next = 0
  return {
    name,
    run: () => {
      const part = all.slice(next, next + 1000)
      next = (next + 1000) % all.length
      return onOneCore(part.length, () => work(part))
    }
  }
}

/** CPU time stands for the clock: native threads and other programs then do not distort the figures. */
const onOneCore = async (payments: number, work: () => Promise<unknown>): Promise<Slice> => {
  const before = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(before)
  return { payments, wall: (user + system) / 1000, cpu: user + system }
}
