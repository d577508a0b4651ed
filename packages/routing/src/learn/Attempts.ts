/**
 * All attempts that a lens (the learning selection of a rule) covers, by provider, segment and start time. Open
 * attempts count by their expected result.
 */
import type { AttemptCount } from "@paymux/core/store"
import { attemptSample } from "./attemptSample.ts"
import { pathOf, scopeOf } from "./Segment.ts"
import type { Segment, Part } from "./Segment.ts"
import type { Lens } from "./Lens.ts"
import { openAs } from "./survivalCurve.ts"
import { survivalCurves } from "./SurvivalCurves.ts"
import { add, attemptsSince, slotOf } from "./Series.ts"
import type { Series, Slot } from "./Series.ts"
import { nodesOf, nodesToAdd, noTree, sweep } from "./segmentTree.ts"

export interface Attempts {
  /** Adds ended attempts. A negative `count` removes them. */
  readonly add: (row: AttemptCount, count: number) => void
  /** Replaces all open attempts by the given ones, which were open at `now`, ms UTC. */
  readonly replaceOpen: (rows: ReadonlyArray<AttemptCount>, now: number) => void
  /** The time series for each level of a segment's path: flow, currency and so on, down to the issuer. */
  readonly of: (provider: string, segment: Segment, path: ReadonlyArray<Part>) => ReadonlyArray<Series | undefined>
  /** The median time from start to success of attempts at a provider with a flow, such as UPI intent, ms. */
  readonly lagOf: (provider: string, flow: string) => number
  /** Counts attempts of a flow at all providers that were started at or after `since`, ms UTC. */
  readonly startedSince: (segment: Segment, flow: Part, since: number) => number
  /** Removes attempts that were started before `since`, ms UTC. */
  readonly forget: (since: number) => void
  /** The number of time series in memory. */
  readonly size: () => number
}

export const attempts = (lens: Lens, slotMs: number): Attempts => {
  const tree = noTree()
  const curves = survivalCurves()
  const wholes = new Map<string, Set<string>>()
  let open: ReadonlyArray<Slot> = []

  const remember = (scope: string, provider: string): void =>
    void wholes.set(scope, (wholes.get(scope) ?? new Set()).add(provider))
  const seriesOf = (row: AttemptCount) => {
    const scope = scopeOf(lens, row)
    remember(scope, row.provider)
    return nodesToAdd(tree, rootOf(row.provider, scope), pathOf(lens, row)).map(({ series }) => series)
  }
  return {
    add: (row, count) => {
      const sample = attemptSample(row.status, row.code)
      if (sample === null) return
      for (const series of seriesOf(row)) add(series, Math.floor(row.slot / slotMs), sample, count)
      const durationMs = row.durationMs ?? 0
      const ended = { at: row.slot + durationMs, durationMs, isSuccess: sample === "success" }
      curves.add(row.provider, flowOf(row), ended, count)
    },
    replaceOpen: (rows, now) => {
      for (const slot of open) {
        slot.openSuccess = 0
        slot.openFailure = 0
        slot.openExpired = 0
      }
      const touched: Array<Slot> = []
      for (const row of rows) {
        const field = fieldOf(row, openAs(curves.of(row.provider, flowOf(row)), now - row.slot - OPEN_SLOT_MS / 2))
        if (field === null) continue
        for (const series of seriesOf(row)) {
          const slot = slotOf(series, Math.floor(row.slot / slotMs))
          slot[field.name] += field.part * row.count
          touched.push(slot)
        }
      }
      open = touched
    },
    of: (provider, segment, path) =>
      nodesOf(tree, rootOf(provider, scopeOf(lens, segment)), path).map((node) => node?.series),
    lagOf: (provider, flow) => curves.of(provider, flow).lagMs,
    startedSince: (segment, flow, since) => {
      const scope = scopeOf(lens, segment)
      let count = 0
      for (const provider of wholes.get(scope) ?? []) {
        const [node] = nodesOf(tree, rootOf(provider, scope), [flow])
        if (node !== undefined) count += attemptsSince(node.series, since, slotMs)
      }
      return count
    },
    forget: (since) => {
      sweep(tree, Math.floor(since / slotMs))
      wholes.clear()
      for (const root of tree.roots.keys()) {
        const end = root.indexOf("\n")
        remember(root.slice(end + 1), root.slice(0, end))
      }
      curves.forget(since)
    },
    size: () => tree.nodes
  }
}

/**
 * The width of the time slots by which open attempts are grouped, ms: one second, since their age reveals an outage.
 */
export const OPEN_SLOT_MS = 1_000

const rootOf = (provider: string, scope: string): string => `${provider}\n${scope}`

export const flowOf = ({ flow, rail }: Pick<Segment, "flow" | "rail">): string => `${rail} ${flow}`

/**
 * The counter for an open attempt, and the fraction to add to it; `null` if the attempt's age is not significant yet.
 */
const fieldOf = (
  { status }: AttemptCount,
  part: number
): { readonly name: "openSuccess" | "openFailure" | "openExpired"; readonly part: number } | null => {
  // An attempt with an unknown outcome counts as failed, since the payer got no response.
  if (status === "unknown") return { name: "openFailure", part: 1 }
  if (part === 0) return null
  if (part > 0) return { name: "openSuccess", part }
  // An open attempt that probably fails counts as expired if it is pending, since the payer did not complete it.
  return { name: status === "pending" ? "openExpired" : "openFailure", part: -part }
}
