/**
 * Runs tasks about rules in worker threads, so that the thread that serves payments does not wait for them: a tangled set
 * of rules takes seconds to check. A task that is interrupted, takes too much memory or too long ends with its thread.
 */
import type { RoutableProvider } from "@paymux/core/routing"
import { BacktestsBusy, RulesWorkFailed } from "@paymux/dashboard"
import type { RulesInvalid } from "@paymux/dashboard"
import { Deferred, Effect, Exit, Option, Semaphore } from "effect"
import type { Worker } from "node:worker_threads"
import type { CheckedFile, UncheckedFile } from "../checkFile.ts"
import { ask, RulesThreadFailed, startWorker } from "./askWorker.ts"
import type { TaskFailure } from "./askWorker.ts"
import type { RulesTask, RulesTasks, TaskName } from "./RulesTask.ts"

type Failure = RulesInvalid | RulesWorkFailed

export interface RulesThread {
  /** One after the other; within 30 seconds, the wait for its turn included. */
  readonly run: <Name extends Exclude<TaskName, "Backtest" | "CheckFile">>(
    name: Name,
    given: RulesTasks[Name]["given"]
  ) => Effect.Effect<RulesTasks[Name]["answer"], Failure>
  /** As `run`, with a failure of its own if no thread finishes in time: the caller can check in its own thread. */
  readonly check: (text: string) => Effect.Effect<RulesTasks["Check"]["answer"], Failure | RulesThreadFailed>
  /** Two at once at most; as long as it takes. `onProgress`: 0 when it begins, up to 1. */
  readonly backtest: (
    given: RulesTasks["Backtest"]["given"],
    onProgress: (done: number) => void
  ) => Effect.Effect<RulesTasks["Backtest"]["answer"], Failure | BacktestsBusy>
  /** In a thread of its own, so that it waits for no draft, and its memory is free again afterwards; within two minutes. */
  readonly checkFile: (file: UncheckedFile) => Effect.Effect<CheckedFile, RulesThreadFailed | RulesWorkFailed>
}

/** `database`: `null` if no other thread can open it. Threads end with the scope. */
const plain = ({ capabilities, formerly, id, mode, retired }: RoutableProvider): RoutableProvider => ({
  capabilities,
  id,
  mode,
  ...(retired !== undefined && { retired }),
  ...(formerly !== undefined && { formerly })
})

export const make = Effect.fnUntraced(function* (providers: ReadonlyArray<RoutableProvider>, database: string | null) {
  const scope = yield* Effect.scope
  const stopping = yield* Deferred.make<never, RulesWorkFailed>()
  // Plain data alone can be copied to another thread.
  const data = { providers: providers.map(plain), database }
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

  const onOwn = <Name extends TaskName>(task: RulesTask<Name>, onProgress: (done: number) => void) =>
    untilStopping(
      Effect.acquireUseRelease(
        startWorker(data),
        (worker) => ask(worker, task, onProgress),
        (worker) => Effect.promise(() => worker.terminate())
      )
    )

  const onKept = <Name extends TaskName>(task: RulesTask<Name>) =>
    Effect.gen(function* () {
      const worker = kept.worker ?? (yield* startWorker(data))
      if (worker !== kept.worker) {
        kept.worker = worker
        worker.once("exit", () => {
          if (kept.worker === worker) kept.worker = null
        })
      }
      kept.tasks++
      return yield* ask(worker, task, () => undefined)
    }).pipe(
      // What ended otherwise than with an answer may have ended its thread, or keep it busy.
      Effect.onExit((exit) => (isAnswer(exit) ? Effect.forkIn(endIfIdle(kept.tasks), scope) : endKept))
    )

  const onShared = <Name extends TaskName>(task: RulesTask<Name>) => untilStopping(inTurn(onKept(task)))

  const endIfIdle = (tasks: number) =>
    Effect.andThen(
      Effect.sleep("1 minute"),
      inTurn(Effect.suspend(() => (kept.tasks === tasks ? endKept : Effect.void)))
    )

  const thread: RulesThread = {
    run: (name, given) => within("30 seconds", mapThreadFailure(onShared({ name, given }))),
    check: (text) =>
      Effect.timeoutOrElse(onShared({ name: "Check", given: { text } }), {
        duration: "30 seconds",
        orElse: () =>
          Effect.fail(new RulesThreadFailed({ reason: "The rules could not be checked within 30 seconds." }))
      }),
    backtest: Effect.fnUntraced(function* (given, onProgress) {
      const work = mapThreadFailure(onOwn({ name: "Backtest", given }, onProgress))
      const done = yield* backtests.withPermitsIfAvailable(1)(work)
      return Option.isSome(done) ? done.value : yield* new BacktestsBusy({ most: MOST_BACKTESTS })
    }),
    checkFile: (file) =>
      within(
        "2 minutes",
        Effect.catchTag(
          onOwn({ name: "CheckFile", given: file }, () => undefined),
          "RulesInvalid",
          Effect.die
        )
      )
  }
  return thread
})

const MOST_BACKTESTS = 2

const within = <A, E>(duration: "30 seconds" | "2 minutes", work: Effect.Effect<A, E>) =>
  Effect.timeoutOrElse(work, {
    duration,
    orElse: () =>
      Effect.fail(new RulesWorkFailed({ reason: `The rules could not be read within ${duration}: simplify them.` }))
  })

/** A caller that asks again does so in a new thread. */
const mapThreadFailure = <A>(work: Effect.Effect<A, TaskFailure>): Effect.Effect<A, Failure> =>
  Effect.catchTag(work, "RulesThreadFailed", ({ reason }) => Effect.fail(new RulesWorkFailed({ reason })))

const isAnswer = (exit: Exit.Exit<unknown, TaskFailure>): boolean =>
  Exit.isSuccess(exit) ||
  exit.cause.reasons.some((reason) => reason._tag === "Fail" && reason.error._tag === "RulesInvalid")
