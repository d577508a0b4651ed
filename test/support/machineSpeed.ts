/**
 * How fast this machine is at what the tests do, so that the seconds of two machines can be compared: two threads, as a machine of
 * two cores has them, do a fixed piece of work for about a second.
 */
import { once } from "node:events"
import { Worker } from "node:worker_threads"

/** ms of the fixed work on the machine whose times README gives. */
const reference = 670

/** How many times as long as there: 2 on a machine of half the speed. */
export const machineFactor = async (): Promise<number> => {
  const took = await Promise.all([timeOfThread(), timeOfThread()])
  return Math.max(...took) / reference
}

const timeOfThread = async (): Promise<number> => {
  const [took] = await once(new Worker(new URL("./FixedWork.ts", import.meta.url)), "message")
  return Number(took)
}

export const machineText = (factor: number): string =>
  `Machine: a fixed piece of work takes ${factor.toFixed(2)} times as long as where README's times were measured.`

/** For vitest's `globalSetup`: each run says it, before the first test. */
const setup = async (): Promise<void> => {
  process.stdout.write(`${machineText(await machineFactor())}\n`)
}

export default setup
