/**
 * The disk under an SQLite file runs full, and is emptied again. The disk is a small one of its own: a tmpfs in a mount
 * namespace, which ends with the engine.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startChild } from "../ChildProcess.ts"
import { readFindings } from "../Findings.ts"
import { judge } from "../Judge.ts"
import type { Verdict } from "../Judge.ts"
import { makeMerchant } from "../Merchant.ts"
import type { EngineReady, EngineSettings, ToEngine, VendorReady } from "../processes/Protocol.ts"
import { requestOf } from "../Scenarios.ts"
import { readLedger } from "../vendor/Ledger.ts"

export interface DiskFullReport extends Verdict {
  /** Statuses of the answers while the disk was full. */
  readonly whileFull: ReadonlyArray<number>
  /** The status of the first answer after that. */
  readonly afterwards: number
  /** The statuses of `readyz` before the disk was full, while it was, and after that. */
  readonly ready: ReadonlyArray<number>
  /** Answers of the full disk that were others when it was not full any more. */
  readonly changed: ReadonlyArray<string>
  /** With which the engine ended. */
  readonly code: number | null
}

const DISK = "24m"

/** Why a run is not possible here; `null`: it is. */
export const noSmallDisk = (): string | null => {
  const folder = join(tmpdir(), "paymux-crash-disk-probe")
  mkdirSync(folder, { recursive: true })
  const [command = "", ...args] = onSmallDisk(folder)
  const { status } = spawnSync(command, [...args, "true"])
  return status === 0 ? null : "no mount namespace may be made here (unshare --mount)"
}

/** A command that runs the command after it with a small disk at `folder`. */
const onSmallDisk = (folder: string): ReadonlyArray<string> => {
  const asRoot = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]
  const mount = `mount -t tmpfs -o size=${DISK} tmpfs "$0" && exec "$@"`
  return ["unshare", ...asRoot, "--mount", "sh", "-c", mount, folder]
}

export const diskFull = async (): Promise<DiskFullReport> => {
  const started = Date.now()
  const folder = await mkdtemp(join(tmpdir(), "paymux-crash-"))
  const disk = join(folder, "disk")
  mkdirSync(disk)
  const [ledger, kept, filler] = [join(folder, "ledger.jsonl"), join(folder, "kept.db"), join(disk, "filler")]
  const vendor = await startChild<VendorReady>("crashVendor", ledger)
  const settings: EngineSettings = {
    database: `sqlite:${join(disk, "payments.db")}`,
    port: 0,
    vendor: vendor.ready.url,
    clock: { virtual: started, real: started, rate: 20 },
    version: "this",
    keepAt: kept
  }
  const engine = await startChild<EngineReady>("crashEngine", JSON.stringify(settings), onSmallDisk(disk))
  try {
    const base = `http://127.0.0.1:${engine.ready.port}`
    const merchant = makeMerchant({ base: () => base, key: () => engine.ready.key })
    const readyz = async () => (await fetch(`${base}/readyz`)).status
    let number = 0
    const pay = () => merchant.post("/v1/payments", `disk-${number++}`, requestOf({ rail: "upi" }))
    for (let index = 0; index < 50; index++) await pay()

    const before = await readyz()
    const full = engine.next()
    engine.send({ fill: filler } satisfies ToEngine)
    await full
    const whileFull = await untilRefused(base, engine.ready.key)
    const meanwhile = await readyz()

    engine.send({ free: filler } satisfies ToEngine)
    const afterwards = (await pay()).status
    const ready = [before, meanwhile, await readyz()]
    // Who was refused asks again under the same key; who was not is answered the same.
    const changed: Array<string> = []
    for (const [index, first] of whileFull.entries()) {
      const now = await merchant.post("/v1/payments", `full-${index}`, requestOf({ rail: "upi" }))
      if (first.status === 201 && first.body !== now.body) changed.push(`full-${index}: ${first.body}`)
    }
    // What was left in flight meanwhile is found out: a send after 35 s, at the latest.
    await new Promise((resolve) => setTimeout(resolve, 4_000))
    const { code } = await engine.kill("SIGTERM")
    const { answers } = merchant
    const verdict = judge({ ...(await readFindings({ url: `sqlite:${kept}` })), ledger: readLedger(ledger), answers })
    return { ...verdict, whileFull: whileFull.map(({ status }) => status), changed, afterwards, ready, code }
  } finally {
    await engine.kill("SIGKILL")
    await vendor.kill("SIGKILL")
    await rm(folder, { recursive: true, force: true })
  }
}

/** The log has room left in its file: posts until it has not, and then some. */
const untilRefused = async (
  base: string,
  key: string
): Promise<ReadonlyArray<{ readonly status: number; readonly body: string }>> => {
  const answers: Array<{ readonly status: number; readonly body: string }> = []
  while (answers.filter(({ status }) => status === 503).length < 10 && answers.length < 20_000) {
    const response = await fetch(`${base}/v1/payments`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": `full-${answers.length}`
      },
      body: JSON.stringify(requestOf({ rail: "upi" }))
    })
    answers.push({ status: response.status, body: await response.text() })
  }
  return answers
}
