/** Runs many seeds on all cores. */
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import { nothing, sum } from "@paymux/testkit/simulation"
import type { Figures } from "@paymux/testkit/simulation"
import type { Weather } from "../../packages/testkit/src/simulation/drawPlan.ts"

export interface Job {
  readonly seed: number
  readonly payments: number
  readonly weather: Weather
  /** Whether a failing run is made smaller before it is told. */
  readonly shrinks: boolean
}

export interface Done {
  readonly seed: number
  /** `null`: the run broke. */
  readonly figures: Figures | null
  /** The report of a failing seed. */
  readonly told: string | null
}

export interface Batch extends Omit<Job, "seed"> {
  readonly from: number
  readonly seeds: number
}

export interface Result {
  readonly figures: Figures
  /** Of failing seeds, lowest seed first. */
  readonly failures: ReadonlyArray<Done>
}

export const simulate = async (
  { from, seeds, ...job }: Batch,
  onDone: (done: Done) => void = () => undefined,
  threads = availableParallelism()
): Promise<Result> => {
  let next = from
  let figures = nothing
  const failures: Array<Done> = []
  const work = () =>
    new Promise<void>((resolve, reject) => {
      if (next >= from + seeds) return resolve()
      const worker = new Worker(new URL("./worker.ts", import.meta.url))
      const hand = () => {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
        if (next < from + seeds) worker.postMessage({ ...job, seed: next++ } satisfies Job)
        else void worker.terminate().then(() => resolve())
      }
      worker.on("error", reject)
      worker.on("message", (done: Done) => {
        if (done.figures !== null) figures = sum(figures, done.figures)
        if (done.told !== null) failures.push(done)
        onDone(done)
        hand()
      })
      hand()
    })
  await Promise.all(Array.from({ length: threads }, work))
  return { figures, failures: failures.toSorted((a, b) => a.seed - b.seed) }
}
