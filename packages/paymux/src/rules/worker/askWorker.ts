/** Starts a worker thread of the rules, and gives it a task. */
import { RulesInvalid, RulesWorkFailed } from "@paymux/dashboard"
import { Data, Effect } from "effect"
import { Worker } from "node:worker_threads"
import type { RulesTask, RulesTasks, RulesWorkerData, TaskName, WorkerMessage } from "./RulesTask.ts"

/** The thread could not start, or ended before it was done. The rules may be valid. */
export class RulesThreadFailed extends Data.TaggedError("RulesThreadFailed")<{ readonly reason: string }> {}

export type TaskFailure = RulesInvalid | RulesWorkFailed | RulesThreadFailed

/** MB of JavaScript objects; what takes more ends the thread, and nothing else. */
const MOST_MEMORY = 1_024

/** Fails at once where the platform starts no thread: for want of memory or of the permission. */
export const startWorker = (data: RulesWorkerData): Effect.Effect<Worker, RulesThreadFailed> =>
  Effect.try({ try: () => start(data), catch: (error) => new RulesThreadFailed({ reason: threadFault(error) }) })

const start = (workerData: RulesWorkerData): Worker => {
  // Beside this module in the sources, and beside its bundle in the package.
  const file = import.meta.url.endsWith(".ts") ? "./RulesWorker.ts" : "./RulesWorker.js"
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY }
  })
  // Without a listener, an error between two tasks would end the process.
  worker.on("error", () => undefined)
  worker.unref()
  return worker
}

/** Sends a task, and waits for its answer: until then the thread keeps the process running. */
export const ask = <Name extends TaskName>(
  worker: Worker,
  task: RulesTask<Name>,
  onProgress: (done: number) => void
): Effect.Effect<RulesTasks[Name]["answer"], TaskFailure> =>
  Effect.callback((resume) => {
    const end = (exit: Effect.Effect<RulesTasks[Name]["answer"], TaskFailure>) => {
      stop()
      resume(exit)
    }
    const fail = (reason: string) => end(Effect.fail(new RulesWorkFailed({ reason })))
    const lose = (reason: string) => end(Effect.fail(new RulesThreadFailed({ reason })))
    const onMessage = (message: WorkerMessage) => {
      switch (message._tag) {
        case "Progress":
          return progress(message.done)
        case "Answer":
          return end(Effect.succeed(message.answer))
        case "Invalid":
          return end(Effect.fail(new RulesInvalid({ problems: message.problems })))
        case "Failed":
          return fail(message.message)
      }
    }
    const progress = (done: number) => {
      try {
        onProgress(done)
      } catch (thrown) {
        // Of the caller. Thrown on, it would end the process.
        end(Effect.die(thrown))
      }
    }
    const onError = (error: unknown) =>
      isOutOfMemory(error) ? fail("The rules take too much memory: simplify them.") : lose(threadFault(error))
    const onExit = () => lose("The thread that reads the rules ended before it was done.")
    const stop = () => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit)
      worker.unref()
    }
    worker.on("message", onMessage).on("error", onError).on("exit", onExit)
    worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(task)
    progress(0)
    return Effect.sync(stop)
  })

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

const threadFault = (error: unknown): string =>
  `The thread that reads the rules failed: ${error instanceof Error ? error.message : String(error)}`
