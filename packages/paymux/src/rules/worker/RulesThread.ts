/**
 * Runs tasks about rules in worker threads, so that the thread that serves payments does not wait for them: a tangled set
 * of rules takes seconds to check. A task that is interrupted, takes too much memory or too long ends with its thread.
 */
import type { RoutableProvider } from "@paymux/core/routing"
import { BacktestsBusy, RulesInvalid, RulesWorkFailed } from "@paymux/dashboard"
import { Deferred, Effect, Exit, Option, Semaphore } from "effect"
import { Worker } from "node:worker_threads"
import type { RulesTask, RulesTasks, RulesWorkerData, TaskName, WorkerMessage } from "./RulesTask.ts"

type Failure = RulesInvalid | RulesWorkFailed

export interface RulesThread {
  /** One after the other; within 30 seconds, the wait for its turn included. */
  readonly run: <Name extends Exclude<TaskName, "Backtest">>(
    name: Name,
    given: RulesTasks[Name]["given"]
  ) => Effect.Effect<RulesTasks[Name]["answer"], Failure>
  /** Two at once at most; as long as it takes. `onProgress`: 0 when it begins, up to 1. */
  readonly backtest: (
    given: RulesTasks["Backtest"]["given"],
    onProgress: (done: number) => void
  ) => Effect.Effect<RulesTasks["Backtest"]["answer"], Failure | BacktestsBusy>
}

/** `database`: `null` if no other thread can open it. Threads end with the scope. */
export const make = Effect.fnUntraced(function* (providers: ReadonlyArray<RoutableProvider>, database: string | null) {
  const scope = yield* Effect.scope
  const stopping = yield* Deferred.make<never, RulesWorkFailed>()
  // Plain data alone can be copied to another thread.
  const data = { providers: providers.map(({ capabilities, id, mode }) => ({ capabilities, id, mode })), database }
  const inTurn = Semaphore.makeUnsafe(1).withPermits(1)
  const backtests = Semaphore.makeUnsafe(MOST_BACKTESTS)
  /** A thread takes long to start, so the one of the last task is kept for a while. */
  const kept: { worker: Worker | null; tasks: number } = { worker: null, tasks: 0 }

  const endKept = Effect.suspend(() => {
    const { worker } = kept
    kept.worker = null
    return worker === null ? Effect.void : Effect.promise(() => worker.terminate())
  })
  yield* Effect.addFinalizer(() =>
    Deferred.fail(
      stopping,
      new RulesWorkFailed({ reason: "The server is stopping, which cancels work on rules." })
    ).pipe(Effect.andThen(endKept))
  )

  const untilStopping = <A, E>(work: Effect.Effect<A, E>) => Effect.raceFirst(work, Deferred.await(stopping))

  const onKept = <Name extends TaskName>(task: RulesTask<Name>) =>
    Effect.suspend(() => {
      const worker = kept.worker ?? startWorker(data)
      if (worker !== kept.worker) {
        kept.worker = worker
        worker.once("exit", () => {
          if (kept.worker === worker) kept.worker = null
        })
      }
      kept.tasks++
      return ask(worker, task, () => undefined)
    }).pipe(
      // What ended otherwise than with an answer may have ended its thread, or keep it busy.
      Effect.onExit((exit) => (isAnswer(exit) ? Effect.forkIn(endIfIdle(kept.tasks), scope) : endKept))
    )

  const endIfIdle = (tasks: number) =>
    Effect.andThen(
      Effect.sleep("1 minute"),
      inTurn(Effect.suspend(() => (kept.tasks === tasks ? endKept : Effect.void)))
    )

  const thread: RulesThread = {
    run: (name, given) =>
      Effect.timeoutOrElse(untilStopping(inTurn(onKept({ name, given }))), {
        duration: "30 seconds",
        orElse: () =>
          Effect.fail(new RulesWorkFailed({ reason: "The rules could not be read within 30 seconds: simplify them." }))
      }),
    backtest: Effect.fnUntraced(function* (given, onProgress) {
      const work = Effect.acquireUseRelease(
        Effect.sync(() => startWorker(data)),
        (worker) => ask(worker, { name: "Backtest", given }, onProgress),
        (worker) => Effect.promise(() => worker.terminate())
      )
      const done = yield* backtests.withPermitsIfAvailable(1)(untilStopping(work))
      return Option.isSome(done) ? done.value : yield* new BacktestsBusy({ most: MOST_BACKTESTS })
    })
  }
  return thread
})

const MOST_BACKTESTS = 2

/** MB of JavaScript objects; what takes more ends the thread, and nothing else. */
const MOST_MEMORY = 1_024

const startWorker = (workerData: RulesWorkerData): Worker => {
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

const isAnswer = (exit: Exit.Exit<unknown, Failure>): boolean =>
  Exit.isSuccess(exit) ||
  exit.cause.reasons.some((reason) => reason._tag === "Fail" && reason.error._tag === "RulesInvalid")

/** Sends a task, and waits for its answer: until then the thread keeps the process running. */
const ask = <Name extends TaskName>(
  worker: Worker,
  task: RulesTask<Name>,
  onProgress: (done: number) => void
): Effect.Effect<RulesTasks[Name]["answer"], Failure> =>
  Effect.callback((resume) => {
    const end = (exit: Effect.Effect<RulesTasks[Name]["answer"], Failure>) => {
      stop()
      resume(exit)
    }
    const fail = (reason: string) => end(Effect.fail(new RulesWorkFailed({ reason })))
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
    const onError = (error: unknown) => fail(workerFault(error))
    const onExit = () => fail("The thread that reads the rules ended before it was done.")
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

const workerFault = (error: unknown): string =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
    ? "The rules take too much memory: simplify them."
    : `The thread that reads the rules failed: ${error instanceof Error ? error.message : String(error)}`
