/** What `pnpm same` finds, in two recordings that differ by one planted change, and what it does not take for a difference. */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { judge, mostAccepted, readAccepted } from "./compare/accepted.ts"
import { compare } from "./compare/compare.ts"
import type { Difference } from "./compare/compare.ts"
import type { Observed, Recording } from "./compare/Recording.ts"
import { groups } from "./corpus/index.ts"
import { commitOf, refuseUncommitted, root } from "./record/checkouts.ts"
import { routeOf, Saved } from "./record/Saved.ts"
import { withoutMeasures } from "./record/measures.ts"

/** What differs between two runs of the same commit. */
interface Run {
  readonly startedAt: number
  readonly id: (prefix: string, number: number) => string
  readonly secret: string
}

const earlier: Run = {
  startedAt: Date.UTC(2026, 10, 28, 10),
  id: (prefix, number) => `${prefix}_01m8hqjm8vf3gb5dbs0mqb8r${String(number).padStart(2, "0")}`,
  secret: "whsec_hGLeJ1dk3Nvttapq1xq2WY8nuuH3UyJrqMFb7pBvPzA="
}
const later: Run = {
  startedAt: Date.UTC(2026, 10, 29, 7, 31),
  id: (prefix, number) => `${prefix}_01m8zzzz8vf3gb5dbs0mqb7x${String(50 - number).padStart(2, "0")}`,
  secret: "whsec_RTM6mvXz6NzZmfqrk3XLFNnoSSkxj/46MTV9Bpe8Md8="
}

const recordingOf = ({ id, secret, startedAt }: Run): Recording => {
  const iso = (seconds: number) => new Date(startedAt + seconds * 1000).toISOString()
  const payment = (number: number) => ({
    id: id("pay", number),
    amount: 1_200,
    status: "succeeded",
    created_at: iso(number)
  })
  const request = (number: number): Observed => ({
    kind: "request",
    name: `create ${number}`,
    route: "POST /v1/payments",
    fields: {
      status: "201",
      "header names": "content-type, request-id",
      "header request-id": id("req", number),
      body: JSON.stringify(payment(number))
    }
  })
  const row = (number: number): Observed => ({
    kind: "row",
    name: "",
    route: "table events",
    fields: { id: id("evt", number), payment_id: id("pay", number), amount: "1200", at: String(startedAt + number) }
  })
  const delivery = (number: number): Observed => ({
    kind: "row",
    name: "",
    route: "table deliveries",
    fields: { event_id: id("evt", number), status: "delivered" }
  })
  const event = (number: number): Observed => ({
    kind: "event",
    name: "",
    route: "event payment.succeeded at shop",
    fields: {
      signature: `1 signatures, valid for ${secret}`,
      body: JSON.stringify({ id: id("evt", number), data: payment(number) })
    }
  })
  return {
    startedAt,
    observed: [
      request(1),
      request(2),
      {
        kind: "command",
        name: "list",
        route: "paymux payments list",
        fields: { code: "0", stdout: `id  amount\n${id("pay", 1)}  12.00\n`, stderr: "" }
      },
      row(1),
      row(2),
      delivery(1),
      delivery(2),
      event(1),
      event(2),
      {
        kind: "log",
        name: "",
        route: "log",
        fields: { line: `{"time":"${iso(3)}","message":"${id("pay", 2)} is paid"}` }
      }
    ]
  }
}

/** The later run, with another text in the nth place of this kind. */
const planted = (
  kind: Observed["kind"],
  number: number,
  change: (fields: Observed["fields"]) => Observed["fields"]
) => {
  const recording = recordingOf(later)
  const target = recording.observed.filter((each) => each.kind === kind)[number]
  const observed = recording.observed.map((each) => (each === target ? { ...each, fields: change(each.fields) } : each))
  return compare(recordingOf(earlier), { ...recording, observed })
}

const replaced = (field: string, from: string, to: string) => (fields: Observed["fields"]) => {
  const text = fields[field] ?? ""
  assert.include(text, from)
  return { ...fields, [field]: text.replace(from, to) }
}

