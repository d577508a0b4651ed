/** Payments of two cells through a proxy that routes by prefixes alone. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { migrations } from "../../src/Database.ts"
import { createPaymux } from "../../src/index.ts"
import { card } from "../card.ts"
import { cellNames, paid, twoCells } from "./TwoCells.ts"
import type { CellName, TwoCells } from "./TwoCells.ts"

const scope = Scope.makeUnsafe()
const folder = mkdtempSync(join(tmpdir(), "paymux-cells-"))

afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
})

const onPostgres = () => Effect.runPromise(Scope.provide(temporaryDatabase(migrations), scope))

const databases = {
  SQLite: async (name: string) => ({
    eu1: `sqlite:${join(folder, `${name}-eu1.db`)}`,
    us1: `sqlite:${join(folder, `${name}-us1.db`)}`
  }),
  PostgreSQL: async () => ({ eu1: await onPostgres(), us1: await onPostgres() })
}

/** Left to its payer at the provider. */
const hosted = { ...card, payment_method_details: { card: {} } }
const held = { ...hosted, capture_method: "manual" } as const

const clientOf = ({ cells, url }: TwoCells, cell: CellName) => {
  const authorization = `Bearer ${cells[cell].testKey}`
  return async (path: string, body?: unknown, headers: { readonly [name: string]: string } = {}) => {
    const response = await fetch(`${url}${path}`, {
      headers: { authorization, "content-type": "application/json", ...headers },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) })
    })
    return { status: response.status, headers: response.headers, json: JSON.parse(await response.text()) }
  }
}

const post = (url: string, body: string, type = "application/json") =>
  fetch(url, { method: "POST", body, redirect: "manual", headers: { "content-type": type } })

const webhookUrlOf = async ({ cells }: TwoCells, cell: CellName): Promise<string> =>
  (await cells[cell].providers.list()).find(({ id }) => id === "acme")?.webhookUrl ?? ""

describe.each(["SQLite", "PostgreSQL"] as const)("two cells on %s behind a proxy", (kind) => {
  it("make, read, list, capture, cancel and refund their payments", async () => {
    await using both = await twoCells(await databases[kind]("payments"))
    for (const cell of cellNames) {
      const ask = clientOf(both, cell)
      const { json: first } = await ask("/v1/payments", held, { "idempotency-key": "order-1" })
      assert.match(first.id, new RegExp(`^pay_[0-9a-z]{26}_${cell}$`))
      assert.strictEqual(first.status, "authorized")
      const again = await ask("/v1/payments", held, { "idempotency-key": "order-1" })
      assert.deepStrictEqual(again.json, first)
      const captured = await ask(`/v1/payments/${first.id}/capture`, {})
      assert.strictEqual(captured.json.status, "succeeded")
      const { json: refund, headers } = await ask(`/v1/payments/${first.id}/refunds`, {})
      assert.match(refund.id, new RegExp(`^re_[0-9a-z]{26}_${cell}$`))
      assert.strictEqual((await ask(headers.get("location") ?? "")).json.status, "succeeded")
      const { json: second } = await ask("/v1/payments", held)
      assert.strictEqual((await ask(`/v1/payments/${second.id}/cancel`, {})).json.status, "canceled")
      const listed = (await ask("/v1/payments")).json.data.map(({ id }: { readonly id: string }) => id)
      assert.deepStrictEqual(listed, [second.id, first.id])
      assert.strictEqual((await ask(`/v1/payments/${first.id}`)).json.amount_refunded, card.amount)
    }
    assert.lengthOf(both.sends.all, 10)
    // The same request under the same key is another payment in another cell.
    const names = both.sends.all.filter(({ kind }) => kind === "create").flatMap(({ id, key }) => [id, key])
    assert.strictEqual(new Set(names).size, 8)
  })

  it("get the webhooks of their provider, which has one account for both", async () => {
    await using both = await twoCells(await databases[kind]("webhooks"))
    const payments = {
      eu1: await both.cells.eu1.payments.create(hosted),
      us1: await both.cells.us1.payments.create(hosted)
    }
    const [ofEu1, ofUs1] = both.sends.all.map(({ id }) => id)
    const operations = { eu1: ofEu1 ?? "", us1: ofUs1 ?? "" }
    for (const cell of cellNames) {
      const address = await webhookUrlOf(both, cell)
      assert.strictEqual(address, `${both.url}/cells/${cell}/webhooks/acme`)
      const other = cell === "eu1" ? "us1" : "eu1"
      const foreign = await post(address, paid(operations[other], `e-${other}`))
      assert.deepStrictEqual([foreign.status, await foreign.json()], [200, { received: "applied" }])
    }
    for (const cell of cellNames) {
      assert.strictEqual((await both.cells[cell].payments.get(payments[cell].id)).status, "pending")
      const { data: reports } = await both.cells[cell].reports.list()
      assert.deepStrictEqual(
        reports.map(({ status }) => status),
        ["foreign"]
      )
      const reported = await post(await webhookUrlOf(both, cell), paid(operations[cell], `e-${cell}`))
      assert.strictEqual(reported.status, 200)
      assert.strictEqual((await both.cells[cell].payments.get(payments[cell].id)).status, "succeeded")
    }
  })

  it("show their payment pages, with all that these load, and take payers back", async () => {
    await using both = await twoCells(await databases[kind]("pages"))
    for (const cell of cellNames) {
      const { cells, sends, url } = both
      const upi = {
        ...card,
        currency: "INR",
        payment_method: "upi",
        payment_method_details: { upi: { flow: "intent" } },
        metadata: { sandbox_scenario: "undecided" }
      } as const
      const { hosted_url: page, id } = await cells[cell].payments.create(upi)
      assert.match(page ?? "", new RegExp(`^${url}/cells/${cell}/pay/${id}/[\\w-]{22}$`))
      const html = await (await fetch(page ?? "")).text()
      const links = [...html.matchAll(/(?:href|src|action|data-[a-z]+)="(\/[^"]*)"/g)].map(([, link = ""]) => link)
      assert.isAbove(links.length, 2)
      for (const link of links) {
        assert.isTrue(link.startsWith(`/cells/${cell}/`), link)
        if (!/events|simulate/.test(link)) assert.strictEqual((await fetch(`${url}${link}`)).status, 200, link)
      }
      for (const part of ["/status", "/qr.svg"]) assert.strictEqual((await fetch(`${page}${part}`)).status, 200, part)
      const decided = await post(page ?? "", "decision=approve", "application/x-www-form-urlencoded")
      assert.strictEqual(decided.status, 303)
      assert.strictEqual(new URL(decided.headers.get("location") ?? "", page ?? "").href, page)
      assert.strictEqual((await cells[cell].payments.get(id)).status, "succeeded")

      const left = await cells[cell].payments.create({ ...hosted, return_url: "https://shop.example/done" })
      const back = sends.all.at(-1)?.returnUrl ?? ""
      assert.match(back, new RegExp(`^${url}/cells/${cell}/return/op_[0-9a-z]{26}_${cell}/`))
      const returned = await fetch(back, { redirect: "manual" })
      assert.strictEqual(returned.headers.get("location"), `https://shop.example/done?payment_id=${left.id}`)
    }
  })

  it("refuse what belongs to the other", async () => {
    await using both = await twoCells(await databases[kind]("refusals"))
    const { id } = await both.cells.us1.payments.create(held)
    const ask = clientOf(both, "eu1")
    for (const [path, body] of [
      [`/v1/payments/${id}`, undefined],
      [`/v1/payments/${id}/capture`, {}],
      [`/v1/payments/${id}/cancel`, {}],
      [`/v1/payments/${id}/refunds`, {}]
    ] as const) {
      const { json } = await ask(path, body)
      assert.deepInclude(json, {
        status: 404,
        code: "not_found",
        detail: "There is no such payment. The id is of cell us1, and this is cell eu1."
      })
    }
    // A route of the proxy that is wrong: its own path, with the key of the other cell.
    const headers = { authorization: `Bearer ${both.cells.us1.testKey}` }
    const misdirected = await fetch(`${both.url}/cells/eu1/v1/payments/${id}`, { headers })
    assert.deepInclude(await misdirected.json(), {
      status: 421,
      detail: "The API key is of cell us1, and this is cell eu1."
    })
    const direct = await both.cells.eu1.fetch(
      new Request(await webhookUrlOf(both, "us1"), { method: "POST", body: "[]" })
    )
    assert.deepInclude(await direct.json(), { detail: "The address is of cell us1, and this is cell eu1." })
    assert.strictEqual((await both.cells.us1.payments.get(id)).status, "authorized")
    assert.deepStrictEqual((await both.cells.eu1.payments.list()).data, [])
  })
})

