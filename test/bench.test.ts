/** The scripts written by hand do the same work as the engine: else the benches that compare them end with what differs. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { engineBench, engineNames } from "./bench/EngineBench.ts"
import { bodyNames, httpBench } from "./bench/HttpBench.ts"
import { postgresBench } from "./bench/PostgresBench.ts"
import { startServer } from "./bench/Process.ts"
import { samples } from "./bench/Sample.ts"
import { inTurn } from "./support/amount.ts"

const directory = mkdtempSync(join(tmpdir(), "paymux-bench-"))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const once = { rounds: 1, warmUps: 0, paymentsPerSlice: 64, sliceMs: 200, progress: () => undefined }

describe("the benches", () => {
  it("start only scripts that exist", () => {
    const bench = join(import.meta.dirname, "bench")
    const sources = readdirSync(bench, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(join(bench, file), "utf8"))
    const started = sources.flatMap((source) =>
      [...source.matchAll(/(?:start(?:Server)?\(|script: )"([^"]+\.ts)"/g)].map(([, file = ""]) => file)
    )
    assert.isAbove(started.length, 10)
    const missing = started.filter((file) => !existsSync(join(bench, "processes", file)))
    assert.deepStrictEqual(missing, [])
  })

  it("write the same rows on SQLite", async () => {
    const { measured, storage } = await engineBench({ directory, ...once })
    assert.lengthOf(measured, 6)
    for (const { fileBytes, indexEntries, logBytes } of storage) {
      assert.isAbove(logBytes, fileBytes)
      assert.isAbove(indexEntries, 1)
    }
    const entriesOf = (name: string) => Math.round(storage.find((each) => each.name === name)?.indexEntries ?? 0)
    assert.strictEqual(entriesOf(engineNames.grouped), entriesOf(engineNames.concurrent))
    assert.strictEqual(entriesOf(engineNames.groupedKeyed), entriesOf(engineNames.keyed))
  })

  it("write the same rows over HTTP", async () => {
    const samples = inTurn(bodyNames)
    assert.lengthOf(await httpBench({ directory, ...once, samples }), 2 * samples.length + 3)
  })

  it("compare with a service that checks each field, and answers a repeated key once", async () => {
    const { apiKey, close, port } = await startServer("bare.ts", join(directory, "refusals.db"))
    const post = async (body: unknown, key?: string) => {
      const headers = { authorization: `Bearer ${apiKey}`, ...(key !== undefined && { "idempotency-key": key }) }
      const url = `http://127.0.0.1:${port}/v1/payments`
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
      return { status: response.status, text: await response.text() }
    }
    const { body } = samples.card
    const { minimal } = samples
    for (const wrong of [
      { ...body, amount: 0 },
      { ...body, amount: 1.5 },
      { ...body, currency: "inr" },
      { ...body, payment_method: "cash" },
      { ...body, payment_method_details: { upi: {} } },
      { ...body, payment_method_details: { card: { bin: "4111" } } },
      { ...body, customer: { email: "asha", phone: "+919999999999" } },
      { ...body, customer: { email: "asha@example.com", phone: "12" } },
      { ...body, metadata: { order_id: 1 } },
      { ...body, return_url: "http://shop.example" },
      { ...body, unknown: true },
      []
    ]) {
      assert.strictEqual((await post(wrong)).status, 400, JSON.stringify(wrong))
    }
    const first = await post(minimal.body, "key-1")
    assert.strictEqual(first.status, 201)
    assert.deepStrictEqual(await post(minimal.body, "key-1"), first)
    assert.strictEqual((await post(body, "key-1")).status, 409)
    const both = await Promise.all([post(minimal.body, "key-2"), post(minimal.body, "key-2")])
    assert.include(
      ["201 201", "201 409"],
      both
        .map(({ status }) => status)
        .toSorted((a, b) => a - b)
        .join(" ")
    )
    await close()
  })

  it("write the same rows on PostgreSQL", async () => {
    const { measured, storage } = await postgresBench(once)
    assert.lengthOf(measured, 3)
    for (const { heapOnly, logBytes } of storage) {
      assert.isAbove(logBytes, 1_000)
      assert.isAtLeast(heapOnly ?? -1, 0)
    }
  })
})
