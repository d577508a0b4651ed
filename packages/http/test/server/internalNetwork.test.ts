import { assert, describe, it } from "@effect/vitest"
import { internalNetwork } from "../../src/server/internalNetwork.ts"

describe("the network of an address", () => {
  it.each([
    ["127.0.0.1", "loopback"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "loopback"],
    ["10.1.2.3", "private"],
    ["172.31.255.255", "private"],
    ["192.168.0.1", "private"],
    ["100.64.0.1", "private"],
    ["::ffff:10.1.2.3", "private"],
    ["fd12::1", "private"],
    ["169.254.1.1", "link-local"],
    ["fe80::1%eth0", "link-local"],
    ["172.32.0.1", null],
    ["100.128.0.1", null],
    ["203.0.113.7", null],
    ["::ffff:203.0.113.7", null],
    ["2001:db8::1", null],
    ["not an address", null]
  ])("of %s is %s", (address, network) => {
    assert.strictEqual(internalNetwork(address), network)
  })
})