const only = (differences: ReadonlyArray<Difference>, route: string, field: string, before: string, after: string) =>
  assert.deepStrictEqual(differences, [{ route, field, before, after }])

describe("two recordings are compared", () => {
  it("with no difference where ids, secrets and times differ, and sets are in another order", () => {
    const other = recordingOf(later)
    assert.deepStrictEqual(compare(recordingOf(earlier), { ...other, observed: other.observed.toReversed() }), [])
  })

  it("and a status is found", () => {
    only(planted("request", 0, replaced("status", "201", "200")), "POST /v1/payments", "status", "201", "200")
  })

  it("and a header that is gone is found", () => {
    const found = planted("request", 0, ({ "header request-id": _, ...fields }) => fields)
    only(
      [...found].map((each) => ({ ...each, after: String(each.after) })),
      "POST /v1/payments",
      "header request-id",
      "<req ?>",
      "null"
    )
  })

  it("and the order of headers is found", () => {
    const change = replaced("header names", "content-type, request-id", "request-id, content-type")
    only(
      planted("request", 1, change),
      "POST /v1/payments",
      "header names",
      "content-type, request-id",
      "request-id, content-type"
    )
  })

  it("and an amount in a body is found", () => {
    only(planted("request", 1, replaced("body", "1200", "1201")), "POST /v1/payments", "body /amount", "1200", "1201")
  })

  it("and one byte of a body that changes no value is found", () => {
    const [found, ...others] = planted("request", 1, replaced("body", ',"amount"', ', "amount"'))
    assert.deepStrictEqual([found?.route, found?.field, others], ["POST /v1/payments", "body bytes", []])
  })

  it("and a row's amount, and a row that is gone, are found", () => {
    only(planted("row", 1, replaced("amount", "1200", "12000")), "table events", "amount", "1200", "12000")
    const recording = recordingOf(later)
    const gone = recording.observed.find(({ kind }) => kind === "row")
    const observed = recording.observed.filter((each) => each !== gone)
    const found = compare(recordingOf(earlier), { ...recording, observed })
    assert.deepStrictEqual(
      found.map(({ after, field, route }) => [route, field, after]),
      [["table events", "row", null]]
    )
  })

  it("and the body of an event, and the secret that signs it, are found", () => {
    const route = "event payment.succeeded at shop"
    only(
      planted("event", 0, replaced("body", "succeeded", "failed")),
      route,
      "body /data/status",
      '"succeeded"',
      '"failed"'
    )
    const unsigned = planted("event", 1, (fields) => ({ ...fields, signature: "1 signatures, valid for no secret" }))
    assert.deepStrictEqual(
      unsigned.map(({ field }) => field),
      ["signature"]
    )
  })

  it("and a log line is found", () => {
    const found = planted("log", 0, replaced("line", "is paid", "is not paid"))
    only(found, "log", "line /message", '"<pay 2> is paid"', '"<pay 2> is not paid"')
  })

  it("and a command's output and exit code are found", () => {
    const route = "paymux payments list"
    only(
      planted("command", 0, replaced("stdout", "12.00", "12.01")),
      route,
      "stdout line 2",
      "<pay 1>  12.00",
      "<pay 1>  12.01"
    )
    only(planted("command", 0, replaced("code", "0", "1")), route, "code", "0", "1")
  })

  it("and an id that stands in the place of another is found, in an answer, a row, an event and a log line", () => {
    const swapped = (field: string) => replaced(field, later.id("pay", 1), later.id("pay", 2))
    const one = { before: "<pay 1>", after: "<pay 2>" }
    const fieldsOf = (found: ReadonlyArray<Difference>) => found.map(({ field }) => field)
    assert.deepStrictEqual(
      planted("row", 0, swapped("payment_id")).map(({ after, before }) => ({ before, after })),
      [one]
    )
    assert.deepStrictEqual(fieldsOf(planted("event", 0, swapped("body"))), ["body /data/id"])
    assert.deepStrictEqual(fieldsOf(planted("command", 0, swapped("stdout"))), ["stdout line 2"])
    const back = replaced("line", later.id("pay", 2), later.id("pay", 1))
    assert.deepStrictEqual(fieldsOf(planted("log", 0, back)), ["line /message"])
  })

  it("and two ids that no answer shows are found where a table mixes them up", () => {
    const first = later.id("evt", 1)
    const found = planted("row", 3, (fields) => ({ ...fields, event_id: first }))
    assert.deepStrictEqual(
      found.map(({ field, route }) => [route, field]),
      [["table deliveries", "event_id"]]
    )
  })

  it("and a time that moved by more than a slow machine explains is found, and a filter by a date is content", () => {
    const soon = new Date(later.startedAt + 1_000).toISOString()
    const expiry = new Date(later.startedAt + 901_000).toISOString()
    only(
      planted("request", 0, replaced("body", soon, expiry)),
      "POST /v1/payments",
      "body /created_at",
      '"<start + 1 s>"',
      '"<start + 901 s>"'
    )
    const of = (text: string): Recording => ({
      startedAt: later.startedAt,
      observed: [{ kind: "log", name: "", route: "log", fields: { line: text } }]
    })
    assert.lengthOf(compare(of("2020-01-01T00:00:00Z"), of("2020-01-02T00:00:00Z")), 1)
  })

  it("and an event that did not come on either side is a difference", () => {
    const lost: Recording = {
      startedAt: 0,
      observed: [{ kind: "request", name: "paid", route: "wait paid", fields: { came: "false" } }]
    }
    assert.lengthOf(compare(lost, lost), 2)
  })
})

