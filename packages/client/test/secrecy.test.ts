/** The key goes into one header, and nowhere else. */
import { assert, describe, it } from "@effect/vitest"
import { inspect } from "node:util"
import { Paymux, PaymuxError, PaymuxUsageError } from "../src/index.ts"
import type { PaymuxOptions } from "../src/index.ts"
import { openShop, upi } from "./Shop.ts"

/** Everything that a log could write of it. */
const reported = (value: unknown): string => {
  const own = inspect(value, { depth: null, showHidden: true, getters: true })
  const error = value instanceof Error ? `${value.stack}${value.message}${reported(value.cause)}` : ""
  return `${own}${JSON.stringify(value)}${String(value)}${error}`
}

const failure = async (call: () => Promise<unknown>): Promise<unknown> => {
  try {
    await call()
  } catch (error) {
    return error
  }
  throw new Error("It did not fail")
}

const usage = (options: object): unknown => {
  try {
    return new Paymux({ apiKey: "pmx_test_1", baseUrl: "https://pay.example.com", ...options })
  } catch (error) {
    return error
  }
}

describe("the key", () => {
  it("is in no error and in nothing that is printed of the client", async () => {
    await using shop = await openShop()
    const apiKey = `pmx_test_${"S3cret".repeat(6)}`
    const client = (options: Partial<PaymuxOptions> = {}) => shop.client({ apiKey, maxRetries: 0, ...options })
    const at = (type: "refused" | "silence" | "cut answer") => {
      shop.faults.push({ type })
      return client({ timeout: 100 }).payments.create(upi)
    }
    const echo = JSON.stringify({ code: "unauthorized", detail: "No." })
    const things = [
      client(),
      client().payments,
      await failure(() => client().payments.create(upi)),
      await failure(() => at("refused")),
      await failure(() => at("silence")),
      await failure(() => at("cut answer")),
      await failure(() => client({ baseUrl: "http://127.0.0.1:1" }).payments.get("pay_1")),
      await failure(() => client().payments.get("pay_1", { signal: AbortSignal.abort() })),
      await failure(() => {
        shop.faults.push({ type: "answer", status: 401, body: echo })
        return client().payments.list()
      })
    ]
    for (const each of things) assert.notInclude(reported(each), "S3cret")
    for (const each of things.slice(2)) assert.instanceOf(each, PaymuxError)
  })

  it("that cannot be sent is refused without being repeated", () => {
    for (const apiKey of ["S3cret\n", " S3cret", "S3cret\r\nEvil: 1", "S3crét", "", "Bearer S3cret"]) {
      const error = usage({ apiKey })
      assert.instanceOf(error, PaymuxUsageError, JSON.stringify(apiKey))
      assert.notInclude(reported(error), "S3cr")
    }
  })

  it("is not taken out of an address", () => {
    const error = usage({ baseUrl: "https://me:S3cret@pay.example.com" })
    assert.instanceOf(error, PaymuxUsageError)
    assert.notInclude(reported(error), "S3cret")
  })
})

describe("options", () => {
  it("that are wrong fail before anything is sent", () => {
    const wrong: ReadonlyArray<Partial<PaymuxOptions>> = [
      { baseUrl: "" },
      { baseUrl: "pay.example.com" },
      { baseUrl: "ftp://pay.example.com" },
      { baseUrl: "https://pay.example.com/?a=1" },
      { timeout: 1.5 },
      { timeout: Number.NaN },
      { timeout: 2 ** 31 },
      { maxRetries: -1 },
      { maxRetries: 11 },
      { maxRetries: 0.5 }
    ]
    for (const options of wrong) assert.instanceOf(usage(options), PaymuxUsageError, JSON.stringify(options))
    for (const misspelt of [{ apikey: "x" }, { retries: 1 }]) {
      const error = usage(misspelt)
      assert.instanceOf(error, PaymuxUsageError)
      assert.include(reported(error), `There is no option ${Object.keys(misspelt)[0]}`)
    }
  })

  it("of a call that are misspelt are refused: a key that is not used protects nothing", async () => {
    const paymux = new Paymux({ apiKey: "x", baseUrl: "http://127.0.0.1:1" })
    const misspelt: object = { idempotencykey: "order-1" }
    assert.instanceOf(await failure(() => paymux.payments.create(upi, misspelt)), PaymuxUsageError)
    assert.instanceOf(await failure(() => paymux.payments.get("pay_1", misspelt)), PaymuxUsageError)
  })

  it("let the address be written with and without /v1 and slashes, also below a path", async () => {
    const asked: Array<string> = []
    const fetch = async (url: string) => {
      asked.push(url)
      return { status: 200, headers: new Headers(), text: async () => "{}" }
    }
    for (const path of ["", "/", "/v1", "/v1/", "/pay", "/pay/v1//"]) {
      await new Paymux({ apiKey: "x", baseUrl: `https://shop.example${path}`, fetch }).payments.get("pay_1")
    }
    const root = "https://shop.example/v1/payments/pay_1"
    const below = "https://shop.example/pay/v1/payments/pay_1"
    assert.deepStrictEqual(asked, [root, root, root, root, below, below])
  })
})
