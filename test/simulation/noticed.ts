/** Hands a patched engine to a thread and waits for what the simulation notices. */
import { Worker } from "node:worker_threads"
import type { Noticed, PatchedJob } from "./patchedEngine.ts"

export const noticed = (job: PatchedJob): Promise<Noticed> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./patchedEngine.ts", import.meta.url), { workerData: job })
    worker.once("message", resolve)
    worker.once("error", reject)
    worker.once("exit", (code) => reject(new Error(`The thread ended with ${code} and said nothing`)))
  })
