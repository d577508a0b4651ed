/** What a session says, and how it is asked. */
import { assert, describe, it } from "@effect/vitest"
import { type InquiryOutcome, Outcome, type ProviderOperation } from "@paymux/core"
import { Effect } from "effect"
import { bookOf, booksOf } from "../src/testing/objects.ts"
import { createOperation, dollars, laterOperation } from "./operations.ts"
import { connected } from "./refusals.ts"

const id = "paymentSession_82c879c1-84e1-44ed-a8c2-1ac239cf09ad"

describe("what a session says", () => {
  const at = Date.parse("2026-11-21T10:30:00Z")
  const reported = {
    paymentSessionId: id,
    // The latest event, which says nothing of the state.
    status: "refund_failed",
    asset: "usdc",
    expiries: { authorizationExpiresAt: "2099-11-21T11:00:00.000Z", captureExpiresAt: "2099-11-28T10:00:00.000Z" },
    balances: { capturable: "0", captured: "0" },
    url: "https://payments.coinbase.example/1",
    updatedAt: new Date(at).toISOString()
  }
  const action = (status: string, change: object = {}) => ({ status, amount: "170.50", ...change })
  const asked = (session: object, change: Partial<ProviderOperation> = {}) =>
    Effect.gen(function* () {
      const { instance, network } = yield* connected
      yield* network.failNext({ executed: false, reply: { status: 200, json: { ...reported, ...session } } })
      return yield* instance.inquire(yield* createOperation({ reference: id, ...change }))
    }).pipe(Effect.scoped)

  const held = { capturable: "170.50", captured: "0" }
  const authorized = [action("succeeded")]
  const past = { authorizationExpiresAt: "2026-11-21T10:00:00.000Z", captureExpiresAt: "2026-11-21T10:00:00.000Z" }
  const reference = id
  const manual: Partial<ProviderOperation> = { captureMethod: "manual" }
  const moving = Outcome.pending({ reference, awaitingFinality: true })
  const sessions: ReadonlyArray<readonly [string, object, Partial<ProviderOperation>, InquiryOutcome]> = [
    [
      "is held, and a hold was asked for",
      { balances: held, authorizations: authorized },
      manual,
      Outcome.authorized({ reference, amount: dollars(17_050) })
    ],
    ["is held, and will be captured", { balances: held, authorizations: authorized }, {}, moving],
    [
      "is held, and is being captured",
      { balances: held, authorizations: authorized, captures: [action("pending", { captureId: "c" })] },
      {},
      moving
    ],
    [
      "is held, because its capture failed",
      { balances: held, authorizations: authorized, captures: [action("failed", { captureId: "c" })] },
      {},
      Outcome.authorized({ reference, amount: dollars(17_050) })
    ],
    [
      "is held, and was not captured in time",
      { balances: held, authorizations: authorized, expiries: past },
      {},
      Outcome.authorized({ reference, amount: dollars(17_050) })
    ],
    [
      "is captured",
      { balances: { capturable: "0", captured: "170.500000" }, authorizations: authorized },
      {},
      Outcome.succeeded({ reference, amount: dollars(17_050) })
    ],
    [
      "is captured in part",
      { balances: { capturable: "70.50", captured: "100" }, authorizations: authorized },
      manual,
      Outcome.succeeded({ reference, amount: dollars(10_000) })
    ],
    [
      "is between hold and capture",
      { authorizations: authorized, captures: [action("pending", { captureId: "c" })] },
      manual,
      moving
    ],
    ["is being authorized", { authorizations: [action("failed"), action("pending")] }, {}, moving],
    [
      "failed",
      { authorizations: [action("failed", { error: { code: "invalid_signature" } })] },
      {},
      Outcome.declined({
        code: "authentication_failed",
        retry: "same_later",
        reference,
        vendorCode: "invalid_signature"
      })
    ],
    [
      "failed without a word",
      { authorizations: [action("failed")] },
      {},
      Outcome.unknown({ reason: "unmapped", reference, vendorCode: "authorization_failed" })
    ],
    [
      "failed without a word, and is over",
      { authorizations: [action("failed")], expiries: past },
      {},
      Outcome.expired({ reference, vendorCode: "authorization_failed" })
    ],
    [
      "was released",
      { authorizations: authorized, voids: [action("succeeded", { voidId: "v", createdAt: "2026-11-21T10:20:00Z" })] },
      manual,
      Outcome.canceled({ reference })
    ],
    [
      "was released after its time",
      {
        authorizations: authorized,
        expiries: past,
        voids: [action("succeeded", { voidId: "v", createdAt: "2026-11-21T10:20:00Z" })]
      },
      manual,
      Outcome.expired({ reference })
    ],
    [
      "has lost its money without a movement",
      { authorizations: authorized },
      manual,
      Outcome.unknown({ reason: "in_progress", reference })
    ],
    [
      "was canceled, and took money",
      { status: "canceled", balances: { capturable: "0", captured: "170.50" } },
      {},
      Outcome.unknown({ reason: "unmapped", reference, vendorCode: "canceled_with_money" })
    ],
    [
      "was canceled, and holds money",
      { status: "canceled", balances: held, authorizations: authorized },
      manual,
      Outcome.unknown({ reason: "unmapped", reference, vendorCode: "canceled_with_money" })
    ],
    ["was canceled", { status: "canceled" }, {}, Outcome.canceled({ reference })],
    ["was canceled after its time", { status: "canceled", expiries: past }, {}, Outcome.expired({ reference })],
    [
      "has a word that is new",
      { authorizations: [action("adored")] },
      {},
      Outcome.unknown({ reason: "unmapped", reference, vendorCode: "adored" })
    ],
    [
      "has no page",
      { status: "created", url: "javascript:alert(1)" },
      {},
      Outcome.unknown({ reason: "unreadable", reference })
    ]
  ]
  for (const [what, session, change, expected] of sessions) {
    it.live(`by its balances and actions, which ${what}: ${expected._tag}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* asked(session, change), expected)
      })
    )
  }

  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

  it.live("that can be captured no more is voided, but not while its capture or void is under way", () =>
    Effect.gen(function* () {
      const lapsed = { balances: held, authorizations: authorized, expiries: past }
      for (const [change, voids] of [
        [{}, 1],
        [{ expiries: reported.expiries }, 0],
        // Our clock may be ahead.
        [{ expiries: { captureExpiresAt: minutesAgo(5) } }, 0],
        [{ expiries: { captureExpiresAt: minutesAgo(11) } }, 1],
        [{ balances: { capturable: "0", captured: "170.50" } }, 0],
        [{ captures: [action("pending", { captureId: "c" })] }, 0],
        [{ voids: [action("pending", { voidId: "v" })] }, 0]
      ] as const) {
        const { instance, network } = yield* connected
        yield* network.failNext({
          executed: false,
          reply: { status: 200, json: { ...reported, ...lapsed, ...change } }
        })
        yield* instance.inquire(yield* createOperation({ reference: id, ...manual }))
        const sent = (yield* network.requests).filter(({ path }) => path.endsWith("/voids"))
        assert.lengthOf(sent, voids, JSON.stringify(change))
      }
    }).pipe(Effect.scoped)
  )

  it.live("with unreadable amounts is unknown", () =>
    Effect.gen(function* () {
      const unknown = Outcome.unknown({ reason: "unmapped", reference, vendorCode: "amount_unreadable" })
      for (const session of [
        { balances: { capturable: "0", captured: "170.505" } },
        { balances: { capturable: "0", captured: 170.5 } },
        { balances: { capturable: "-1", captured: "0" } },
        { balances: null },
        { asset: "eth" },
        { asset: undefined }
      ]) {
        assert.deepStrictEqual(yield* asked({ authorizations: authorized, ...session }), unknown)
      }
    })
  )
})

describe("inquiries", () => {
  const paid = Effect.gen(function* () {
    const found = yield* connected
    const operation = yield* createOperation({ captureMethod: "manual" })
    const { reference } = yield* found.instance.create(operation)
    yield* found.vendor.payersAct
    return { ...found, operation, reference, asked: { ...operation, reference: reference ?? null } }
  })

  it.live("read the lists of a session that came without them", () =>
    Effect.gen(function* () {
      const { asked, instance, network, vendor } = yield* paid
      booksOf(vendor.ledger).isBare = true
      assert.strictEqual((yield* instance.inquire(asked))._tag, "Authorized")
      const seen = (yield* network.requests).slice(-4).map(({ path }) => path.split("?")[0]?.split("/").at(-1))
      assert.deepStrictEqual(seen, [asked.reference ?? "", "authorizations", "captures", "voids"])
      yield* network.failNext({ executed: false, reply: { status: 500 } }, 2)
      assert.strictEqual((yield* instance.inquire(asked))._tag, "Unknown")
    }).pipe(Effect.scoped)
  )

  it.live("find what was never answered on whichever page of the list it is", () =>
    Effect.gen(function* () {
      const { instance, network } = yield* connected
      const lost = yield* createOperation()
      for (let others = 0; others < 130; others++) yield* instance.create(yield* createOperation())
      yield* network.failNext({ executed: true, reply: "reset" })
      assert.strictEqual((yield* instance.create(lost))._tag, "Unknown")
      const found = yield* instance.inquire(lost)
      assert.strictEqual(found._tag, "Pending")
      assert.isTrue(found._tag === "Pending" && found.nextAction?.type === "redirect")
      assert.deepStrictEqual(yield* instance.inquire(yield* createOperation()), Outcome.notFound())
    }).pipe(Effect.scoped)
  )

  it.live("about what is not there know nothing of a later operation", () =>
    Effect.gen(function* () {
      const { instance, operation, reference } = yield* paid
      const unheard = Outcome.unknown({ reason: "unmapped", vendorCode: "not_found" })
      for (const kind of ["capture", "cancel", "refund"] as const) {
        const later = yield* laterOperation(kind, operation, reference, { reference: "nothing_of_that_name" })
        assert.deepStrictEqual(yield* instance.inquire(later), unheard)
        const unnamed = yield* laterOperation(kind, operation, undefined)
        assert.deepStrictEqual(yield* instance.inquire(unnamed), Outcome.notFound())
        assert.deepStrictEqual(yield* instance[kind](unnamed), Outcome.notExecuted({ reason: "adapter_fault" }))
      }
    }).pipe(Effect.scoped)
  )

  it.live("void a hold that can be captured no more, once, and say it is over when it is", () =>
    Effect.gen(function* () {
      const { asked, instance, network, vendor } = yield* paid
      const books = booksOf(vendor.ledger)
      const [payment] = yield* vendor.payments
      if (payment === undefined) return assert.fail("there is a session")
      // Its week was over long ago.
      const book = bookOf(vendor.ledger, payment)
      books.sessions.set(payment.id, { ...book, createdAt: book.createdAt - 8 * 86_400_000 })
      const voids = Effect.map(network.requests, (all) => all.filter(({ path }) => path.endsWith("/voids")).length)
      books.voids = "pend"
      yield* network.failNext({ executed: false, reply: "reset" }, 1)
      assert.strictEqual((yield* instance.inquire(asked))._tag, "Authorized")
      assert.strictEqual((yield* instance.inquire(asked))._tag, "Authorized")
      assert.strictEqual(yield* voids, 2)
      assert.deepStrictEqual(
        yield* instance.inquire(asked),
        Outcome.pending({ reference: asked.reference ?? "", awaitingFinality: true })
      )
      assert.strictEqual(yield* voids, 2)
      const { release } = bookOf(vendor.ledger, payment)
      if (release !== undefined) release.status = "succeeded"
      vendor.ledger.cancel(payment.id)
      assert.strictEqual((yield* instance.inquire(asked))._tag, "Expired")
    }).pipe(Effect.scoped)
  )
})

describe("a create without an answer", () => {
  it.live("is not proven undone by the first thousand sessions: on a later page it may be", () =>
    Effect.gen(function* () {
      const { instance, network } = yield* connected
      const page = { paymentSessions: [], nextPageToken: "again" }
      for (let each = 0; each < 20; each++) {
        yield* network.failNext({ executed: false, reply: { status: 200, json: page } }, each)
      }
      assert.deepStrictEqual(
        yield* instance.inquire(yield* createOperation()),
        Outcome.unknown({ reason: "in_progress", vendorCode: "too_many_to_look_through" })
      )
      assert.lengthOf(yield* network.requests, 10)
    }).pipe(Effect.scoped)
  )
})
