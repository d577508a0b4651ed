/** The thread that writes: runs batches of commits on a connection of its own, each in one transaction, in their order. */
import { parentPort, workerData } from "node:worker_threads"
import { identityOf } from "../fileIdentity.ts"
import { openDatabase } from "../openDatabase.ts"
import { statementCache } from "../statementCache.ts"
import { runSteps } from "../steps.ts"
import type { RunnableStep } from "../steps.ts"
import { transactions } from "../transactions.ts"
import { decodeCommits } from "./messages.ts"
import type { CommitEnd, FromWriter, ToWriter, WriteFailure, WriterData } from "./messages.ts"

// Boundary: `Writer` starts this thread with such data, and sends it such messages.
const { busyTimeoutMs, file, filename } = workerData as WriterData

const requireSameFile = () => {
  const found = identityOf(filename)
  if (found?.device === file.device && found.inode === file.inode) return
  throw new Error(`${filename} is another file than the one that the event loop has open`)
}

// The file's identity is checked before and after it is opened, because SQLite would create a missing file.
requireSameFile()
const db = openDatabase({ filename, busyTimeoutMs })
requireSameFile()
const prepare = statementCache(db)
const runBatch = transactions(db)
const texts: Array<string> = []

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const post = (message: FromWriter): void => parentPort?.postMessage(message)

const write = (commits: ReadonlyArray<ReadonlyArray<RunnableStep>>): ReadonlyArray<CommitEnd> => {
  const ends: Array<CommitEnd> = commits.map(() => null)
  runBatch(
    commits.map((steps, index) => ({
      run: () => {
        const stop = runSteps(prepare, steps)
        ends[index] = stop === null ? null : { _tag: "Stopped", ...stop }
      },
      fail: (cause) => {
        ends[index] = failureOf(cause)
      }
    }))
  )
  return ends
}

const failureOf = (cause: unknown): WriteFailure => {
  const { code, errcode } =
    typeof cause === "object" && cause !== null ? (cause as NodeJS.ErrnoException & { errcode?: unknown }) : {}
  return {
    _tag: "Failed",
    message: cause instanceof Error ? cause.message : String(cause),
    code: typeof code === "string" ? code : null,
    errcode: typeof errcode === "number" ? errcode : null
  }
}

parentPort?.on("message", (message: ToWriter) => {
  if (message._tag === "Close") {
    db.close()
    parentPort?.close()
    return
  }
  texts.push(...message.texts)
  post({ _tag: "Written", id: message.id, ends: write(decodeCommits(message.commits, texts)) })
  // A transaction that stays open would lock out the event loop.
  if (db.isTransaction) throw new Error("A transaction could not be ended")
})
post({ _tag: "Ready" })
