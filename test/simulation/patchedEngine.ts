/**
 * Runs seeds with one text of the engine's source replaced, in a thread of its own: Node loads the patched file in place
 * of the one on disk, and everything else as it is.
 */
import { registerHooks } from "node:module"
import { parentPort, workerData } from "node:worker_threads"
import type { FaultProfile } from "@paymux/test-suites/simulation"

export interface Patch {
  /** Below `packages`. */
  readonly file: string
  /** Must stand in the file exactly once. */
  readonly from: string
  readonly to: string
}

/** `firstSeed`, then 1, 2, 3 … until something is noticed. */
export interface PatchedJob {
  readonly patch: Patch
  readonly profile: FaultProfile
  readonly firstSeed: number
  readonly seeds: number
  readonly payments: number
}

/** What was noticed first. `null`: nothing, in any seed. */
export type Noticed = { readonly seed: number; readonly expectation: string; readonly text: string } | null

const { firstSeed, patch, payments, profile, seeds }: PatchedJob = workerData
const file = `/packages/${patch.file}`
let isPatched = false

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    if (!url.endsWith(file)) return loaded
    const parts = textOf(loaded.source).split(patch.from)
    if (parts.length !== 2) throw new Error(`${file} holds "${patch.from}" ${parts.length - 1} times, not once`)
    isPatched = true
    return { ...loaded, source: parts.join(patch.to) }
  }
})

const textOf = (source: unknown): string =>
  typeof source === "string" ? source : source instanceof Uint8Array ? new TextDecoder().decode(source) : ""

const { drawPlan, run, verdictOn } = await import("@paymux/test-suites/simulation")

const look = async (): Promise<Noticed> => {
  if (!isPatched) throw new Error(`${file} was not loaded`)
  for (const seed of [firstSeed, ...Array.from({ length: seeds }, (_, index) => index + 1)]) {
    try {
      const { violations } = verdictOn(await run(drawPlan(seed, { payments, profile })))
      const [found] = violations
      if (found !== undefined) return { seed, expectation: found.expectation, text: found.text }
    } catch (thrown) {
      return { seed, expectation: "the run breaks", text: String(thrown) }
    }
  }
  return null
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
parentPort?.postMessage(await look())
