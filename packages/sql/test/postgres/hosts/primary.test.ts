import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { choose, ofCluster, problemOf } from "../../../src/postgres/hosts/primary.ts"
import type { Report } from "../../../src/postgres/hosts/primary.ts"

const a = { host: "a", port: 5432 }
const b = { host: "b", port: 5433 }

const writable = (server: typeof a, timeline: number, system = "1"): Report => ({
  _tag: "Writable",
  server,
  system,
  timeline
})
const standby = (server: typeof a, system = "1"): Report => ({ _tag: "Standby", server, system })
const readOnly = (server: typeof a): Report => ({ _tag: "ReadOnly", server, system: "1", timeline: 1 })
const gone = (server: typeof a, isUnknownHost = false): Report => ({
  _tag: "Unreachable",
  server,
  reason: "connect ECONNREFUSED",
  isUnknownHost
})

const chosen = (...args: Parameters<typeof choose>): string =>
  Result.match(choose(...args), { onSuccess: ({ server }) => server.host, onFailure: (sentence) => sentence })

describe("the server for a new session", () => {
  it("is the one that accepts writes, wherever it is in the address", () => {
    assert.strictEqual(chosen([standby(a), writable(b, 2)], "read-write", 0), "b")
    assert.strictEqual(chosen([gone(a), writable(b, 2)], "primary", 1), "b")
    assert.strictEqual(chosen([readOnly(a), standby(b)], "primary", 1), "a")
    assert.strictEqual(chosen([gone(a), standby(b)], "any", 5), "b")
  })

  it("is the promoted one while a former primary still accepts writes", () => {
    assert.strictEqual(chosen([writable(a, 1), writable(b, 2)], "read-write", 0), "b")
  })

  it("is never a former primary, once a newer one was seen", () => {
    assert.match(
      chosen([writable(a, 1), gone(b)], "read-write", 2),
      /^a:5432 accepts writes on timeline 1, but [^.]+\. /
    )
    assert.strictEqual(chosen([writable(a, 2), gone(b)], "read-write", 2), "a")
  })

  it("is refused where two of one timeline accept writes, or the servers are of different clusters", () => {
    assert.match(
      chosen([writable(a, 2), writable(b, 2)], "read-write", 0),
      /^More than one server accepts writes: a:5432 on timeline 2, b:5433 on timeline 2\./
    )
    assert.match(
      chosen([writable(a, 2), standby(b, "7")], "read-write", 0),
      /^a:5432 and b:5433 belong to different clusters \(system identifiers 1 and 7\)/
    )
  })

  it("is the primary of the known cluster, while a standby is set up again as another one", () => {
    const reports = [standby(a, "7"), writable(b, 2)]
    assert.strictEqual(chosen(ofCluster(reports, "1"), "read-write", 2), "b")
    assert.match(
      chosen(ofCluster([writable(a, 1, "7"), gone(b)], "1"), "read-write", 2),
      /a:5432 cannot be reached \(it belongs/
    )
    assert.deepStrictEqual(ofCluster(reports, null), reports)
  })

  it("if none fits, each server is named with its state", () => {
    assert.strictEqual(
      chosen([standby(a), gone(b)], "read-write", 0),
      "No server of a:5432,b:5433 accepts writes: a:5432 is a standby; b:5433 cannot be reached (connect ECONNREFUSED)."
    )
    assert.match(chosen([readOnly(a), standby(b)], "read-write", 0), /a:5432 is read-only; b:5433 is a standby\.$/)
  })
})

describe("at the start", () => {
  it("a primary with a standby, or alone, is no problem", () => {
    assert.isNull(problemOf([writable(a, 1), standby(b)], "read-write"))
    assert.isNull(problemOf([gone(a), writable(b, 1)], "read-write"))
  })

  it("two that accept writes, an unknown host and no primary are", () => {
    assert.match(
      problemOf([writable(a, 1), writable(b, 2)], "read-write") ?? "",
      /^More than one server accepts writes/
    )
    assert.match(problemOf([writable(a, 1), gone(b, true)], "read-write") ?? "", /^The host b:5433 was not found/)
    assert.match(problemOf([standby(a), standby(b)], "read-write") ?? "", /^No server of a:5432,b:5433 accepts writes/)
    assert.match(problemOf([writable(a, 1), writable(b, 1, "2")], "primary") ?? "", /different clusters/)
  })
})
