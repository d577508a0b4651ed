/** Rules that are kept in the database: versions, publishing, rolling back, and what payments say of it. On both databases. */
import { assert, describe, it } from "@effect/vitest"
import { theProgram } from "@paymux/dashboard"
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterAll, beforeAll, vi } from "vitest"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { migrations } from "../../src/Database.ts"
import { card } from "../card.ts"
import { createPaymux, RulesConflict, RulesInvalid } from "../../src/index.ts"
import type { Paymux, PaymuxOptions } from "../../src/index.ts"

/** Card payments go to the provider with this letter. */
const rules = (letter: "a" | "b", remark = "") => `# Cards ${remark}
version: 1
rules:
  - name: to ${letter} # see the wiki
    when: { payment_method: card }
    choose: { priority: [sandbox_card_${letter}] }
default: { priority: [sandbox_card_a, sandbox_upi_a] }
`

let folder = ""
const scope = Scope.makeUnsafe()
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "paymux-database-rules-"))
  writeFileSync(join(folder, "routing.yaml"), rules("a"))
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
})

let files = 0
const databases: ReadonlyArray<readonly [string, () => Promise<string>]> = [
  ["SQLite", async () => `sqlite:${join(folder, `${files++}.db`)}`],
  ["PostgreSQL", () => Effect.runPromise(Scope.provide(temporaryDatabase(migrations), scope))]
]

const started = (database: string, initial = "routing.yaml", logs: PaymuxOptions["logs"] = false): Promise<Paymux> =>
  createPaymux({
    sandbox: true,
    database,
    logs,
    routing: { source: "database", initial: join(folder, initial) }
  })

const providerOf = async (paymux: Paymux) => (await paymux.payments.create(card)).attempts[0]?.provider

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => new Error("it was accepted"),
    (error: unknown) => error
  )

/** Asks again until it is so. Fails after 20 s: the limit of a test is minutes. */
const eventually = async <A>(ask: () => Promise<A>, so: (answer: A) => boolean): Promise<A> => {
  for (const end = performance.now() + 20_000; performance.now() < end; await setTimeout(50)) {
    const answer = await ask()
    if (so(answer)) return answer
  }
  return assert.fail("It was not so within 20 s")
}

