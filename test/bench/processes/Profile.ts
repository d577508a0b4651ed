/** CPU time of a server by part: samples of its main thread's stack by package or part of Node, and all other threads together. */
import { Session } from "node:inspector/promises"
import type { Profiler } from "node:inspector"
import type { Parts } from "./Protocol.ts"

export interface Profile {
  /** µs of CPU by part, in proportion to the samples. Includes the cost of sampling. */
  readonly end: () => Promise<Parts>
}

export const beginProfile = async (): Promise<Profile> => {
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.setSamplingInterval", { interval: 500 })
  await session.post("Profiler.start")
  const before = { thread: process.threadCpuUsage(), process: process.cpuUsage() }
  return {
    end: async () => {
      const own = sum(process.threadCpuUsage(before.thread))
      const all = sum(process.cpuUsage(before.process))
      const { profile } = await session.post("Profiler.stop")
      session.disconnect()
      const parts = partsOf(profile)
      // A sample counts the time in which another process had the core, too.
      const scale = own / Object.values(parts).reduce((total, time) => total + time, 0)
      const scaled = Object.entries(parts).map(([part, time]) => [part, time * scale] as const)
      return Object.fromEntries([...scaled, [otherThreads, all - own]])
    }
  }
}

const otherThreads = "other threads: commits, compiler, collector"
const sum = ({ system, user }: NodeJS.CpuUsage): number => system + user

/** By the clock, without the time in which the thread was idle. */
const partsOf = ({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Parts => {
  const parents = new Map(nodes.flatMap(({ children = [], id }) => children.map((child) => [child, id])))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const found = new Map<number, string>()
  const partOf = (id: number): string => {
    const known = found.get(id)
    if (known !== undefined) return known
    const parent = parents.get(id)
    const { functionName = "", url = "" } = byId.get(id)?.callFrame ?? {}
    // A native function belongs to the part that called it.
    const part =
      url !== "" ? partOfUrl(url) : (special[functionName] ?? (parent === undefined ? other : partOf(parent)))
    found.set(id, part)
    return part
  }
  const parts: { [part: string]: number } = {}
  for (const [index, sample] of samples.entries()) {
    const part = partOf(sample)
    if (part !== idle) parts[part] = (parts[part] ?? 0) + (timeDeltas[index] ?? 0)
  }
  return parts
}

const idle = "not counted"
const other = "Node: outside of JavaScript"

const special: { readonly [functionName: string]: string } = {
  "(idle)": idle,
  "(program)": other,
  "(root)": other,
  "(garbage collector)": "garbage collector"
}

const partOfUrl = (url: string): string => {
  // The profiler itself, as it begins and ends.
  if (url === "node:inspector") return idle
  const [, own] = /\/packages\/((?:adapters\/)?[^/]+)\//.exec(url) ?? []
  if (own !== undefined && !url.includes("/node_modules/")) return own
  const [, library] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? []
  if (library !== undefined) return library
  if (/^node:(?:_http|internal\/http|net|internal\/net|internal\/stream|stream|_stream|events|internal\/url)/.test(url))
    return "Node: HTTP and sockets"
  if (/^node:(?:internal\/process\/|internal\/timers|timers|internal\/async)/.test(url))
    return "Node: promises and timers"
  if (/^node:(?:internal\/crypto|crypto)/.test(url)) return "Node: cryptography"
  return url.startsWith("node:") ? "Node: the rest" : "the benchmark"
}
