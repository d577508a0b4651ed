/** P17: no card number and no secret in database, log, answer, delivery, metric or span, wherever it was put in. */
import { assert, describe, it } from "@effect/vitest"
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { command } from "../../packages/paymux/test/ServerProcess.ts"
import { fileOfProgram } from "../support/program.ts"
import { bytesOf } from "./mutations/requests.ts"
import type { Ask } from "./mutations/requests.ts"
import { openWire } from "./mutations/Wire.ts"
import type { Reply } from "./mutations/Wire.ts"
import { compactOf, isHeldBy, panOf, secretOf } from "./secrecy/canaries.ts"
import { paying, positions, requesting } from "./secrecy/positions.ts"
import type { Position } from "./secrecy/positions.ts"

const folder = mkdtempSync(join(tmpdir(), "paymux-secrecy-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a provider answers, and what the payment is then. */
const answers = ["vendor code", "vendor code among words", "invalid request", "defect", "no outcome"]
const answerPositions = answers.map((name) => ({
  name: `provider answer: ${name}`,
  canaries: [panOf(`provider answer: ${name}`), secretOf(`provider answer: ${name}`, "sk_live_")],
  ask: paying({ metadata: { case: name } })
}))

const deliveredPositions: ReadonlyArray<Position> = [
  {
    name: "provider answer: credentials",
    canaries: [secretOf("api key of misconfigured", "sk_live_")],
    ask: paying({ currency: "USD" })
  },
  {
    name: "webhook: the content of a signed one",
    canaries: [panOf("webhook: vendor code"), panOf("webhook: event id")],
    ask: requesting("POST", "/webhooks/careless", {}, [["X-Signature", "right"]])
  }
]

/** Everything that was written, by where it was written to. */
const written = new Map<string, string>()
const searched: Array<readonly [name: string, canary: string]> = []

/** Stands in the payment that is accepted: where it is not found, the search would find nothing. */
const MARKER = "a-visible-marker"

/** `Plain` takes the shortest path through HTTP, `traced` that by router and tracer, with a collector. */
const runs = ["plain", "traced"] as const

const collect = async (run: (typeof runs)[number]) => {
  const deliveries: Array<string> = []
  const telemetry: Array<string> = []
  const arrived = Promise.withResolvers<void>()
  const receiver = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("latin1")
      if (request.url?.startsWith("/otlp") === true) {
        telemetry.push(body)
        return response.writeHead(200).end()
      }
      deliveries.push(JSON.stringify(request.headers), body)
      response.writeHead(500).end(`no such order ${panOf("reply of a webhook endpoint")}`)
      if (body.includes(MARKER)) arrived.resolve()
    })
  }).listen(0, "127.0.0.1")
  await once(receiver, "listening")
  // A TCP server's address is never a pipe's name.
  const { port: receiverPort } = receiver.address() as AddressInfo
  const there = `http://127.0.0.1:${receiverPort}`

  const child = fork(
    await fileOfProgram("secrecyServer"),
    [`sqlite:${join(folder, `${run}.db`)}`, `${there}/hook`, run === "traced" ? `${there}/otlp` : ""],
    { stdio: ["ignore", "pipe", "pipe", "ipc"] }
  )
  let log = ""
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (log += chunk.toString()))
  const ended = once(child, "exit")
  // Boundary: the first message of our own process.
  const started = (await Promise.race([
    once(child, "message").then(([said]: ReadonlyArray<unknown>) => said),
    ended.then(() => Promise.reject(new Error(`The server ended:\n${log}`)))
  ])) as { readonly port: number; readonly key: string; readonly revoked: string; readonly endpointSecret: string }

  const wire = openWire(started.port)
  const replies: Array<string> = []
  const ask = async (asked: Ask): Promise<Reply> => {
    const reply = await wire.send(bytesOf(asked, 0, started.key), asked.method)
    replies.push(`${reply.status} ${JSON.stringify(reply.headers)} ${reply.body}`)
    return reply
  }
  const held: string = JSON.parse((await ask(paying({ capture_method: "manual" }))).body).id
  const paid: string = JSON.parse((await ask(paying({ description: MARKER }))).body).id
  const all = [...positions(held, paid, started.revoked), ...answerPositions, ...deliveredPositions]
  for (const position of all) await ask(position.ask)
  await ask(requesting("POST", `/v1/payments/${paid}/refunds`, { amount: 1 }))
  await ask(requesting("GET", "/v1/payments?limit=100"))
  await ask(requesting("GET", `/v1/payments/${paid}/refunds`))
  const token = ["Authorization", `Bearer ${secretOf("metrics token in use")}`] as const
  const metrics = await ask(requesting("GET", "/metrics", null, [token]))
  await ask(requesting("GET", "/v1/openapi.json"))
  await arrived.promise
  wire.close()
  child.send({})
  await ended
  receiver.close()
  receiver.closeAllConnections()

  written.set(`${run}: logs`, log)
  written.set(`${run}: answers`, replies.join("\n"))
  written.set(`${run}: deliveries`, deliveries.join("\n"))
  written.set(`${run}: metrics`, metrics.body)
  written.set(`${run}: telemetry`, telemetry.join("\n"))
  for (const { canaries, name } of all) for (const canary of canaries) searched.push([name, canary])
  searched.push(
    ["API key in use", started.key],
    ["secret of an endpoint", started.endpointSecret.slice("whsec_".length)],
    ["secret of the server", secretOf("server secret")],
    ["metrics token in use", secretOf("metrics token in use")],
    ["collector's key", secretOf("collector's key")],
    ["provider's API key", secretOf("api key of careless", "sk_live_")],
    ["secret over which an adapter breaks", secretOf("webhook secret", "whsec_")],
    ["reply of a webhook endpoint", panOf("reply of a webhook endpoint")],
    ["vendor code of a refund", panOf("vendor code of a refund")]
  )
}

