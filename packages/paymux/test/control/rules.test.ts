/** Routing rules over the control API: versions, drafts and backtests. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { card } from "../card.ts"
import { ask, controlServer } from "./ControlServer.ts"
import type { ControlServer } from "./ControlServer.ts"

const member = (name: string, account: string | null) => ({
  id: `usr_${name}`,
  name: `${name}@shop.example`,
  memberships: [{ account, modes: ["test" as const, "live" as const], role: "owner" as const }],
  authenticatedAt: Date.now()
})
const viewer = {
  ...member("vera", null),
  memberships: [{ account: null, modes: ["test" as const], role: "viewer" as const }]
}
const people = { asha: member("asha", null), ravi: member("ravi", null), other: member("other", "shop_b"), viewer }

/** Card payments go to the provider with this letter. */
const rules = (letter: "a" | "b", remark = "") => `# Cards ${remark}
version: 1
rules:
  - name: to ${letter}
    when: { payment_method: card }
    choose: { priority: [sandbox_card_${letter}] }
default: { priority: [sandbox_card_a, sandbox_upi_a] }
`

interface Asked {
  readonly as?: keyof typeof people
  readonly method?: string
  readonly body?: unknown
  readonly from?: number
}

const asker =
  (server: ControlServer) =>
  async (path: string, { as = "asha", body, from, method = body === undefined ? "GET" : "POST" }: Asked = {}) => {
    const response = await ask(server, {
      path: `/dashboard/api/${path}`,
      as,
      method,
      body,
      headers: from === undefined ? {} : { "if-match": `"${from}"` }
    })
    return { status: response.status, etag: response.headers.get("etag"), body: JSON.parse(await response.text()) }
  }