describe("words and amounts are never masked", () => {
  const texts = [
    '{"code":"payment_method_not_supported","amount":9007199254740991}',
    "sandbox_card_unavailable_for_this_currency",
    "https://shop.example/done?order=1795891473&phone=%2B919999999999",
    "PaymentIntentRequiresConfirmationAction",
    "application/x-www-form-urlencoded; charset=utf-8",
    "100 seconds, 12.50 EUR, 411001"
  ]
  it.each(texts)("%s", (text) => {
    for (const [index, character] of text.split("").entries()) {
      if (!/[A-Za-z0-9]/.test(character)) continue
      const other = /\d/.test(character) ? String((Number(character) + 1) % 10) : character === "q" ? "r" : "q"
      const of = (line: string): Recording => ({
        startedAt: Date.UTC(2026, 10, 28),
        observed: [{ kind: "request", name: "one", route: "one", fields: { body: line } }]
      })
      assert.isNotEmpty(compare(of(text), of(text.slice(0, index) + other + text.slice(index + 1))), `${index}`)
    }
  })

  it("measured values are, and nothing beside them", () => {
    assert.strictEqual(withoutMeasures("table statistics_generations", "version", "7"), "<measured>")
    assert.strictEqual(withoutMeasures("table payments", "version", "7"), "7")
    assert.strictEqual(withoutMeasures("table requests", "microseconds", "4711"), "<measured>")
    assert.strictEqual(withoutMeasures("table requests", "amount", "4711"), "4711")
    assert.strictEqual(
      withoutMeasures("table requests", "body", '{"duration":12.5,"amount":12}'),
      '{"duration":"<measured>","amount":12}'
    )
    assert.strictEqual(
      withoutMeasures("table requests", "body", "paymux_calls_seconds_count 3"),
      "paymux_calls_seconds_count 3"
    )
  })
})

