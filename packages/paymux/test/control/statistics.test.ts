/** Numbers over time through the control API: the same as through the library. */
import { assert, it } from "@effect/vitest"
import { ask, controlServer } from "./ControlServer.ts"

const own = { account: "shop_a", livemode: false }
const viewer = {
  id: "usr_viewer",
  name: "viewer@shop.example",
  memberships: [{ account: own.account, modes: ["test" as const], role: "viewer" as const }],
  authenticatedAt: Date.now()
}

it("answers what the library answers, and refuses a period that makes no sense", async () => {
  await using server = await controlServer({ viewer })
  const operations = server.of(own)
  const { id } = await operations.webhookEndpoints.add({ url: "https://127.0.0.1/hooks" })
  await operations.webhookEndpoints.disable(id)
  for (const token of ["tok_success", "tok_declined"]) {
    await operations.payments.create({
      amount: 1200,
      currency: "EUR",
      payment_method: "card",
      payment_method_details: { card: { token } },
      customer: { email: "asha@example.com", phone: "+4915112345678" }
    })
  }
  while ((await operations.statistics.totals()).uncountedSince !== null) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const get = async (path: string) => {
    const response = await ask(server, { as: "viewer", path: `/dashboard/api/shop_a/test/statistics/${path}` })
    return { status: response.status, json: JSON.parse(await response.text()) }
  }
  const period = { from: Date.now() - 86_400_000, until: Date.now() + 3_600_000 }
  const range = `from=${period.from}&until=${period.until}`

  const series = await get(`series?${range}&step=hour&groupBy=provider&of=attempts`)
  const expected = await operations.statistics.series({ ...period, step: "hour", groupBy: "provider", of: "attempts" })
  assert.deepStrictEqual(series, { status: 200, json: JSON.parse(JSON.stringify(expected)) })
  assert.isNotEmpty(series.json.points)

  const totals = await get(`totals?${range}&outcomes=succeeded&outcomes=failed&currencies=EUR&groupBy=failureCode`)
  const asked = { ...period, outcomes: ["succeeded", "failed"], currencies: ["EUR"], groupBy: "failureCode" as const }
  assert.deepStrictEqual(totals, {
    status: 200,
    json: JSON.parse(JSON.stringify(await operations.statistics.totals(asked)))
  })
  assert.strictEqual(totals.json.groups.length, 2)

  const attention = await get("attention")
  assert.deepStrictEqual(attention.json, {
    pending: 0,
    inReview: 0,
    failingEndpoints: 0,
    disabledEndpoints: 1,
    openBreakers: []
  })

  for (const query of [
    "from=5&until=5",
    "from=0&step=hour",
    "step=minute",
    "of=disputes",
    "groupBy=customer",
    "providers=",
    "providers=%00",
    "from=-1",
    Array.from({ length: 101 }, () => "methods=card").join("&")
  ]) {
    const refused = await get(`series?${query}`)
    assert.strictEqual(refused.status, 400, query)
    assert.strictEqual(refused.json.code, "invalid_request", query)
  }
})
