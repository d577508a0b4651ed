/**
 * Measures how fast this machine runs the kind of work that tests do, so that seconds from two machines can be compared. Two threads
 * each run a fixed workload for about a second.
 */
import { once } from "node:events"
import { Worker } from "node:worker_threads"

/** ms that the workload took on the machine whose times README gives. */
const reference = 670

/** 1 on the machine whose times README gives, 2 on a machine of half its speed. */
export const machineFactor = async (): Promise<number> => {
  const took = await Promise.all([timeOfThread(), timeOfThread()])
  return Math.max(...took) / reference
}

const timeOfThread = async (): Promise<number> => {
  const [took] = await once(new Worker(new URL("./FixedWork.ts", import.meta.url)), "message")
  return Number(took)
}

export const machineText = (factor: number): string =>
  `Machine factor: ${factor.toFixed(2)} (1.00 is the machine whose times README gives, 2.00 is half as fast)`

/** For vitest's `globalSetup`: each run prints the factor before its first test. */
const setup = async (): Promise<void> => {
  process.stdout.write(`${machineText(await machineFactor())}\n`)
}

export default setup