describe("accepted differences", () => {
  const difference: Difference = { route: "GET /healthz", field: "status", before: "200", after: "204" }
  const entry = { route: "GET /healthz", field: "status", reason: "no body" }

  it("accept their route and field, and an entry that accepts nothing is stale", () => {
    assert.deepStrictEqual(judge([difference], [entry]), { open: [], accepted: 1, stale: [] })
    assert.deepStrictEqual(judge([{ ...difference, field: "body" }], [entry]).stale, [entry])
    assert.lengthOf(judge([{ ...difference, field: "body" }], [entry]).open, 1)
  })

  it("accept with * every field that begins so, and no other", () => {
    const part = { ...entry, field: "body /paths/*" }
    const fieldOf = (field: string) => ({ ...difference, field })
    const differences = [fieldOf("body /paths//v1/get"), fieldOf("body /paths//v2"), fieldOf("body /info")]
    assert.deepStrictEqual(judge(differences, [part]), { open: [fieldOf("body /info")], accepted: 2, stale: [] })
    assert.deepStrictEqual(judge([fieldOf("body /path")], [part]).stale, [part])
  })

  it("are refused in one sentence when the file is not a list of at most 20 entries with a reason each", () => {
    const many = Array.from({ length: mostAccepted + 1 }, (_, index) => ({ ...entry, field: `${index}` }))
    const { reason: _, ...unreasoned } = entry
    for (const bad of [
      "",
      "{}",
      "[1]",
      JSON.stringify(many),
      JSON.stringify([unreasoned]),
      JSON.stringify([entry, entry])
    ]) {
      assert.isString(readAccepted(bad), bad)
    }
    for (const bad of [
      { ...entry, reason: " " },
      { ...entry, other: "x" }
    ])
      assert.isString(readAccepted(JSON.stringify([bad])))
    assert.deepStrictEqual(readAccepted(JSON.stringify(many.slice(1))), many.slice(1))
  })
})

describe("the corpus", () => {
  it("names each request and command once in its group", () => {
    for (const { entries, name } of groups) {
      const names = entries.flatMap((entry) => ("name" in entry ? [entry.name] : []))
      assert.strictEqual(new Set(names).size, names.length, name)
    }
  })

  it("reports a route without the ids and the query of a request", () => {
    assert.strictEqual(routeOf("GET /v1/payments/{card}/refunds?limit=1"), "GET /v1/payments/{id}/refunds")
  })

  it("fails where an entry refers to what none has saved", () => {
    const saved = new Saved()
    saved.save('{"data":[{"id":"pay_1"}]}', { first: "data.0.id", none: "data.1.id" })
    assert.strictEqual(saved.filled("/{first}/{none}"), "/pay_1/no_none")
    assert.throws(() => saved.filled("{other}"), /before an entry saves it/)
  })
})

describe("what cannot be compared is refused in one sentence", () => {
  const repositoryOf = (folder: string) => {
    const git = (...args: ReadonlyArray<string>): string =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: folder })
        .toString()
        .trim()
    const commit = (file: string, text: string): string => {
      mkdirSync(join(folder, file, ".."), { recursive: true })
      writeFileSync(join(folder, file), text)
      git("add", ".")
      git("commit", "--quiet", "--message", file)
      return git("rev-parse", "HEAD")
    }
    git("init", "--quiet")
    return commit
  }

  const refusalOf = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => "nothing was refused",
      (cause: unknown) => String(cause)
    )

  it("a name that is no commit, a commit without the program, and accepted differences that are not committed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "paymux-same-test-"))
    try {
      const commit = repositoryOf(folder)
      const without = commit("accepted.json", "[]")
      const complete = commit("packages/paymux/src/bin.ts", "")
      assert.strictEqual(await commitOf("HEAD", folder), complete)
      assert.match(await refusalOf(commitOf("nope", folder)), /nope is not a commit of this repository\.$/)
      assert.match(await refusalOf(commitOf("--all", folder)), /--all is not a commit of this repository\.$/)
      assert.match(await refusalOf(commitOf(without, folder)), /has no packages\/paymux\/src\/bin\.ts/)
      await refuseUncommitted("accepted.json", folder)
      writeFileSync(join(folder, "accepted.json"), "[1]")
      assert.match(
        await refusalOf(refuseUncommitted("accepted.json", folder)),
        /accepted\.json differs .*: commit it first\.$/
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.each([
    [[], /^Pass --with <commit> .*\.\n$/],
    [["--with", "HEAD", "--only", "none"], /^--only must be one of payments, .*, not "none"\.\n$/],
    [["--with", "HEAD", "--database", "mysql"], /^--database must be sqlite, postgres or both, not "mysql"\.\n$/],
    [["--fast"], /^Unknown option '--fast': see pnpm same --help\.\n$/]
  ] as const)("%j", (args, sentence) => {
    const ended = spawnSync(process.execPath, [join(root, "scripts/same.ts"), ...args], { encoding: "utf8" })
    assert.match(ended.stderr, sentence)
    assert.strictEqual(ended.status, 2)
  })
})
