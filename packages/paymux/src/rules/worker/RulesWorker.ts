/** The worker thread of the rules: does the tasks that it is sent, one after the other. */
import { RulesInvalid } from "@paymux/dashboard"
import { Cause, Effect, Exit } from "effect"
import { parentPort, workerData } from "node:worker_threads"
import { runTask } from "./runTask.ts"
import type { RulesTask, RulesWorkerData, WorkerMessage } from "./RulesTask.ts"

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const post = (message: WorkerMessage): void => parentPort?.postMessage(message)

const failure = (error: unknown): WorkerMessage => {
  if (error instanceof RulesInvalid) return { _tag: "Invalid", problems: error.problems }
  return { _tag: "Failed", message: error instanceof Error ? error.message : String(error) }
}

// Boundary: `RulesThread` starts this worker with such data, and sends it such tasks.
const data = workerData as RulesWorkerData
const surroundings = { ...data, show: (done: number) => Effect.sync(() => post({ _tag: "Progress", done })) }

parentPort?.on("message", async (task: RulesTask) => {
  const exit = await Effect.runPromiseExit(runTask(task, surroundings))
  post(Exit.isSuccess(exit) ? { _tag: "Answer", answer: exit.value } : failure(Cause.squash(exit.cause)))
})
