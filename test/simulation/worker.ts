/** Runs seeds as they are handed out, in a thread of its own. */
import { parentPort } from "node:worker_threads"
import { drawPlan, figures, report, run, shrink, verdictOn } from "@paymux/test-suites/simulation"
import type { Plan, Violation } from "@paymux/test-suites/simulation"
import type { Done, Job } from "./pool.ts"

parentPort?.on("message", (job: Job) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
  void perform(job).then((done) => parentPort?.postMessage(done))
})

const perform = async ({ expectation, payments, profile, seed, shrinks }: Job): Promise<Done> => {
  const plan = drawPlan(seed, { payments, profile })
  try {
    const ran = await run(plan)
    const verdict = verdictOn(ran)
    const first = verdict.violations.find(
      (violation) => expectation === undefined || violation.expectation === expectation
    )
    const text = first === undefined ? null : ((shrinks ? await smallest(plan, first) : null) ?? report(ran, [first]))
    return { seed, figures: figures(ran, verdict), report: text }
  } catch (thrown) {
    // The simulation itself broke, or the engine loops: that is a finding, too.
    return {
      seed,
      figures: null,
      report: `Seed ${seed} broke: ${thrown instanceof Error ? thrown.stack : String(thrown)}`
    }
  }
}

/** `null`: it cannot be made smaller without breaking. */
const smallest = async (plan: Plan, { expectation, n }: Violation): Promise<string | null> => {
  const same = async (smaller: Plan): Promise<ReadonlyArray<Violation>> => {
    try {
      return verdictOn(await run(smaller)).violations.filter(
        (violation) => violation.expectation === expectation && violation.n === n
      )
    } catch {
      return []
    }
  }
  const small = await shrink(plan, n, async (smaller) => (await same(smaller)).length > 0)
  const violations = await same(small)
  return violations.length === 0 ? null : report(await run(small), violations, 1)
}
