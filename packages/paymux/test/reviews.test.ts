/** Reviews through the library, on both databases, and by operators who act at the same moment. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { ReviewRefused } from "@paymux/core"
import { createPaymux } from "../src/index.ts"
import type { Paymux } from "../src/index.ts"
import { startCommands } from "./Commands.ts"
import { emptyDatabases } from "./emptyDatabases.ts"
import { card } from "./card.ts"
import { reportDuplicate } from "./ProviderReports.ts"

const { folder, postgres, sqlite } = await emptyDatabases()
const servers = new Map<string, Promise<Paymux>>()

afterAll(async () => {
  for (const paymux of servers.values()) await (await paymux).close()
})

/** One for each database. */
const server = (database: string): Promise<Paymux> => {
  const paymux = servers.get(database) ?? createPaymux({ sandbox: true, database })
  servers.set(database, paymux)
  return paymux
}

/** A paid payment of which the provider reports two more charges. */
const inReview = async (paymux: Paymux, database: string) => {
  const { id } = await paymux.payments.create(card)
  for (const reference of ["second", "third"]) await reportDuplicate(database, id, `ch_${id}_${reference}`)
  const { reviews, version } = await paymux.reviews.get(id)
  return { id, version, reviews: reviews.map((review) => review.id) }
}

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => assert.fail("accepted"),
    (error: unknown) => error
  )

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
])("reviews on %s", (_, database) => {
  it("are listed, shown with what fits them and what was reported, and resolved", async () => {
    const paymux = await server(database)
    const { id, reviews, version } = await inReview(paymux, database)
    const [first = "", second = ""] = reviews
    const listed = (await paymux.reviews.list()).data.filter(({ paymentId }) => paymentId === id)
    assert.deepStrictEqual(listed.map((review) => review.id).toSorted(), [...reviews].toSorted())
    assert.deepInclude(listed[0], { reason: "duplicate_capture", amount: 1200, currency: "EUR" })
    const shown = await paymux.reviews.get(id)
    assert.deepStrictEqual(
      shown.reviews[0]?.resolutions.map(({ resolution }) => resolution),
      ["not_done", "given_back"]
    )
    assert.deepInclude(shown.reviews[0]?.reported.at(-1), {
      kind: "captured",
      amount: 1200,
      reference: `ch_${id}_third`
    })
    assert.strictEqual(shown.payment.id, id)

    const evidence = "Refunded in the dashboard, re_88, A. Rao"
    const resolved = await paymux.reviews.resolve(id, { review: first, resolution: "given_back", evidence, version })
    assert.deepStrictEqual(
      resolved.payment.reviews.map((review) => review.id),
      [second]
    )
    const after = (await paymux.reviews.list()).data.filter(({ paymentId }) => paymentId === id)
    assert.deepStrictEqual(
      after.map((review) => review.id),
      [second]
    )
    const outdated = await refusal(
      paymux.reviews.resolve(id, { review: second, resolution: "given_back", evidence, version })
    )
    assert.instanceOf(outdated, ReviewRefused)
    assert.strictEqual(outdated.reason, "changed")
    assert.deepStrictEqual({ ...outdated.present }, { id, version: resolved.version })
    for (const other of [paymux.forAccount("other"), paymux.forAccount("default", { mode: "live" })]) {
      assert.deepStrictEqual((await other.reviews.list()).data, [])
      const missing = await refusal(other.reviews.get(id))
      assert.include(String(missing), "There is no such payment")
      const statement = { review: second, resolution: "given_back", evidence } as const
      assert.deepInclude(await refusal(other.reviews.resolve(id, statement)), { reason: "not_found" })
    }
  })

  it("that several operators resolve at the same moment are resolved once; the others see the present state", async () => {
    const paymux = await server(database)
    const { id, reviews, version } = await inReview(paymux, database)
    const [review = ""] = reviews
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) =>
        paymux.reviews.resolve(id, {
          review,
          resolution: n % 2 === 0 ? "given_back" : "not_done",
          evidence: `operator ${n}`,
          ...(n < 4 && { version })
        })
      )
    )
    const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []))
    assert.lengthOf(refused, 7)
    for (const error of refused) {
      assert.instanceOf(error, ReviewRefused)
      assert.include(["changed", "not_in_review"], error.reason)
    }
    const { evidence, resolved, version: present } = await paymux.reviews.get(id)
    for (const error of refused) assert.deepInclude(error, { present: { id, version: present } })
    assert.lengthOf(
      resolved.filter((each) => each.review === review),
      1
    )
    assert.lengthOf(
      evidence.filter(({ source }) => source === "operator"),
      1
    )
  })

  it("are refused with a reason where the statement makes no sense", async () => {
    const paymux = await server(database)
    const { id, reviews } = await inReview(paymux, database)
    const [review = ""] = reviews
    const valid = { review, resolution: "given_back", evidence: "re_88" } as const
    const statements: ReadonlyArray<readonly [object, string]> = [
      [{ ...valid, evidence: 5 }, "is not valid"],
      [{ ...valid, evidence: " " }, "evidence"],
      [{ ...valid, resolution: "refunded" }, "is not valid"],
      [{ ...valid, operation: "op_1" }, "is not valid"],
      [{ resolution: "given_back", evidence: "x" }, "is not valid"],
      [{ ...valid, review: 5 }, "is not valid"],
      [{ ...valid, versions: 5 }, "is not valid"],
      [{ ...valid, version: "5" }, "is not valid"],
      [{ ...valid, review: "rev_none" }, "may be resolved already"],
      [{ ...valid, amount: 100 }, "takes an amount"],
      [{ ...valid, resolution: "dismissed" }, "These fit: not_done, given_back"]
    ]
    for (const [statement, sentence] of statements) {
      assert.include(String(await refusal(paymux.reviews.resolve(id, statement as never))), sentence)
    }
    const queries = [{ limit: 0 }, { order: "x" }, { order: "amount" }, { reason: "x" }, { from: -1 }, { status: "x" }]
    for (const query of [...queries, { after: "x" }, { provider: 5 }]) {
      await refusal(paymux.reviews.list(query as never))
    }
    for (const none of ["", "pay_1", "' OR 1=1 --"]) await refusal(paymux.reviews.get(none))
    assert.lengthOf((await paymux.reviews.get(id)).reviews, 2)
  })
})

it("resolves a review once where two processes resolve it at the same moment, on PostgreSQL", async () => {
  const paymux = await server(postgres)
  const { id, reviews } = await inReview(paymux, postgres)
  const processes = [startCommands(), startCommands()]
  try {
    // Started and connected before, so that both are ready.
    await Promise.all(processes.map((each) => each.run(folder, "review", "show", id, "--database", postgres)))
    for (const review of reviews) {
      const ran = await Promise.all(
        processes.map((each, n) =>
          each.run(
            folder,
            "review",
            "resolve",
            id,
            review,
            "--as",
            n === 0 ? "given_back" : "not_done",
            "--evidence",
            `process ${n}`,
            "--yes",
            "--database",
            postgres
          )
        )
      )
      assert.strictEqual(ran.filter(({ code }) => code === 0).length, 1)
      assert.match(ran.map(({ stderr }) => stderr).join(""), /was resolved at|may be resolved already/)
    }
  } finally {
    for (const each of processes) each.stop()
  }
  const { evidence, resolved } = await paymux.reviews.get(id)
  assert.lengthOf(resolved, 2)
  assert.lengthOf(
    evidence.filter(({ source }) => source === "operator"),
    2
  )
})
