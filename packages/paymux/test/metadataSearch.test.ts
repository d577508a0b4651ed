/** A search for metadata without an index in every face: it says how far it has searched, and continues from there. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { copyPayments, createLater } from "../../../test/support/copyPayments.ts"
import { card } from "./card.ts"
import { startCommands } from "./Commands.ts"
import { ask, controlServer } from "./control/ControlServer.ts"
import type { ControlServer } from "./control/ControlServer.ts"

const tenant = { account: "default", livemode: false }

/** As many as a search passes on a page, and some. */
const others = 6_000

const viewer = {
  id: "usr_viewer",
  name: "viewer@shop.example",
  memberships: [{ account: "default", modes: ["test" as const], role: "viewer" as const }],
  authenticatedAt: 0
}

describe("a search for metadata without an index", () => {
  const folder = mkdtempSync(join(tmpdir(), "paymux-search-"))
  const file = join(folder, "payments.db")
  let server: ControlServer
  let found: string
  beforeAll(async () => {
    server = await controlServer({ viewer }, { database: `sqlite:${file}` })
    const { payments } = server.of(tenant)
    found = (await payments.create({ ...card, metadata: { channel: "fax" } })).id
    const newer = await createLater(found, () => payments.create({ ...card, metadata: { channel: "web" } }))
    copyPayments(file, newer, others)
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  const listed = async (query: string) => {
    const headers = { authorization: `Bearer ${server.testKey}` }
    const response = await server.fetch(
      new Request(`http://localhost/v1/payments?metadata%5Bchannel%5D=fax${query}`, { headers })
    )
    // Boundary: what this test reads of a page.
    const body = (await response.json()) as {
      object: string
      data: Array<{ id: string }>
      has_more: boolean
      next_cursor: string | null
    }
    return { status: response.status, body }
  }

  it("says in the API how far it went, and its cursor continues to the payment behind the gap", async () => {
    const first = await listed("")
    assert.deepInclude(first.body, { object: "list", data: [], has_more: true })
    assert.match(JSON.stringify(first.body), /"searched_until":"\d{4}-\d\d-\d\dT[\d:.]+Z"/)
    const next = await listed(`&starting_after=${first.body.next_cursor}`)
    assert.deepStrictEqual(
      next.body.data.map(({ id }) => id),
      [found]
    )
    assert.deepInclude(next.body, { has_more: false, next_cursor: null })
    assert.notProperty(next.body, "searched_until")
    const changed = await listed(`&starting_after=${first.body.next_cursor?.slice(0, -1)}`)
    assert.strictEqual(changed.status, 400)
  })

  it("does so in a program, and not where a filter with an index leaves few", async () => {
    const { payments } = server.of(tenant)
    const page = await payments.list({ metadata: { channel: "fax" } })
    assert.isTrue(page.has_more)
    assert.isNotNaN(Date.parse(page.searched_until ?? ""))
    const few = await payments.list({ metadata: { channel: "fax" }, created_before: "2010-01-01T00:00:00Z" })
    assert.notProperty(few, "searched_until")
  })

  it("does so in the control API", async () => {
    const path = "/dashboard/api/default/test/payments?metadata=channel=fax"
    const read = async (query = "") => {
      const response = await ask(server, { path: `${path}${query}`, as: "viewer" })
      // Boundary: what this test reads of a page.
      return (await response.json()) as { data: Array<{ id: string }>; next: string | null; searchedUntil?: number }
    }
    const first = await read()
    assert.deepStrictEqual(first.data, [])
    assert.isNumber(first.searchedUntil)
    const next = await read(`&after=${first.next}`)
    assert.deepStrictEqual([next.data[0]?.id, next.next, next.searchedUntil], [found, null, undefined])
  })

  it("is whole in the commands, which hold up no server", async () => {
    const { run, stop } = startCommands()
    try {
      const { stdout } = await run(
        folder,
        "payments",
        "list",
        "--database",
        "sqlite:payments.db",
        "--metadata",
        "channel=fax"
      )
      assert.include(stdout, found)
    } finally {
      stop()
    }
  })
})
