/** Pairs of requests under one key: refused exactly where they decode to two payments, and sent once. */
import { decodeCreatePayment } from "@paymux/core"
import { Effect } from "effect"
import { isDeepStrictEqual } from "node:util"
import { createPaymux } from "paymux"
import { bodyPairs } from "../bodyPairs.ts"
import { countingProvider } from "../countingProvider.ts"

export interface OtherBodiesReport {
  /** Pairs that were not answered as they should be. */
  readonly wrong: ReadonlyArray<string>
  /** Pairs that decode to the same. */
  readonly equal: number
  /** How often the provider was asked to take money: once for each pair. */
  readonly executed: number
}

export const otherBodies = async (options: {
  readonly pairs: number
  readonly seed: number
}): Promise<OtherBodiesReport> => {
  const { calls, provider } = countingProvider()
  await using paymux = await createPaymux({ providers: [provider], database: ":memory:", rateLimit: false })
  const { key } = await paymux.apiKeys.create()
  const post = async (idempotencyKey: string, body: string) => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": idempotencyKey
    }
    const response = await paymux.fetch(new Request("http://localhost/v1/payments", { method: "POST", headers, body }))
    return { status: response.status, text: await response.text() }
  }
  const wrong: Array<string> = []
  let equal = 0
  for (const [index, { first, second }] of bodyPairs(options.pairs, options.seed).entries()) {
    const made = await post(`pair-${index}`, first)
    const again = await post(`pair-${index}`, second)
    const isSame = isDeepStrictEqual(await decoded(first), await decoded(second))
    if (isSame) equal++
    const fits = isSame ? again.status === 201 && again.text === made.text : again.status === 422
    if (made.status !== 201 || !fits) wrong.push(`${made.status}, ${again.status}: ${first} then ${second}`)
  }
  return { wrong, equal, executed: calls.count }
}

const decoded = (body: string) => Effect.runPromise(decodeCreatePayment(JSON.parse(body)))
