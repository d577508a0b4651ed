/** Which requests come from a page of the dashboard. */
import { assert, describe, it } from "@effect/vitest"
import { isFromDashboard } from "../src/server/access/RequestOrigin.ts"

const post = { method: "POST" }

describe("the source of a request", () => {
  it("a write has the origin of publicUrl, whatever host name a proxy passes on", () => {
    const isOwn = isFromDashboard("https://pay.example/base")
    assert.isTrue(isOwn({ ...post, host: "pay.example", origin: "https://pay.example" }))
    assert.isTrue(isOwn({ ...post, host: "internal:8080", origin: "https://pay.example" }))
    for (const origin of [
      undefined,
      "null",
      "",
      "http://pay.example",
      "https://pay.example:444",
      "https://pay.example.evil.example",
      "https://PAY.example/",
      "https://internal:8080"
    ]) {
      assert.isFalse(isOwn({ ...post, host: "internal:8080", origin }), origin)
    }
  })

  it("reading needs no origin: browsers send none", () => {
    assert.isTrue(isFromDashboard("https://pay.example")({ method: "GET", host: "pay.example", origin: undefined }))
  })

  it("on loopback each name of this machine is accepted, with the port of the request", () => {
    const isOwn = isFromDashboard("http://localhost:4310")
    for (const host of ["localhost:4310", "127.0.0.1:4310", "[::1]:4310", "localhost:3000", "127.8.0.1"]) {
      assert.isTrue(isOwn({ ...post, host, origin: `http://${host}` }), host)
    }
    assert.isFalse(isOwn({ ...post, host: "localhost:4310", origin: "http://localhost:5173" }))
  })

  it("on loopback another host name is refused, also for reads: its name was rebound to this machine", () => {
    const isOwn = isFromDashboard("http://localhost:4310")
    for (const host of [
      "evil.example:4310",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
      "",
      undefined,
      "a b"
    ]) {
      assert.isFalse(isOwn({ method: "GET", host, origin: undefined }), host)
      assert.isFalse(isOwn({ ...post, host, origin: `http://${host}` }), host)
    }
  })
})
