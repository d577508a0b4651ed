/**
 * The failovers of PostgreSQL at their full size. Prints what it does and what it found; ends with 1 where something must
 * not be.
 *
 *     pnpm failover --times 50 --standby sync     commits wait for the standby: nothing may be lost
 *     pnpm failover --times 20 --standby async    the standby is behind: counts what is lost, and compares the books with the
 *                                                 vendor's statement: every movement must be explained
 *     pnpm failover --standby async --begun-by former         the payments until the first failover have names by the place of a
 *                                                 provider, as the former version derived them
 *     pnpm failover --standby async --rotates     the secret is replaced, and the first failover goes back to before that
 *     pnpm failover --split-brain                 two primaries for 10 s
 *     --engines 1                                 processes of Paymux (default: 3)
 *     --flood 24                                  simple payments at a time, besides those of all scenarios (default: 24)
 *     --seed 7                                    the same choices again (default: the time)
 */
import { parseArgs } from "node:util"
import { failovers } from "../test/failover/failovers.ts"
import { faultsOfLoss } from "../test/failover/comparedBooks.ts"
import type { Compared } from "../test/failover/comparedBooks.ts"
import type { FormerPurchases } from "../test/failover/formerPurchases.ts"
import type { FailoverReport } from "../test/failover/failovers.ts"
import { splitBrain } from "../test/failover/splitBrain.ts"
import { faultsOf } from "../test/crash/TestHarness.ts"
import type { HarnessReport } from "../test/crash/TestHarness.ts"

const { values } = parseArgs({
  options: {
    times: { type: "string", default: "10" },
    standby: { type: "string", default: "sync" },
    "begun-by": { type: "string", default: "this" },
    rotates: { type: "boolean", default: false },
    "split-brain": { type: "boolean", default: false },
    engines: { type: "string", default: "3" },
    flood: { type: "string", default: "24" },
    seed: { type: "string" }
  }
})

const wholeNumber = (name: "times" | "engines" | "flood"): number => {
  const number = Number(values[name])
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`--${name} must be a whole number above 0, not ${values[name]}.`)
  return number
}
const { standby } = values
if (standby !== "sync" && standby !== "async") throw new Error(`--standby must be sync or async, not ${standby}.`)
const begunBy = values["begun-by"]
if (begunBy !== "former" && begunBy !== "this") throw new Error(`--begun-by must be former or this, not ${begunBy}.`)
if (begunBy === "former" && standby === "sync") throw new Error("--begun-by former needs --standby async.")
if (values.rotates && begunBy === "former") throw new Error("--rotates needs servers of this version.")
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const flood = wholeNumber("flood")

const summary = (report: HarnessReport) =>
  console.log(
    `${report.payments} payments, ${report.acknowledged} acknowledged answers, ${report.lost.length} lost, ${report.double.length} charged twice, ${report.inReview} in review, ${report.kills} processes killed, ${report.seconds} s`
  )

const times = (name: string, values: ReadonlyArray<number>) => {
  const sorted = values.map(Math.round).toSorted((a, b) => a - b)
  console.log(`${name}: median ${sorted[Math.floor(sorted.length / 2)]} ms, longest ${sorted.at(-1)} ms`)
}

const printFailovers = (report: FailoverReport) => {
  times(
    "promotion",
    report.failovers.map(({ promotion }) => promotion)
  )
  times(
    "from the promotion to 201",
    report.failovers.map(({ back }) => back)
  )
  times(
    "to the payment that was requested at once, behind all others",
    report.failovers.map(({ queued }) => queued)
  )
  console.log(`${Math.round(report.perSecond)} payments a second before the failovers`)
  console.log(`${report.events.read} events read, ${report.events.faults.length} of them gone or changed`)
}

/** Of an asynchronous standby: the loss is expected, and each movement at the vendor has to be explained. */
const printLoss = ({ events, lost }: FailoverReport, compared: Compared) => {
  const { inReview, listed, matched, refunded, twiceAtOne, twiceAtTwo, unexplained } = compared
  console.log(`Lost: ${lost.length} acknowledged answers, ${events.faults.length} events.`)
  console.log(
    `Movements at the vendor: ${matched} matched, ${refunded} refunded, ${inReview} in review, ${listed} unmatched and listed, ${unexplained.length} unexplained`
  )
  console.log(`Purchases paid twice: ${twiceAtOne.length} at one provider, ${twiceAtTwo} at two`)
}

const printFormer = ({ adopted, begun, sentAgain }: FormerPurchases) =>
  console.log(
    `Purchases begun under former names: ${begun}, of which ${adopted} were lost, found at the provider and adopted, and ${sentAgain} sent again under another name`
  )

const faults: Array<string> = []
console.log(`seed ${seed}`)
if (values["split-brain"]) {
  const report = await splitBrain({ duration: 10_000, flood, seed })
  summary(report)
  console.log(`${report.unconfirmed} payments were on the former primary alone`)
  faults.push(...faultsOf(report))
} else {
  const options = {
    standby,
    times: wholeNumber("times"),
    engines: wholeNumber("engines"),
    flood,
    seed,
    begunBy,
    rotates: values.rotates
  } as const
  const report = await failovers({ ...options, progress: (text) => console.log(`  ${text}`) })
  summary(report)
  printFailovers(report)
  if (report.compared !== null) {
    printLoss(report, report.compared)
    if (report.former !== null) printFormer(report.former)
    faults.push(...faultsOfLoss(report, report.compared))
  } else faults.push(...faultsOf(report), ...report.events.faults)
}
for (const fault of faults) console.log(`FAULT ${fault}`)
process.exitCode = faults.length > 0 ? 1 : 0