for (const [name, databaseOf] of databases) {
  describe(`rules in the database, on ${name}`, () => {
    it("begin with the initial file, and keep each version as it was written, with its author and why", async () => {
      await using paymux = await started(await databaseOf())
      const asha = paymux.forAccount("default", { actor: { id: "usr_1", name: "Asha" } })
      assert.strictEqual(await providerOf(paymux), "sandbox_card_a")
      const [first, ...others] = (await paymux.auditLog.list()).entries
      assert.deepStrictEqual(others, [])
      const [initial] = (await paymux.rules.history()).versions
      assert.deepInclude(first, { action: "routing.publish", target: "version 1", outcome: "done", before: null })
      assert.deepStrictEqual(first?.actor, theProgram)
      assert.deepStrictEqual(first?.after, {
        version: 1,
        ruleset: initial?.ruleset ?? "",
        note: `from ${join(folder, "routing.yaml")}`,
        restores: null
      })
      const published = await asha.rules.publish({ text: rules("b"), from: 1, note: "b is cheaper" })
      assert.strictEqual(await providerOf(paymux), "sandbox_card_b")
      const rolledBack = await asha.rules.rollback({ to: 1, from: 2 })
      assert.strictEqual(await providerOf(paymux), "sandbox_card_a")

      const { next, versions } = await paymux.rules.history()
      assert.isNull(next)
      assert.deepStrictEqual(versions.slice(0, 2), [rolledBack, published])
      assert.deepStrictEqual(
        versions.map(({ author, note, restores, version }) => [version, author?.id, note, restores]),
        [
          [3, "usr_1", null, 1],
          [2, "usr_1", "b is cheaper", null],
          [1, "program", `from ${join(folder, "routing.yaml")}`, null]
        ]
      )
      assert.strictEqual((await paymux.rules.get(2))?.text, rules("b"))
      assert.isNull(await paymux.rules.get(4))
      const { inForce, origin, ruleset, text, version } = await paymux.rules.current()
      assert.deepStrictEqual([version, text, inForce, origin], [3, rules("a"), ruleset, { kind: "database" }])
      assert.include(await paymux.rules.diff(1, 2), "-    choose: { priority: [sandbox_card_a] }\n+")
      assert.strictEqual(await paymux.rules.diff(1, 3), "")
    })

    it("that reject payments are published if that is accepted, start again, and are shown by the doctor", async () => {
      const database = await databaseOf()
      const draft = `${rules("b")}exclude: [sandbox_card_b]\n`
      const text = draft.replace("[sandbox_card_a, ", "[")
      {
        await using paymux = await started(database)
        const message = /rule "to b" has no provider for a payment such as .*"sandbox_card_b" is excluded/
        const checked = await paymux.rules.check(text)
        assert.deepInclude(checked, { valid: false, acceptable: true })
        assert.match(checked.problems[0]?.message ?? "", message)
        const refused = await failureOf(paymux.rules.publish({ text, from: 1 }))
        assert.instanceOf(refused, RulesInvalid)
        assert.match(refused.message, message)
        for (const acceptNoRoute of ["yes", 1]) {
          const wrong = { text, from: 1, acceptNoRoute }
          assert.match(String(await failureOf(paymux.rules.publish(wrong as never))), /acceptNoRoute.*true or false/s)
        }
        assert.lengthOf((await paymux.rules.history()).versions, 1)
        await paymux.rules.publish({ text, from: 1, acceptNoRoute: true })
        const [entry] = (await paymux.auditLog.list()).entries
        assert.deepInclude(entry?.after, { version: 2, acceptedNoRoute: true })
        // Rules that reject nothing are not marked, even with the option.
        await paymux.rules.rollback({ to: 1, from: 2, acceptNoRoute: true })
        assert.notProperty((await paymux.auditLog.list()).entries[0]?.after, "acceptedNoRoute")
        assert.instanceOf(await failureOf(paymux.rules.rollback({ to: 2, from: 3 })), RulesInvalid)
        await paymux.rules.rollback({ to: 2, from: 3, acceptNoRoute: true })
      }
      await using again = await started(database)
      const { problems, version } = await again.rules.current()
      assert.deepStrictEqual([version, problems], [4, []])
      assert.match(String(await failureOf(providerOf(again))), /no_route|No provider/i)
      const finding = (await again.doctor()).find(({ name }) => name === "rules")
      assert.strictEqual(finding?.grade, "fault")
      assert.match(finding?.text ?? "", /version 4 of the rules:8:11 rule "to b" has no provider/)
    })

    it("are paged, and found by the ruleset that a payment names", async () => {
      await using paymux = await started(await databaseOf())
      const { routing } = await paymux.payments.create(card)
      for (const from of [1, 2, 3]) await paymux.rules.publish({ text: rules("b", String(from)), from })
      const first = await paymux.rules.history({ limit: 3 })
      const second = await paymux.rules.history({ limit: 3, after: first.next ?? "" })
      assert.deepStrictEqual(
        [...first.versions, ...second.versions].map(({ version }) => version),
        [4, 3, 2, 1]
      )
      assert.isNull(second.next)
      const { versions } = await paymux.rules.history({ ruleset: routing.ruleset })
      assert.deepStrictEqual(
        versions.map(({ version }) => version),
        [1]
      )
    })

    it("of two publications from one version one wins, and the other sees what was published", async () => {
      const database = await databaseOf()
      await using one = await started(database)
      // One engine uses a file of SQLite; PostgreSQL may have many.
      await using other = name === "SQLite" ? null : await started(database)
      const [won, lost] = (
        await Promise.allSettled([
          one.rules.publish({ text: rules("b", "one"), from: 1 }),
          (other ?? one).rules.publish({ text: rules("b", "two"), from: 1 })
        ])
      ).toSorted((a, b) => a.status.localeCompare(b.status))
      assert.strictEqual(won?.status, "fulfilled")
      const conflict = lost?.status === "rejected" ? lost.reason : null
      assert.instanceOf(conflict, RulesConflict)
      const { diff, from, version } = conflict
      assert.deepStrictEqual([from, version], [1, 2])
      const [present] = (await one.rules.history()).versions
      const { text = "" } = (await one.rules.get(present?.version ?? 0)) ?? {}
      const [winner, loser] = text.includes("one") ? ["one", "two"] : ["two", "one"]
      assert.include(diff, `-# Cards ${winner}\n+# Cards ${loser}\n`)
      assert.lengthOf((await one.rules.history()).versions, 2)
      const { entries } = await one.auditLog.list({ action: "routing.publish" })
      assert.lengthOf(entries, 2)
      assert.deepInclude(entries[0], { target: "version 2", outcome: "done" })
      assert.strictEqual(entries[0]?.before?.["version"], 1)
    })

    it("stand for each payment: none fails while versions change, and each names the one that routed it", async () => {
      await using paymux = await started(await databaseOf())
      const state = { publishing: true }
      const made: Array<{ readonly ruleset: string; readonly provider: string | undefined }> = []
      const pay = async () => {
        while (state.publishing) {
          const { attempts, routing } = await paymux.payments.create(card)
          made.push({ ruleset: routing.ruleset, provider: attempts[0]?.provider })
        }
      }
      const paying = Promise.all(Array.from({ length: 8 }, pay))
      for (const from of [1, 2, 3, 4]) {
        if (from % 2 === 1) await paymux.rules.publish({ text: rules("b"), from })
        else await paymux.rules.rollback({ to: 1, from })
        const before = made.length
        await eventually(
          async () => made.length,
          (count) => count > before + 20
        )
      }
      state.publishing = false
      await paying
      const [b, a] = (await paymux.rules.history()).versions.slice(-2).map(({ ruleset }) => ruleset)
      const expected = new Map([
        [a, "sandbox_card_a"],
        [b, "sandbox_card_b"]
      ])
      for (const { provider, ruleset } of made) assert.strictEqual(provider, expected.get(ruleset))
      assert.strictEqual(new Set(made.map(({ ruleset }) => ruleset)).size, 2)
    })

    it("refuse what cannot be published, and change nothing", async () => {
      await using paymux = await started(await databaseOf())
      const text = rules("b")
      const message = async (call: Promise<unknown>) => String(await failureOf(call))
      const invalid = await failureOf(paymux.rules.publish({ text: text.replace("card_b", "cart_b"), from: 1 }))
      assert.instanceOf(invalid, RulesInvalid)
      assert.deepStrictEqual(invalid.problems, [
        {
          line: 6,
          column: 26,
          message: 'rule "to b": provider "sandbox_cart_b" is not configured; did you mean "sandbox_card_b"?'
        }
      ])
      const doubled = (n: number) => `a${n}: &a${n} [*a${n - 1}, *a${n - 1}]`
      const bomb = ["a0: &a0 [x, x]", ...Array.from({ length: 30 }, (_, n) => doubled(n + 1))]
      const many = Array.from({ length: 2_001 }, (_, n) => `  - { name: r${n}, when: {}, choose: { priority: [x] } }`)
      for (const [given, expected] of [
        ["x".repeat(5_000_000), /has 4883 KB; rules in the database may have at most 512 KB/],
        [bomb.join("\n"), /the aliases up to here stand for more than 100000 values/],
        [["version: 1", "rules:", ...many].join("\n"), /has 2001 rules; rules in the database may have at most 2000/],
        ["", /is empty/],
        ["# \u{0}", /a control character/],
        ["# \uD800\n", /is not valid Unicode/],
        ["[".repeat(100), /nested more than 64 levels deep/]
      ] as const) {
        assert.match(await message(paymux.rules.publish({ text: given, from: 1 })), expected)
      }
      assert.match(await message(paymux.rules.publish({ text: rules("a"), from: 1 })), /there is nothing to publish/)
      assert.match(await message(paymux.rules.publish({ text, from: 7 })), /The newest version is 1, not 7/)
      assert.match(await message(paymux.rules.rollback({ to: 7, from: 1 })), /Version 7 of the rules not found/)
      for (const note of ["x".repeat(501), "a\nb", "\uD800"]) {
        assert.match(await message(paymux.rules.publish({ text, from: 1, note })), /must be one line of at most 500/)
      }
      for (const wrong of [
        { text, from: 0 },
        { text, from: 1.5 },
        { text, from: "1" },
        { text: 5, from: 1 },
        { from: 1 },
        { text },
        { text, from: 1, note: 5 },
        { text, from: 1, notes: "x" },
        null
      ]) {
        assert.match(await message(paymux.rules.publish(wrong as never)), /not valid|is not a known option/i)
      }
      assert.lengthOf((await paymux.rules.history()).versions, 1)
      assert.lengthOf((await paymux.auditLog.list()).entries, 1)
      assert.strictEqual(await providerOf(paymux), "sandbox_card_a")
    })
  })
}

