import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { parsePostgresUrl } from "../../../src/index.ts"

const hostsOf = (url: string): string =>
  Result.match(parsePostgresUrl(url), {
    onSuccess: ({ servers }) => servers.map(({ host, port }) => `${host} ${port}`).join(", "),
    onFailure: (sentence) => sentence
  })

const problem = (url: string): string =>
  Result.match(parsePostgresUrl(url), { onSuccess: () => "accepted", onFailure: (sentence) => sentence })

describe("the address of a database", () => {
  // The examples of "Connection URIs" in the documentation of libpq, and what it says that they mean.
  it.each([
    ["postgresql://", "localhost 5432"],
    ["postgresql://localhost", "localhost 5432"],
    ["postgresql://localhost:5433", "localhost 5433"],
    ["postgresql://localhost/mydb", "localhost 5432"],
    ["postgresql://user@localhost", "localhost 5432"],
    ["postgresql://user:secret@localhost", "localhost 5432"],
    ["postgresql://other@localhost/otherdb?connect_timeout=10&application_name=myapp", "localhost 5432"],
    ["postgresql://host1:123,host2:456/somedb?target_session_attrs=any&application_name=myapp", "host1 123, host2 456"],
    ["postgresql://user@localhost:5433/mydb?options=-c%20synchronous_commit%3Doff", "localhost 5433"],
    ["postgresql:///mydb?host=localhost&port=5433", "localhost 5433"],
    ["postgresql://[2001:db8::1234]/database", "2001:db8::1234 5432"],
    ["postgresql:///dbname?host=/var/lib/postgresql", "/var/lib/postgresql 5432"],
    ["postgresql://%2Fvar%2Flib%2Fpostgresql/dbname", "/var/lib/postgresql 5432"]
  ])("%s is an example of libpq", (url, hosts) => {
    assert.strictEqual(hostsOf(url), hosts)
  })

  it("one port is used for all hosts, or each host has its own", () => {
    assert.strictEqual(hostsOf("postgres:///db?host=a,b,c&port=6000"), "a 6000, b 6000, c 6000")
    assert.strictEqual(hostsOf("postgres:///db?host=a,b&port=6000,"), "a 6000, b 5432")
    assert.strictEqual(hostsOf("postgres://u:p@a,b:5433,[::1]:5434/db"), "a 5432, b 5433, ::1 5434")
  })

  it("the driver gets user, password, database and parameters, and no hosts", () => {
    const url = "postgres://me:s%40cret@a:1,b:2/shop?sslmode=require&target_session_attrs=primary&options=-c%20a%3Db"
    const { database, login, shown, target, tls } = Result.getOrThrow(parsePostgresUrl(url))
    const parts = new URL(login)
    assert.deepStrictEqual([parts.username, parts.password, parts.pathname], ["me", "s%40cret", "/shop"])
    assert.deepStrictEqual([...parts.searchParams.keys()], ["sslmode", "options"])
    assert.strictEqual(parts.searchParams.get("options"), "-c a=b")
    assert.deepStrictEqual([database, target, tls], ["shop", "primary", "require"])
    assert.strictEqual(shown, "postgres://a:1,b:2/shop")
  })

  it("several hosts need one that accepts writes, unless the address says otherwise", () => {
    const targetOf = (url: string) => Result.getOrThrow(parsePostgresUrl(url)).target
    assert.strictEqual(targetOf("postgres://a,b/db"), "read-write")
    assert.strictEqual(targetOf("postgres://a,b/db?target_session_attrs=any"), "any")
    assert.strictEqual(targetOf("postgres://a/db"), "any")
  })

  it("what is wrong is reported in one sentence that names the hosts, and never the password", () => {
    assert.match(
      problem("postgres://me:secret@a:1,b:2/db?target_session_attrs=prefer-standby"),
      /^target_session_attrs=prefer-standby of a:1,b:2 is not supported: use read-write, primary or any\.$/
    )
    assert.match(problem("postgres:///db?host=a,b,c&port=1,2"), /^The address has 3 hosts \(a,b,c\) and 2 ports\.$/)
    assert.match(
      problem("postgres://me:secret@a:1,b:70000/db"),
      /^The port 70000 of b is not a number from 1 to 65535\.$/
    )
    assert.match(problem("postgres://me:secret@a:1,b:x/db"), /^The port x of b is not /)
    assert.match(problem("postgres://me:secret@a:1,::1:2/db"), /^Host 2 of a:1,::1:2 is not a host and a port/)
    assert.match(problem("mysql://a/db"), /^A PostgreSQL address reads postgres:\/\//)
  })
})
