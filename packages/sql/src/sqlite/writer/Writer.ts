/**
 * A thread that writes commits, while the event loop continues with other work. The thread is started at the first use,
 * and is not restarted after it was lost.
 *
 * Gotchas: the thread has a connection of its own. If the event loop writes at the same time, its `BEGIN IMMEDIATE`
 * blocks the event loop until the thread has written.
 */
import { Effect } from "effect"
import { Worker } from "node:worker_threads"
import type { RunnableStep, Stop } from "../steps.ts"
import { encodeCommits } from "./messages.ts"
import type { CommitEnd, FromWriter, ToWriter, WriteFailure, WriterData } from "./messages.ts"

/** A commit that the thread writes. Either `done` or `fail` is called, once. */
export interface WrittenCommit {
  readonly steps: ReadonlyArray<RunnableStep>
  /** Called when the commit is on the disk, unless a need was not met. */
  readonly done: (stop: Stop | null) => void
  /**
   * Called when the commit failed. `WriterLost`: the commit may or may not be on the disk. Any other cause: it is not
   * on the disk.
   */
  readonly fail: (cause: unknown) => void
}

export interface Writer {
  /** Whether commits can be sent to the thread; the first call starts the thread. */
  readonly isReady: () => boolean
  /** Sends the commits as one transaction. `settled` is called after the commits, in a later turn. */
  readonly send: (commits: ReadonlyArray<WrittenCommit>, settled: () => void) => void
  /** Waits until the thread has written its batches, and ends the thread. */
  readonly close: Effect.Effect<void>
}

/** Error: the thread ended, or did not answer in time. Its last batches may or may not be on the disk. */
export class WriterLost extends Error {
  override readonly name = "WriterLost"
}

export interface WriterOptions extends WriterData {
  /** The time limit for a batch from its sending, ms: the thread is ended if a batch takes longer. */
  readonly deadlineMs: number
  /** Called once, with the reason: the thread could not be started, ended, or exceeded the time limit. */
  readonly onLost?: (reason: string) => void
  /** The module of the thread. Default: the one beside this module, in the sources and in the package. */
  readonly module?: URL
}

/** The time to wait for the end of the thread, ms. */
const patience = 1_000

export const make = ({ deadlineMs, module, onLost, ...data }: WriterOptions): Writer => {
  const sent = new Map<number, Sent>()
  const numbers = new Map<string, number>()
  /** The SQL texts that the thread does not know yet: each gets the next number. */
  let fresh: Array<string> = []
  let state: State = { _tag: "New" }
  let batches = 0

  const start = (): State => {
    try {
      const worker = new Worker(module ?? besideThis(), { workerData: data satisfies WriterData, execArgv })
      worker.unref()
      worker.on("message", received)
      worker.on("error", (error) => lose(error instanceof Error ? error.message : String(error)))
      worker.on("exit", () => lose("it ended"))
      return { _tag: "Starting", worker }
    } catch (cause) {
      // The start of the thread failed: the platform is out of memory, or does not permit a thread.
      onLost?.(String(cause))
      return { _tag: "Gone" }
    }
  }

  const received = (message: FromWriter) => {
    if (message._tag === "Ready") {
      if (state._tag === "Starting") state = { _tag: "Ready", worker: state.worker }
      return
    }
    settle(message.id, (commit, index) => end(commit, message.ends[index]))
  }

  const settle = (id: number, each: (commit: WrittenCommit, index: number) => void) => {
    const batch = sent.get(id)
    if (batch === undefined) return
    sent.delete(id)
    clearTimeout(batch.timer)
    batch.commits.forEach(each)
    batch.settled()
  }

  const failAll = (cause: Error) => {
    for (const id of sent.keys()) settle(id, ({ fail }) => fail(cause))
  }

  const lose = (reason: string) => {
    if (state._tag !== "Starting" && state._tag !== "Ready") return
    const { worker } = state
    state = { _tag: "Gone" }
    onLost?.(reason)
    // The commits fail only when the thread is gone: until then, it may still write its batches.
    void soon(worker.terminate()).finally(() => failAll(new WriterLost(`The thread that writes was lost: ${reason}`)))
  }

  const numberOf = (sql: string): number => {
    const known = numbers.get(sql)
    if (known !== undefined) return known
    fresh.push(sql)
    numbers.set(sql, numbers.size)
    return numbers.size - 1
  }

  const write = (id: number, commits: ReadonlyArray<WrittenCommit>): void => {
    if (state._tag !== "Ready") throw new Error("The thread that writes is not ready")
    const encoded = encodeCommits(
      commits.map(({ steps }) => steps),
      numberOf
    )
    post(state.worker, { _tag: "Batch", id, texts: fresh, commits: encoded })
    fresh = []
  }

  return {
    isReady: () => {
      if (state._tag === "New") state = start()
      return state._tag === "Ready"
    },
    send: (commits, settled) => {
      const id = ++batches
      // The timer keeps the process alive: a process that waits only for the thread would otherwise end.
      const timer = setTimeout(() => lose(`it did not answer for ${deadlineMs} ms`), deadlineMs)
      sent.set(id, { commits, settled, timer })
      try {
        write(id, commits)
      } catch (cause) {
        // The message was not sent, so none of its commits were written.
        setImmediate(() => settle(id, ({ fail }) => fail(cause)))
      }
    },
    close: Effect.promise(async () => {
      if (state._tag === "Starting" || state._tag === "Ready") {
        const { worker } = state
        state = { _tag: "Gone" }
        // The thread reads messages in order, so batches that were sent before are written first.
        const ended = new Promise((resolve) => worker.once("exit", resolve))
        post(worker, { _tag: "Close" })
        await soon(ended)
        await soon(worker.terminate())
      }
      state = { _tag: "Gone" }
      failAll(new WriterLost("The thread that writes was ended before it had answered"))
    })
  }
}

type State = { readonly _tag: "New" | "Gone" } | { readonly _tag: "Starting" | "Ready"; readonly worker: Worker }

interface Sent {
  readonly commits: ReadonlyArray<WrittenCommit>
  readonly settled: () => void
  readonly timer: NodeJS.Timeout
}

/** Disables the warning that `node:sqlite` causes in each thread on Node 22. */
const execArgv = ["--disable-warning=ExperimentalWarning"]

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const post = (worker: Worker, message: ToWriter): void => worker.postMessage(message)

/** Waits a limited time for the end of the thread. */
const soon = async (end: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, patience)
  })
  await Promise.race([end, late])
  clearTimeout(timer)
}

const besideThis = () =>
  new URL(import.meta.url.endsWith(".ts") ? "./WriterThread.ts" : "./WriterThread.js", import.meta.url)

const end = (commit: WrittenCommit, ended: CommitEnd | undefined): void => {
  if (ended === undefined) return commit.fail(new WriterLost("The thread that writes did not answer for every commit"))
  if (ended === null) return commit.done(null)
  if (ended._tag === "Stopped") return commit.done(ended)
  return commit.fail(errorOf(ended))
}

/** The error as `node:sqlite` threw it in the thread. */
const errorOf = ({ code, errcode, message }: WriteFailure): Error =>
  Object.assign(new Error(message), code === null ? {} : { code }, errcode === null ? {} : { errcode })
