/** The request log through the library and the commands. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createPaymux } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"
import { startCommands } from "./Commands.ts"
import type { Commands } from "./Commands.ts"
import { card } from "./card.ts"

let folder = ""
let commands: Commands

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "paymux-requests-"))
  commands = startCommands()
})

afterAll(() => {
  commands.stop()
  rmSync(folder, { recursive: true, force: true })
})

const post = (paymux: Paymux, body: object, headers: { readonly [name: string]: string } = {}) =>
  paymux.fetch(
    new Request("http://localhost/v1/payments", {
      method: "POST",
      headers: { authorization: `Bearer ${paymux.testKey}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })
  )

describe("the request log", () => {
  it("lists the calls of the API, and shows one, to its own account and mode", async () => {
    const paymux = await createPaymux({ sandbox: true, database: `sqlite:${join(folder, "paymux.db")}` })
    const created = await post(paymux, card)
    const { id } = (await created.json()) as { readonly id: string }
    const refused = await post(paymux, { ...card, amount: -5, description: "for Asha" })
    await paymux.payments.get(id)
    const { next, data: requests } = await paymux.requests.list()
    assert.isNull(next)
    assert.deepStrictEqual(
      requests.map(({ id, paymentId, status }) => [id, paymentId, status]),
      [
        [refused.headers.get("request-id"), null, 400],
        [created.headers.get("request-id"), id, 201]
      ]
    )
    const [failed] = (await paymux.requests.list({ status: "4xx", problem: "invalid_request" })).data
    const shownInside = await paymux.requests.get(failed?.id ?? "")
    assert.deepInclude(shownInside, {
      request: {
        amount: -5,
        currency: "EUR",
        payment_method: "card",
        payment_method_details: { card: { token: "[text]" } },
        customer: { email: "[text]", phone: "[text]" },
        description: "[text]"
      }
    })
    for (const other of [paymux.forAccount("other"), paymux.forAccount("default", { mode: "live" })]) {
      assert.deepStrictEqual((await other.requests.list()).data, [])
      assert.isNull(await other.requests.get(failed?.id ?? ""))
    }
    // What was not written yet is written now.
    await paymux.close()

    const listed = await commands.run(folder, "requests", "list", "--status", "4xx", "--json")
    assert.deepStrictEqual(JSON.parse(listed.stdout), [failed])
    const page = await commands.run(folder, "requests", "list", "--limit", "1", "--json")
    const [, cursor = ""] = /^There are more: --after (\S+)$/m.exec(page.stderr) ?? []
    const rest = await commands.run(folder, "requests", "list", "--after", cursor, "--json")
    assert.deepStrictEqual([...JSON.parse(page.stdout), ...JSON.parse(rest.stdout)], requests)
    const table = await commands.run(folder, "requests", "list", "--payment", id)
    assert.match(table.stdout, new RegExp(`${requests[1]?.id} +POST +/v1/payments +201`))
    assert.include((await commands.run(folder, "requests", "list", "--until", "1h")).stderr, "No requests.")
    assert.include((await commands.run(folder, "requests", "list", "--after", "x")).stderr, "The cursor must be")
    assert.include((await commands.run(folder, "requests", "list", "--status", "40")).stderr, "--status cannot be")
    assert.notStrictEqual((await commands.run(folder, "requests", "list", "--limit", "101")).code, 0)
    const shown = await commands.run(folder, "requests", "show", failed?.id ?? "")
    assert.deepStrictEqual(JSON.parse(shown.stdout), shownInside)
    const live = await commands.run(folder, "requests", "show", failed?.id ?? "", "--live")
    assert.include(live.stderr, "not found in account default (live mode)")
  })

  it("is empty with requestLog: false, and the option is a boolean", async () => {
    await using paymux = await createPaymux({ sandbox: true, database: ":memory:", requestLog: false })
    assert.strictEqual((await post(paymux, card)).status, 201)
    assert.deepStrictEqual((await paymux.requests.list()).data, [])
    const refusal = await createPaymux({ sandbox: true, requestLog: "no" as never }).then(
      () => "started",
      (error: unknown) => String(error)
    )
    assert.include(refusal, "requestLog must be true or false.")
  })

  it("refuses a query that makes no sense", async () => {
    await using paymux = await createPaymux({ sandbox: true, database: ":memory:" })
    for (const query of [
      { limit: 0 },
      { limit: 101 },
      { from: -1 },
      { until: 1.5 },
      { status: "3xx" },
      { status: 99 },
      { status: Number.NaN },
      { route: 5 },
      { path: "/v1" }
    ]) {
      const error = await paymux.requests.list(query as never).then(
        () => "accepted",
        (reason: unknown) => String(reason)
      )
      assert.include(error, "is not valid", JSON.stringify(query))
    }
    for (const id of ["", "req_none", "req_\u0000", "' OR 1=1 --"]) assert.isNull(await paymux.requests.get(id))
  })
})