const folder = mkdtempSync(join(tmpdir(), "paymux-control-rules-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("routing rules over the control API", () => {
  let server: ControlServer
  let answer: ReturnType<typeof asker>
  beforeAll(async () => {
    const initial = join(folder, "initial.yaml")
    writeFileSync(initial, rules("a"))
    const database = `sqlite:${join(folder, "rules.db")}`
    server = await controlServer(people, { database, routing: { source: "database", initial } })
    answer = asker(server)
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it("of two publications from one version one wins, and the other gets the difference; a rollback restores", async () => {
    const before = await answer("shop_a/test/rules")
    assert.deepStrictEqual([before.status, before.etag, before.body.text], [200, '"1"', rules("a")])
    const publish = (as: "asha" | "ravi") =>
      answer("shop_a/test/rules/publish", { as, from: 1, body: { text: rules("b", as), note: `of ${as}` } })
    const [won, lost] = (await Promise.all([publish("asha"), publish("ravi")])).toSorted((a, b) => a.status - b.status)
    assert.deepStrictEqual([won?.status, won?.etag, won?.body.version], [200, '"2"', 2])
    assert.deepStrictEqual([lost?.status, lost?.body.code, lost?.body.current.version], [409, "version_conflict", 2])
    const present = await answer("shop_a/test/rules/versions/2")
    const [winner, loser] = present.body.text.includes("asha") ? ["asha", "ravi"] : ["ravi", "asha"]
    assert.include(lost?.body.current.diff, `-# Cards ${winner}\n+# Cards ${loser}\n`)
    assert.deepInclude(present.body, { note: `of ${winner}`, author: { ...present.body.author, id: `usr_${winner}` } })

    // As in the audit log, email addresses are for owners.
    assert.strictEqual(present.body.author.name, `${winner}@shop.example`)
    for (const path of ["versions/2", "versions", ""]) {
      const shown = await answer(`shop_a/test/rules${path === "" ? "" : "/"}${path}`, { as: "viewer" })
      assert.strictEqual(shown.status, 200)
      assert.include(JSON.stringify(shown.body), `usr_${winner}`)
      assert.notInclude(JSON.stringify(shown.body), "@shop.example")
    }

    const restored = await answer("shop_a/test/rules/rollback", { from: 2, body: { version: 1, note: "too dear" } })
    assert.deepStrictEqual([restored.status, restored.etag, restored.body.restores], [200, '"3"', 1])
    const now = await answer("shop_a/test/rules")
    assert.deepStrictEqual([now.body.text, now.body.inForce], [rules("a"), now.body.ruleset])

    const first = await answer("shop_a/test/rules/versions?limit=2")
    const second = await answer(`shop_a/test/rules/versions?limit=2&after=${first.body.next}`)
    assert.deepStrictEqual(
      [...first.body.data, ...second.body.data].map(({ version }) => version),
      [3, 2, 1]
    )
    assert.isNull(second.body.next)
    assert.include((await answer("shop_a/test/rules/diff?from=1&to=2")).body.diff, `-# Cards \n+# Cards ${winner}\n`)
    const { entries } = await server.of({ account: "shop_a", livemode: false }).auditLog.list()
    assert.deepStrictEqual(entries.map(({ action, actor }) => [action, actor.id]).slice(0, 2), [
      ["routing.rollback", "usr_asha"],
      ["routing.publish", `usr_${winner}`]
    ])
  })

  it("refuse what cannot be published with its line and column, and change nothing", async () => {
    const { body } = await answer("shop_a/test/rules")
    const from: number = body.version
    const path = "shop_a/test/rules/publish"
    const invalid = await answer(path, { from, body: { text: rules("b").replace("card_b", "cart_b") } })
    assert.deepStrictEqual([invalid.status, invalid.body.code], [400, "invalid_request"])
    assert.deepInclude(invalid.body.errors[0], { pointer: "/text", line: 6 })
    const conflict = await answer(path, { from: from + 1, body: { text: rules("b") } })
    assert.strictEqual(conflict.body.code, "version_conflict")
    const { Problem } = (await answer("openapi.json")).body.components.schemas
    for (const problem of [invalid.body, conflict.body]) {
      assert.containsAllKeys(Problem.properties, Object.keys(problem))
      for (const error of problem.errors)
        assert.containsAllKeys(Problem.properties.errors.items.properties, Object.keys(error))
    }
    assert.isNumber(invalid.body.errors[0].column)
    const without = await answer(path, { body: { text: rules("b") } })
    assert.deepStrictEqual([without.status, without.body.code], [428, "precondition_required"])
    const same = await answer(path, { from, body: { text: body.text } })
    assert.deepStrictEqual([same.status, same.body.code], [409, "conflict"])
    const note = await answer(path, { from, body: { text: rules("b"), note: "x".repeat(501) } })
    assert.deepStrictEqual([note.status, note.body.errors[0].pointer], [400, "/note"])
    const long = await answer(path, { from, body: { text: `${rules("b")}# ${"x".repeat(530_000)}` } })
    assert.deepStrictEqual([long.status, long.body.code], [400, "invalid_request"])
    const tooLong = await answer(path, { from, body: { text: "x".repeat(620_000) } })
    assert.strictEqual(tooLong.status, 413)
    const unknown = await answer("shop_a/test/rules/rollback", { from, body: { version: 99 } })
    assert.deepStrictEqual([unknown.status, unknown.body.code], [404, "not_found"])
    assert.strictEqual((await answer("shop_a/test/rules")).body.version, from)
  })

  it("publish a draft that rejects payments only if that is accepted, and say so in the audit log", async () => {
    const from: number = (await answer("shop_a/test/rules")).body.version
    const text = `${rules("b").replace("[sandbox_card_a, ", "[")}exclude: [sandbox_card_b]\n`
    const checked = await answer("shop_a/test/rules/check", { body: { text } })
    assert.deepInclude(checked.body, { valid: false, acceptable: true })
    assert.deepInclude(checked.body.problems[0], { line: 8, column: 11 })
    const path = "shop_a/test/rules/publish"
    const refused = await answer(path, { from, body: { text } })
    assert.deepStrictEqual([refused.status, refused.body.code], [400, "invalid_request"])
    assert.match(JSON.stringify(refused.body.errors), /acceptNoRoute.*has no provider for a payment such as/)
    const wrong = await answer(path, { from, body: { text, acceptNoRoute: "yes" } })
    assert.deepStrictEqual([wrong.status, wrong.body.errors[0].pointer], [400, "/acceptNoRoute"])
    const published = await answer(path, { from, body: { text, acceptNoRoute: true } })
    assert.strictEqual(published.body.version, from + 1)
    const [entry] = (await answer("shop_a/test/audit?limit=1")).body.data
    assert.deepInclude(entry.after, { version: from + 1, acceptedNoRoute: true })
    const back = await answer("shop_a/test/rules/rollback", { from: from + 1, body: { version: from } })
    assert.strictEqual(back.body.version, from + 2)
  })

  it("check a draft, and explain a payment and a request", async () => {
    assert.deepInclude((await answer("shop_a/test/rules/check", { body: { text: rules("b") } })).body, {
      valid: true,
      rules: 1
    })
    const checked = await answer("shop_a/test/rules/check", { body: { text: "version: 2" } })
    assert.deepStrictEqual([checked.status, checked.body.valid], [200, false])
    const { id } = await server.of({ account: "shop_a", livemode: false }).payments.create(card)
    const explain = (body: unknown, account = "shop_a", as: "asha" | "other" = "asha") =>
      answer(`${account}/test/rules/explain`, { as, body })
    const stored = await explain({ paymentId: id })
    assert.deepStrictEqual(
      stored.body,
      await server.of({ account: "shop_a", livemode: false }).rules.explain({ paymentId: id })
    )
    const drafted = await explain({ request: card, text: rules("b") })
    assert.strictEqual(drafted.body.explanation.answer.candidates[0].provider, "sandbox_card_b")
    assert.strictEqual((await explain({ paymentId: id }, "shop_b", "other")).status, 404)
    for (const [body, pointer] of [
      [{}, "/paymentId"],
      [{ paymentId: id, request: card }, "/paymentId"],
      [{ paymentId: id, at: 5 }, "/paymentId"],
      [{ request: { ...card, amount: "x" } }, "/request/amount"]
    ] as const) {
      const refused = await explain(body)
      assert.deepStrictEqual([refused.status, refused.body.errors[0].pointer], [400, pointer])
    }
    const vocabulary = await answer("shop_a/test/rules/vocabulary")
    assert.deepInclude(vocabulary.body.conditions, {
      name: "payment_method",
      operators: ["exists"],
      values: ["upi", "card", "stablecoin"]
    })
  })

  it("a backtest runs to its end, belongs to its tenant, and one that is canceled frees its place", async () => {
    const path = "shop_a/test/rules/backtests"
    await server.of({ account: "shop_a", livemode: false }).payments.create(card)
    const start = () => answer(path, { body: { from: 0, text: rules("b") } })
    const started = await start()
    assert.deepStrictEqual([started.status, started.body.state], [202, "running"])
    const own = `${path}/${started.body.id}`
    const missing = await answer(`${path}/bt_0`)
    for (const [elsewhere, as] of [
      [own.replace("shop_a", "shop_b"), "other"],
      [own.replace("/test/", "/live/"), "asha"]
    ] as const) {
      for (const method of ["GET", "DELETE"]) {
        const refused = await answer(elsewhere, { as, method })
        assert.deepStrictEqual([refused.status, refused.body.detail], [404, missing.body.detail])
      }
    }
    const second = await start()
    assert.strictEqual(second.status, 202)
    const busy = await start()
    assert.deepStrictEqual([busy.status, busy.body.code], [409, "conflict"])
    const canceled = await answer(`${path}/${second.body.id}`, { method: "DELETE" })
    assert.deepStrictEqual([canceled.status, canceled.body.state, canceled.body.result], [200, "canceled", null])
    assert.deepStrictEqual((await answer(`${path}/${second.body.id}`)).body, canceled.body)

    let now = started.body
    while (now.state === "running") {
      assert.isTrue(now.progress >= 0 && now.progress <= 1)
      await setTimeout(20)
      now = (await answer(own)).body
    }
    assert.deepStrictEqual([now.state, now.progress, now.failure], ["done", 1, null])
    assert.isAbove(now.result.report.changes.payments, 0)
    assert.strictEqual(now.result.moved[0].after, "sandbox_card_b")
    assert.strictEqual((await answer(own, { method: "DELETE" })).body.state, "done")
    const again = await start()
    assert.strictEqual(again.status, 202)
    await answer(`${path}/${again.body.id}`, { method: "DELETE" })
  })

  it("a backtest of a draft that is not valid fails with its problems, and one of no time is refused", async () => {
    const path = "shop_a/test/rules/backtests"
    const { body } = await answer(path, { body: { from: 0, text: "version: 2" } })
    let now = body
    while (now.state === "running") {
      await setTimeout(20)
      now = (await answer(`${path}/${body.id}`)).body
    }
    assert.strictEqual(now.state, "failed")
    assert.isNotEmpty(now.failure.problems)
    const refused = await answer(path, { body: { from: 5, until: 5 } })
    assert.deepStrictEqual([refused.status, refused.body.errors[0].pointer], [400, "/until"])
  })

  it("rules of the configuration can be read here, and not be changed", async () => {
    const config = { version: 1, default: { priority: ["sandbox_card_b", "sandbox_upi_a"] } } as const
    await using fixed = await controlServer(people, { routing: config })
    const here = asker(fixed)
    const current = await here("shop_a/test/rules")
    assert.deepStrictEqual([current.status, current.etag, current.body.origin], [200, null, { kind: "options" }])
    for (const [path, body] of [
      ["publish", { text: rules("b") }],
      ["rollback", { version: 1 }]
    ] as const) {
      const refused = await here(`shop_a/test/rules/${path}`, { from: 1, body })
      assert.deepStrictEqual([refused.status, refused.body.code], [409, "conflict"])
      assert.include(refused.body.detail, "The rules come from the configuration of the server")
    }
  })
})