beforeAll(async () => {
  for (const run of runs) await collect(run)
  for (const file of readdirSync(folder)) written.set(file, readFileSync(join(folder, file), "latin1"))
})

describe("canaries", () => {
  it("were put into 100 positions and are found nowhere", () => {
    assert.isAtLeast(new Set(searched.map(([name]) => name)).size, 100)
    const compact = new Map([...written].map(([place, text]) => [place, compactOf(text)] as const))
    const found = searched.flatMap(([name, canary]) =>
      [...written].flatMap(([place, text]) =>
        isHeldBy(text, compact.get(place) ?? "", canary) ? [`${name} is in ${place}`] : []
      )
    )
    assert.deepStrictEqual(found, [])
  })

  it("would be found: what is no secret is in database, answers, deliveries and logs", () => {
    for (const run of runs) {
      const holding = [...written].flatMap(([place, text]) =>
        place.startsWith(run) && text.includes(MARKER) ? [place] : []
      )
      assert.includeMembers(holding, [`${run}: answers`, `${run}: deliveries`])
      assert.isTrue(holding.some((place) => place.startsWith(`${run}.db`)))
      assert.include(written.get(`${run}: logs`), "Adapter failed with a defect")
      assert.include(written.get(`${run}: metrics`), "paymux_")
    }
    assert.include(written.get("traced: telemetry"), "paymux.payment.create")
    const pan = panOf("a test of the search")
    for (const hidden of [pan, pan.replace(/(.{4})/g, "$1 "), Buffer.from(`x ${pan}`).toString("base64")]) {
      assert.isTrue(isHeldBy(hidden, compactOf(hidden), pan), hidden)
    }
  })

  it("are not in what a command says that refuses its configuration", async () => {
    const secret = secretOf("command")
    const refused = [
      ["serve", "--database", `mysql://user:${secret}@localhost/payments`],
      ["serve", "--sandbox", "--database", `postgres://user:${secret}@127.0.0.1:1/payments`],
      ["migrate", "--database", `postgres://user:${secret}@127.0.0.1:1/payments`],
      ["serve", "--sandbox", "--public-url", `ftp://user:${secret}@example.com`],
      ["keys", "revoke", secret]
    ]
    for (const args of refused) {
      const { code, stderr, stdout } = await command(folder, ...args)
      assert.notStrictEqual(code, 0, args.join(" "))
      assert.notInclude(stdout + stderr, secret, args.join(" "))
    }
  })
})