describe("rules in the database", () => {
  it("are stored once by servers that start at once, and are in force in each soon after one of them published", async () => {
    const database = await databases[1]?.[1]()
    const servers = await Promise.all([started(database ?? ""), started(database ?? ""), started(database ?? "")])
    const [one, ...others] = servers
    assert.lengthOf((await one.rules.history()).versions, 1)
    assert.lengthOf((await one.auditLog.list()).entries, 1)
    await one.rules.publish({ text: rules("b"), from: 1 })
    assert.strictEqual(await providerOf(one), "sandbox_card_b")
    for (const other of others) {
      await eventually(
        () => providerOf(other),
        (provider) => provider === "sandbox_card_b"
      )
    }
    await Promise.all(servers.map((each) => each.close()))
  })

  it("are the newest version after a restart, whatever the initial file is by then", async () => {
    const database = `sqlite:${join(folder, "restarted.db")}`
    const first = await started(database)
    await first.rules.publish({ text: rules("b"), from: 1 })
    await first.close()
    await using second = await started(database, "gone.yaml")
    assert.strictEqual((await second.rules.current()).version, 2)
    assert.strictEqual(await providerOf(second), "sandbox_card_b")
  })

  it("are not stored where the initial file does not fit, and are the order of the providers without a file", async () => {
    writeFileSync(join(folder, "broken.yaml"), rules("a").replace("card_a]", "cart_a]"))
    const database = `sqlite:${join(folder, "broken.db")}`
    assert.match(
      String(await failureOf(started(database, "broken.yaml"))),
      /broken\.yaml:6:26 rule "to a": provider "sandbox_cart_a" is not configured/
    )
    await using paymux = await createPaymux({ sandbox: true, database, logs: false, routing: { source: "database" } })
    const { note, text, version } = await paymux.rules.current()
    assert.deepStrictEqual([version, note], [1, "the order of the configuration"])
    assert.match(text, /^version: 1\ndefault:\n {2}priority:\n {4}- sandbox_/)
  })

  /** As a server with other providers publishes it. */
  const publishElsewhere = (file: string, version: number, text: string) => {
    const database = new DatabaseSync(file)
    database
      .prepare(`INSERT INTO paymux_rules_versions VALUES (?, ?, ?, 0, 'program', 'program', NULL, NULL, NULL)`)
      .run(version, `sha256:${version}`, text)
    database.close()
  }
  const unfit = (letter: "a" | "b") => rules(letter).replace(`card_${letter}]`, `cart_${letter}]`)
  const problemOf = (letter: "a" | "b") =>
    `rule "to ${letter}": provider "sandbox_cart_${letter}" is not configured; did you mean "sandbox_card_${letter}"?`
  const rulesFinding = async (paymux: Paymux) => (await paymux.doctor()).find(({ name }) => name === "rules")

  it("that do not fit a server leave those in force that it has, and are shown with their problems", async () => {
    const file = join(folder, "unfit.db")
    const logged = vi.spyOn(console, "error").mockReturnValue(undefined)
    await using paymux = await started(`sqlite:${file}`, "routing.yaml", "json")
    publishElsewhere(file, 2, unfit("b"))
    const current = await eventually(
      () => paymux.rules.current(),
      ({ problems }) => problems.length > 0
    )
    assert.deepInclude(current, { version: 2, problems: [{ line: 6, column: 26, message: problemOf("b") }] })
    assert.notStrictEqual(current.inForce, current.ruleset)
    assert.strictEqual(await providerOf(paymux), "sandbox_card_a")
    assert.deepInclude(await rulesFinding(paymux), { grade: "fault" })
    // Several looks later: of versions that were published at once, the newest that fits is in force.
    publishElsewhere(file, 3, rules("b"))
    publishElsewhere(file, 4, unfit("a"))
    await eventually(
      () => providerOf(paymux),
      (provider) => provider === "sandbox_card_b"
    )
    const { problems, version } = await paymux.rules.current()
    assert.deepStrictEqual([version, problems.length], [4, 1])
    await paymux.rules.publish({ text: rules("a"), from: 4 })
    assert.deepStrictEqual((await paymux.rules.current()).problems, [])
    assert.deepStrictEqual(await rulesFinding(paymux), {
      grade: "ok",
      name: "rules",
      text: "in the database: version 5"
    })
    const errors = logged.mock.calls
      .map(([line]) => String(line))
      .filter((line) => line.includes("cannot be used here"))
    logged.mockRestore()
    assert.deepStrictEqual(
      errors.map((line) => /Version \d/.exec(line)?.[0]),
      ["Version 2", "Version 4"]
    )
  })

  it("that do not fit a server that starts let it start with the newest that fits, and it says so", async () => {
    const file = join(folder, "unfit-start.db")
    const first = await started(`sqlite:${file}`)
    await first.rules.publish({ text: rules("b"), from: 1 })
    await first.close()
    publishElsewhere(file, 3, unfit("b"))
    publishElsewhere(file, 4, unfit("a"))
    const logged = vi.spyOn(console, "error").mockReturnValue(undefined)
    await using paymux = await started(`sqlite:${file}`, "routing.yaml", "json")
    const lines = logged.mock.calls.map(([line]) => String(line))
    logged.mockRestore()
    const [error, ...more] = lines.filter((line) => line.includes("cannot be used here"))
    assert.deepStrictEqual(more, [])
    assert.include(error, "Version 4 of the routing rules cannot be used here, version 2 stays in force")
    assert.strictEqual(await providerOf(paymux), "sandbox_card_b")
    const { inForce, problems, version } = await paymux.rules.current()
    assert.deepStrictEqual([version, problems], [4, [{ line: 6, column: 26, message: problemOf("a") }]])
    assert.strictEqual(inForce, (await paymux.rules.get(2))?.ruleset)
    const finding = await rulesFinding(paymux)
    assert.strictEqual(finding?.grade, "fault")
    assert.include(finding?.text, "version 4, the newest, cannot be used by this server")
    assert.include(finding?.text, problemOf("a"))
    // This server can publish rules that fit.
    await paymux.rules.rollback({ to: 1, from: 4 })
    assert.strictEqual(await providerOf(paymux), "sandbox_card_a")
    assert.deepInclude(await rulesFinding(paymux), { grade: "ok" })
  })

  it("that name more days than a call can have arguments are in force again after a restart", async () => {
    const days = Array.from({ length: 31_500 }, (_, index) => new Date(index * 86_400_000).toISOString().slice(0, 10))
    const text = rules("b").replace("when: {", `when: { time: { dates: [${days.join(",")}] }, `)
    const database = `sqlite:${join(folder, "days.db")}`
    const first = await started(database)
    await first.rules.publish({ text, from: 1 })
    await first.close()
    await using second = await started(database)
    const { problems, version } = await second.rules.current()
    assert.deepStrictEqual([version, problems], [2, []])
    assert.strictEqual(await providerOf(second), "sandbox_card_b")
  })

  it("of which none fits stop a start, each problem of the newest with its place", async () => {
    const file = join(folder, "no-fit.db")
    await (await started(`sqlite:${file}`)).close()
    publishElsewhere(file, 2, unfit("a"))
    const database = new DatabaseSync(file)
    database.exec("UPDATE paymux_rules_versions SET content = '[' WHERE version = 1")
    database.close()
    const message = String(await failureOf(started(`sqlite:${file}`)))
    assert.include(
      message,
      "version 2 of the rules does not fit the providers of this server, nor do the versions before it"
    )
    assert.include(message, `version 2 of the rules:6:26 ${problemOf("a")}`)
  })

  it("of which only one fits that is twenty versions old stop a start", async () => {
    const file = join(folder, "old-fit.db")
    await (await started(`sqlite:${file}`)).close()
    for (let version = 2; version <= 20; version++) publishElsewhere(file, version, unfit("a"))
    await (await started(`sqlite:${file}`)).close()
    publishElsewhere(file, 21, unfit("b"))
    assert.include(String(await failureOf(started(`sqlite:${file}`))), "nor do the versions before it")
  })

  it("refuse an option that is misspelled or no file of YAML", async () => {
    for (const [routing, expected] of [
      [{ source: "file" }, 'routing.source must be "database"'],
      [{ source: "database", first: "x.yaml" }, 'There is no option "routing.first"'],
      [{ source: "database", initial: "x.json" }, "routing.initial must be the name of a file that ends in .yaml"],
      [{ source: "database", initial: 5 }, "routing.initial must be"]
    ] as const) {
      assert.include(String(await failureOf(createPaymux({ sandbox: true, routing: routing as never }))), expected)
    }
  })
})

