/** Runs seeds as they are handed out, in a thread of its own. */
import { parentPort } from "node:worker_threads"
import { drawPlan, figures, judge, report, run, shrink } from "@paymux/testkit/simulation"
import type { Plan, Violation } from "@paymux/testkit/simulation"
import type { Done, Job } from "./pool.ts"

parentPort?.on("message", (job: Job) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
  void perform(job).then((done) => parentPort?.postMessage(done))
})

const perform = async ({ payments, seed, shrinks, weather }: Job): Promise<Done> => {
  const plan = drawPlan(seed, { payments, weather })
  try {
    const ran = await run(plan)
    const violations = judge(ran)
    const [first] = violations
    const told = first === undefined ? null : shrinks ? await smallest(plan, first) : report(ran, [first])
    return { seed, figures: figures(ran, violations), told }
  } catch (thrown) {
    // The simulation itself broke, or the engine goes round in circles: that is a finding, too.
    return {
      seed,
      figures: null,
      told: `Seed ${seed} broke: ${thrown instanceof Error ? thrown.stack : String(thrown)}`
    }
  }
}

const smallest = async (plan: Plan, { law, n }: Violation): Promise<string> => {
  const same = async (smaller: Plan) =>
    judge(await run(smaller)).filter((violation) => violation.law === law && violation.n === n)
  const small = await shrink(plan, n, async (smaller) => (await same(smaller)).length > 0)
  return report(await run(small), await same(small), 1)
}
