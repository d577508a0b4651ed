import { assert, describe, it } from "@effect/vitest"
import { clientAddress } from "../../src/server/people/clientAddress.ts"

const remote = "10.0.0.2"

const addressOf = (forwardedFor: string | undefined, trustedProxies: number) =>
  clientAddress({ remote, forwardedFor, trustedProxies })

describe("the address of the client", () => {
  it("is that of the connection without a trusted proxy, whatever the header says", () => {
    assert.strictEqual(addressOf("203.0.113.1", 0), remote)
  })

  it("is what the outermost trusted proxy appended, not what the client invented further left", () => {
    assert.strictEqual(addressOf("198.51.100.66, 203.0.113.1", 1), "203.0.113.1")
    assert.strictEqual(addressOf("198.51.100.66, 203.0.113.1,10.0.0.9", 2), "203.0.113.1")
    assert.strictEqual(addressOf("198.51.100.66, 2001:db8::1", 1), "2001:db8::1")
  })

  it("is that of the connection if a proxy is missing, or what it appended is no address", () => {
    for (const header of [undefined, "", "203.0.113.1", "unknown, 10.0.0.9", "203.0.113.1:8080, 10.0.0.9", "\0, \0"]) {
      assert.strictEqual(addressOf(header, 2), remote, header)
    }
  })
})
