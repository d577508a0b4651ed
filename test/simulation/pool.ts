/** Runs many seeds on all cores. */
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import { nothing, sum } from "@paymux/test-suites/simulation"
import type { FaultProfile, Figures, ExpectationName } from "@paymux/test-suites/simulation"

export interface Job {
  readonly seed: number
  readonly payments: number
  readonly profile: FaultProfile
  /** Whether a failing run is made smaller before it is reported. */
  readonly shrinks: boolean
  /** Only violations of this expectation are reported; all are counted. */
  readonly expectation?: ExpectationName
}

export interface Done {
  readonly seed: number
  /** `null`: the run broke. */
  readonly figures: Figures | null
  /** The report of a failing seed. */
  readonly report: string | null
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
      const worker = borrow()
      const hand = () => {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
        if (next < from + seeds) return worker.postMessage({ ...job, seed: next++ } satisfies Job)
        giveBack(worker)
        resolve()
      }
      worker.on("error", reject)
      worker.on("message", (done: Done) => {
        if (done.figures !== null) figures = sum(figures, done.figures)
        if (done.report !== null) failures.push(done)
        onDone(done)
        hand()
      })
      hand()
    })
  await Promise.all(Array.from({ length: threads }, work))
  return { figures, failures: failures.toSorted((a, b) => a.seed - b.seed) }
}

/** Idle threads are kept for the next batch: their compiled code is warm. */
const idle: Array<Worker> = []

const borrow = (): Worker => {
  const worker = idle.pop() ?? new Worker(new URL("./worker.ts", import.meta.url))
  worker.ref()
  return worker
}

const giveBack = (worker: Worker): void => {
  worker.removeAllListeners("error").removeAllListeners("message")
  // A thread that waits keeps no process alive.
  worker.unref()
  idle.push(worker)
}
