/** Two servers whose clocks differ: end 10. Real processes on PostgreSQL. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { paymentsOf, startServers, within } from "./Servers.ts"
import type { Servers, ServersOptions } from "./Servers.ts"

const body = {
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  customer: { email: "asha@example.com", phone: "+919812345678" },
  payment_method_details: { card: { token: "tok_vendor" } }
}

/** ms: how long the first send is in flight at most. */
const IN_FLIGHT = 9_000

interface Case {
  readonly aheadMs: number
  readonly options: Pick<ServersOptions, "notFoundIsFinalAfter" | "providers">
  /** What must not happen while the first send is in flight. It ends the wait. */
  readonly isWrong: (servers: Servers) => boolean | Promise<boolean>
}

/** A send of the first server is held before it reaches the vendor; the clock of the second server runs ahead. */
const run = async (servers: Servers, { aheadMs, isWrong }: Omit<Case, "options">) => {
  const second = await servers.add(aheadMs)
  const request = servers.first.ask("/v1/payments", body)
  await servers.gate.held
  const seen = await paymentsOf(second)
  await within(IN_FLIGHT, () => isWrong(servers))
  const inFlight = servers.ledger()
  servers.gate.open()
  await request
  await within(8_000, async () => (await servers.observer.eventTypes()).includes("payment.succeeded"))
  return { seen, inFlight, after: servers.ledger(), events: await servers.observer.eventTypes() }
}

const history = ({ options, ...rest }: Case) => {
  let servers: Servers | undefined
  const left: Array<Awaited<ReturnType<typeof run>>> = []
  beforeAll(async () => {
    servers = await startServers({ holds: "request", path: "/alpha/payments", ...options })
    left.push(await run(servers, rest))
  })
  afterAll(() => servers?.stop())
  return () => {
    const [value] = left
    if (value === undefined) throw new Error("The history did not run")
    return value
  }
}

describe('end 10: clocks 40 s apart, and "not found" is final after 30 s', () => {
  const left = history({
    aheadMs: 40_000,
    options: { providers: ["alpha", "beta"], notFoundIsFinalAfter: "30 seconds" },
    isWrong: ({ ledger }) => ledger().some(({ account, kind }) => account === "beta" && kind === "captured")
  })

  it("end 10 happens: both servers know the payment, and the first send arrives late", () => {
    const { after, inFlight, seen } = left()
    assert.lengthOf(seen, 1)
    assert.notInclude(
      inFlight.map(({ account, kind }) => `${account} ${kind}`),
      "alpha captured"
    )
    assert.include(
      after.map(({ account, kind }) => `${account} ${kind}`),
      "alpha captured"
    )
  })

  it("end 10: no second provider is charged while the first send is in flight", () => {
    assert.notInclude(
      left().inFlight.map(({ account, kind }) => `${account} ${kind}`),
      "beta captured"
    )
  })
})

describe("end 10: clocks 20 minutes apart", () => {
  const left = history({
    aheadMs: 20 * 60_000,
    options: { providers: ["alpha"], notFoundIsFinalAfter: "15 minutes" },
    isWrong: async ({ observer }) => (await observer.eventTypes()).includes("payment.failed")
  })

  it("end 10 happens: both servers know the payment, and it succeeds", () => {
    const { after, events, seen } = left()
    assert.lengthOf(seen, 1)
    assert.include(
      after.map(({ kind }) => kind),
      "captured"
    )
    assert.include(events, "payment.succeeded")
  })

  it("end 10: a payment that succeeds is not called failed before", () => {
    assert.notInclude(left().events, "payment.failed")
  })
})