describe("rules of a file or of the options", () => {
  it("can be read, explained, compared and backtested, and are edited where they are", async () => {
    const file = join(folder, "own.yaml")
    writeFileSync(file, rules("a"))
    const database = `sqlite:${join(folder, "own.db")}`
    const payment = await (async () => {
      await using paymux = await createPaymux({ sandbox: true, database, logs: false, routing: file })
      const { origin, text } = await paymux.rules.current()
      assert.deepStrictEqual([origin, text], [{ kind: "file", file }, rules("a")])
      assert.include(
        String(await failureOf(paymux.rules.publish({ text: rules("b"), from: 1 }))),
        `The rules come from the file ${file}: edit it there.`
      )
      return paymux.payments.create(card)
    })()
    const config = { version: 1, default: { priority: ["sandbox_card_b", "sandbox_upi_a"] } } as const
    await using paymux = await createPaymux({ sandbox: true, database, logs: false, routing: config })
    assert.include(
      String(await failureOf(paymux.rules.rollback({ to: 1, from: 2 }))),
      "The rules come from the configuration of the server: edit them there."
    )
    assert.deepStrictEqual((await paymux.rules.current()).origin, { kind: "options" })
    assert.include(await paymux.rules.diff(1, 2), "-  - name: to a # see the wiki\n")
    assert.deepInclude(await paymux.rules.check(rules("b")), { valid: true, rules: 1, problems: [] })
    const { explanation } = await paymux.rules.explain({ paymentId: payment.id })
    assert.match(explanation.summary, / decided.*sandbox_card_a/)
    assert.strictEqual(explanation.answer._tag === "Plan" && explanation.answer.decision.rule, "to a")
    const drafted = await paymux.rules.explain({ request: card, text: rules("b") })
    const { answer } = drafted.explanation
    assert.strictEqual(answer._tag === "Plan" && answer.candidates[0]?.provider, "sandbox_card_b")
    const progress: Array<number> = []
    const { moved, report } = await paymux.rules.backtest({
      from: 0,
      text: rules("b"),
      onProgress: (done) => progress.push(done)
    })
    assert.deepStrictEqual([report.payments, report.changes.payments], [1, 1])
    assert.deepStrictEqual(
      moved.map(({ after, before, paymentId, rule }) => [paymentId, before, after, rule]),
      [[payment.id, "sandbox_card_a", "sandbox_card_b", "to b"]]
    )
    assert.strictEqual((await paymux.rules.backtest({ from: 0 })).report.changes.payments, 1)
    assert.strictEqual((await paymux.forAccount("other").rules.backtest({ from: 0 })).report.payments, 0)
    const other = await failureOf(paymux.forAccount("other").rules.explain({ paymentId: payment.id }))
    assert.include(String(other), `Payment ${payment.id} not found.`)
  })

  it("a backtest is canceled by its signal, two run at once, and a database in memory has none", async () => {
    await using paymux = await createPaymux({
      sandbox: true,
      database: `sqlite:${join(folder, "many.db")}`,
      logs: false
    })
    await paymux.payments.create(card)
    const controllers = [new AbortController(), new AbortController(), new AbortController()]
    const running = controllers.map(({ signal }) => failureOf(paymux.rules.backtest({ from: 0, signal })))
    assert.include(String(await running[2]), "2 backtests are running in this process, which is the most")
    for (const controller of controllers) controller.abort(new Error("enough"))
    assert.deepStrictEqual((await Promise.all(running)).slice(0, 2).map(String), ["Error: enough", "Error: enough"])
    const thrown = paymux.rules.backtest({
      from: 0,
      onProgress: () => {
        throw new Error("of the caller")
      }
    })
    assert.notInclude(String(await failureOf(thrown)), "backtests are running")
    await using inMemory = await createPaymux({ sandbox: true, database: ":memory:", logs: false })
    assert.include(String(await failureOf(inMemory.rules.backtest({ from: 0 }))), "A backtest needs a database that")
  })

  it("refuse queries that make no sense", async () => {
    await using paymux = await createPaymux({ sandbox: true, database: ":memory:", logs: false })
    const { rules: calls } = paymux
    const id = "pay_00000000000000000000000000"
    for (const call of [
      calls.check(5 as never),
      calls.explain({} as never),
      calls.explain({ paymentId: 5 } as never),
      calls.explain({ paymentId: id, at: 5 }),
      calls.explain({ request: {}, at: -1 }),
      calls.explain({ request: { amount: "x" } }),
      calls.explain({ request: card, texts: "x" } as never),
      calls.history({ limit: 0 }),
      calls.history({ after: "x" }),
      calls.history({ rulesets: "x" } as never),
      calls.get(0),
      calls.diff(1, -1),
      calls.backtest({} as never),
      calls.backtest({ from: 5, until: 5 }),
      calls.backtest({ from: 0, until: 1, signal: 5 } as never),
      calls.backtest({ from: 0, onProgress: 5 } as never),
      calls.backtest({ from: 0, since: 5 } as never)
    ]) {
      const error = (await failureOf(call)) as { readonly _tag?: string }
      assert.include(["PaymentError", "RulesRequestInvalid"], error._tag)
    }
    assert.include(String(await failureOf(calls.diff(1, 9))), "Version 9 of the rules not found.")
  })
})
