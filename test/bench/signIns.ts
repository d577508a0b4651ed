/**
 * How much a flood of sign-ins with wrong passwords, each from another address, slows payments down: creates per second without
 * it, divided by those during it, in rounds side by side on one server with SQLite. Ends with 1 when the bound is not met.
 *
 * - `pnpm bench sign-ins`. `--per-second <n>`: sign-ins; default 100. `--rounds <n>`: default 6.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { Agent, request as send } from "node:http"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { startLoad, startServer } from "./Process.ts"
import type { Server } from "./Process.ts"
import { interleave, median } from "./Rounds.ts"
import { request } from "./Sample.ts"

const { values } = parseArgs({
  options: { "per-second": { type: "string", default: "100" }, rounds: { type: "string", default: "6" } }
})

const bound = 2
/** ms */
const ROUND = 10_000

/** Sends sign-ins at a steady rate, whatever becomes of them, and counts their answers by status. */
const startFlood = ({ port }: Server, perSecond: number) => {
  const agent = new Agent({ keepAlive: true })
  const answers = new Map<number, number>()
  let sent = 0
  const one = () => {
    sent += 1
    const headers = {
      origin: `http://localhost:4310`,
      "content-type": "application/json",
      "x-forwarded-for": `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`
    }
    const options = { port, host: "127.0.0.1", path: "/dashboard/api/sign-in/password", method: "POST", agent, headers }
    const outgoing = send(options, (response) => {
      const status = response.statusCode ?? 0
      answers.set(status, (answers.get(status) ?? 0) + 1)
      response.resume()
    })
    // Those that wait are cut off at the end of a round.
    outgoing.on("error", () => undefined)
    outgoing.end(JSON.stringify({ email: `person${sent}@example.com`, password: "a wrong password" }))
  }
  const timer = setInterval(one, 1000 / perSecond)
  return {
    answers,
    stop: () => {
      clearInterval(timer)
      agent.destroy()
    }
  }
}

const directory = mkdtempSync(join(tmpdir(), "paymux-sign-ins-"))
const server = await startServer("signIns.ts", `sqlite:${join(directory, "payments.db")}`)
const load = startLoad()
console.log(`${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? "unknown CPU"}`)

const creates = async () => {
  const before = await server.cpu()
  const { answers, p99, wall } = await load.run({
    apiKey: server.apiKey,
    port: server.port,
    path: "/v1/payments",
    body: JSON.stringify(request),
    expected: 201,
    connections: 8,
    duration: ROUND
  })
  return { payments: answers, wall, p99, cpu: (await server.cpu()) - before }
}

try {
  const calm = { name: "without a flood", run: creates }
  const flooded = {
    name: "during a flood",
    run: async () => {
      const flood = startFlood(server, Number(values["per-second"]))
      await sleep(2_000)
      const slice = await creates()
      flood.stop()
      console.log(`answers to sign-ins: ${[...flood.answers].map(([status, n]) => `${n} × ${status}`).join(", ")}`)
      // The pause after the last hash.
      await sleep(5_000)
      return slice
    }
  }
  const [without, during] = await interleave([calm, flooded], {
    rounds: Number(values.rounds),
    warmUps: 1,
    progress: () => undefined
  })
  if (without === undefined || during === undefined) throw new Error("A side was not measured")
  const perSecond = ({ payments, wall }: { readonly payments: number; readonly wall: number }) => payments / wall
  const ratios = without.slices.map((slice, round) => {
    const other = during.slices[round]
    return other === undefined ? Number.NaN : perSecond(slice) / perSecond(other)
  })
  for (const { name, perSecond: rate } of [without, during])
    console.log(`${name.padEnd(16)} ${rate.toFixed(0)} creates/s`)
  const ratio = median(ratios)
  console.log(`creates are slower by ${ratio.toFixed(2)} ×, at most ${bound}${ratio <= bound ? "" : ": NOT MET"}`)
  if (!(ratio <= bound)) process.exitCode = 1
} finally {
  await load.close()
  await server.close()
  rmSync(directory, { recursive: true, force: true })
}