describe.each(["", "/shop"])("a cell in the sandbox, under the base path %j", (basePath) => {
  const options = {
    sandbox: true,
    logs: false,
    database: ":memory:",
    publicUrl: "http://shop.test",
    cell: "eu1"
  } as const
  const form = { "content-type": "application/x-www-form-urlencoded" }

  it("takes the payer from the simulated provider's page to the merchant", async () => {
    await using paymux = await createPaymux({ ...options, basePath })
    const { id, next_action: action } = await paymux.payments.create({
      ...card,
      payment_method_details: { card: { token: "tok_3ds" } },
      return_url: "https://shop.example/done"
    })
    const page = action?.type === "redirect" ? action.url : ""
    assert.isTrue(page.startsWith(`http://shop.test${basePath}/cells/eu1/sandbox/pay/`), page)
    const html = await (await paymux.fetch(new Request(page))).text()
    for (const [, link = ""] of html.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)) {
      assert.isTrue(link.startsWith(`${basePath}/cells/eu1/`), link)
      assert.strictEqual((await paymux.fetch(new Request(new URL(link, page)))).status, 200, link)
    }
    const decided = await paymux.fetch(new Request(page, { method: "POST", body: "decision=approve", headers: form }))
    const back = decided.headers.get("location") ?? ""
    assert.isTrue(back.startsWith(`http://shop.test${basePath}/cells/eu1/return/op_`), back)
    const returned = await paymux.fetch(new Request(back))
    assert.strictEqual(returned.headers.get("location"), `https://shop.example/done?payment_id=${id}`)
  })

  it("leads from the payment page back to it", async () => {
    await using paymux = await createPaymux({ ...options, basePath })
    const { hosted_url: page } = await paymux.payments.create({
      ...card,
      metadata: { sandbox_scenario: "undecided" },
      payment_method_details: { card: {} }
    })
    const url = page ?? ""
    assert.isTrue(url.startsWith(`http://shop.test${basePath}/cells/eu1/pay/`), url)
    const decided = await paymux.fetch(new Request(url, { method: "POST", body: "decision=approve", headers: form }))
    assert.strictEqual(new URL(decided.headers.get("location") ?? "", url).href, url)
  })
})
