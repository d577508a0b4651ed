/**
 * Contenders measured side by side: each round runs all of them, in an order that turns from round to round, and ratios
 * are taken within a round. What disturbs the machine for a while then disturbs both sides of a ratio.
 */

export interface Slice {
  readonly payments: number
  /** ms */
  readonly wall: number
  /** µs of CPU, user and system, of every process and thread of the contender. */
  readonly cpu: number
  /** µs of CPU of the database server, where there is one. */
  readonly serverCpu?: number
  /** ms; 99 of 100 took no longer. Where each was timed. */
  readonly p99?: number
}

export interface Contender<A extends Slice = Slice> {
  readonly name: string
  /** A slice of its work, measured. */
  readonly run: () => Promise<A>
}

export interface Measured<A extends Slice = Slice> {
  readonly name: string
  readonly slices: ReadonlyArray<A>
  readonly perSecond: number
  /** µs, without the database server. */
  readonly cpuPerPayment: number
  /** µs; `null`: there is no server, or its CPU is not known. */
  readonly serverCpuPerPayment: number | null
}

/** `warmUps` rounds are run first and left out. */
export const interleave = async <A extends Slice>(
  contenders: ReadonlyArray<Contender<A>>,
  options: {
    readonly rounds: number
    readonly warmUps: number
    readonly progress: (done: number, of: number) => void
  }
): Promise<ReadonlyArray<Measured<A>>> => {
  const { progress, rounds, warmUps } = options
  const slices = contenders.map((): Array<A> => [])
  for (let round = 0; round < warmUps + rounds; round++) {
    progress(round, warmUps + rounds)
    for (let turn = 0; turn < contenders.length; turn++) {
      const index = (round + turn) % contenders.length
      const slice = await contenders[index]?.run()
      if (slice !== undefined && round >= warmUps) slices[index]?.push(slice)
    }
  }
  return contenders.map(({ name }, index) => measured(name, slices[index] ?? []))
}

/** The metric of a ratio: payments per second, per second of CPU (with or without the database server's), or the 99th percentile. */
export type Speed = "throughput" | "cpu" | "ownCpu" | "p99"

/** Median over the rounds of how many times faster `one` was than `other`, with the lowest and the highest. */
export const ratioOf = (one: Measured, other: Measured, speed: Speed = "throughput") => {
  const ratios = one.slices.flatMap((slice, round) => {
    const against = other.slices[round]
    return against === undefined ? [] : [speeds[speed](slice) / speeds[speed](against)]
  })
  return { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) }
}

/** Wall clock and CPU of this process over `work`. */
export const measure = async (payments: number, work: () => Promise<unknown>): Promise<Slice> => {
  const cpuBefore = process.cpuUsage()
  const before = performance.now()
  await work()
  const wall = performance.now() - before
  const { system, user } = process.cpuUsage(cpuBefore)
  return { payments, wall, cpu: user + system }
}

/** The result of `work`, and by how much the counter `used` grew during it. */
export const measureUsage = async <A>(
  used: () => number | Promise<number>,
  work: () => Promise<A>
): Promise<readonly [A, number]> => {
  const before = await used()
  const value = await work()
  return [value, (await used()) - before]
}

const measured = <A extends Slice>(name: string, slices: ReadonlyArray<A>): Measured<A> => ({
  name,
  slices,
  perSecond: median(slices.map(rate)),
  cpuPerPayment: median(slices.map(({ cpu, payments }) => cpu / payments)),
  serverCpuPerPayment: slices.some(({ serverCpu }) => serverCpu === undefined)
    ? null
    : median(slices.map(({ payments, serverCpu = 0 }) => serverCpu / payments))
})

const rate = ({ payments, wall }: Slice): number => payments / (wall / 1000)

const speeds: { readonly [speed in Speed]: (slice: Slice) => number } = {
  throughput: rate,
  cpu: ({ cpu, payments, serverCpu = 0 }) => payments / (cpu + serverCpu),
  ownCpu: ({ cpu, payments }) => payments / cpu,
  p99: ({ p99 = Number.NaN }) => 1 / p99
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
