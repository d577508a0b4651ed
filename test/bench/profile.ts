/**
 * CPU time of `POST /v1/payments` on SQLite by package and part of Node, for each of the four bodies: µs for each payment, and the
 * share of the whole.
 *
 * `pnpm bench profile [--seconds <n>]`: of load for each body, after as many to warm up. Default: 10.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { bodyNames, connections } from "./HttpBench.ts"
import { startLoad, startServer } from "./Process.ts"
import type { Parts } from "./processes/Protocol.ts"
import { samples } from "./Sample.ts"
import type { SampleName } from "./Sample.ts"

const { values } = parseArgs({ options: { seconds: { type: "string", default: "10" } } })
const duration = 1000 * Number(values.seconds)

const profileOf = async (directory: string, sample: SampleName): Promise<Parts> => {
  const server = await startServer("paymux.ts", join(directory, `${sample}.db`))
  const load = startLoad()
  try {
    const { body, keyed } = samples[sample]
    const { apiKey, port } = server
    const run = () =>
      load.run({
        apiKey,
        port,
        path: "/v1/payments",
        body: JSON.stringify(body),
        keyed,
        expected: 201,
        connections,
        duration
      })
    await run()
    await server.beginProfile()
    const { answers } = await run()
    const parts = await server.endProfile()
    return Object.fromEntries(Object.entries(parts).map(([part, time]) => [part, time / answers]))
  } finally {
    await Promise.all([server.close(), load.close()])
  }
}

const directory = mkdtempSync(join(tmpdir(), "paymux-bench-profile-"))
try {
  const profiles: Array<readonly [sample: SampleName, parts: Parts]> = []
  for (const sample of bodyNames) profiles.push([sample, await profileOf(directory, sample)])
  const totals = profiles.map(([, parts]) => Object.values(parts).reduce((sum, time) => sum + time, 0))
  const [, first = {}] = profiles[0] ?? []
  const names = new Set([
    ...Object.entries(first)
      .toSorted(([, one], [, another]) => another - one)
      .map(([part]) => part),
    ...profiles.flatMap(([, parts]) => Object.keys(parts))
  ])
  const line = (name: string, times: ReadonlyArray<number>) =>
    console.log(
      name.padEnd(46) +
        times
          .map((time, index) =>
            `${time.toFixed(0)} µs ${((100 * time) / (totals[index] ?? 1)).toFixed(0)} %`.padStart(16)
          )
          .join("")
    )
  console.log(`${process.version}, ${cpus()[0]?.model ?? "unknown CPU"}, ${connections} connections\n`)
  console.log("".padEnd(46) + profiles.map(([sample]) => sample.padStart(16)).join(""))
  for (const name of names)
    line(
      name,
      profiles.map(([, parts]) => parts[name] ?? 0)
    )
  line("together", totals)
} finally {
  rmSync(directory, { recursive: true, force: true })
}
