import { assert, describe, it } from "@effect/vitest"
import { abandonment, expiryAhead } from "../../src/domain/abandonment.ts"
import type { ClosingAbility } from "../../src/domain/abandonment.ts"
import type { Operation } from "../../src/domain/Operation.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { after, asked, attempt, begun, claims, failed, find, held, paid } from "./records.ts"

const expiresAt = 600_000
const grace = 5_000
const shown = (at: number | null): PaymentRecord =>
  after(begun, [1, { _tag: "Pending", nextAction: { type: "wait", expiresAt: at } }])

const closes: ClosingAbility = { canCancel: true, abandonedAfterMs: null }
const waits: ClosingAbility = { canCancel: false, abandonedAfterMs: 900_000 }
const neither: ClosingAbility = { canCancel: false, abandonedAfterMs: null }

const at = (record: PaymentRecord, ability: ClosingAbility, now: number) =>
  abandonment(record, find(record, 1), ability, now, grace)

/** With a close that came to `status`. */
const closed = (status: Operation["status"]) =>
  asked(shown(expiresAt), "e", { kind: "cancel", purpose: "expiry", status })

describe("a payer who left", () => {
  it("has until the expiry and a little more, to the millisecond", () => {
    assert.strictEqual(at(shown(expiresAt), closes, expiresAt + grace - 1), "wait")
    assert.strictEqual(at(shown(expiresAt), closes, expiresAt + grace), "close")
  })

  it("is closed once: what is on its way, or unknown, is waited for", () => {
    for (const status of ["planned", "sending", "pending", "unknown"] as const) {
      assert.strictEqual(at(closed(status), closes, expiresAt * 9), "wait", status)
    }
  })

  it("who cannot be closed is given up after the declared time, to the millisecond, and not before the expiry", () => {
    assert.strictEqual(at(shown(expiresAt), waits, 899_999), "wait")
    assert.strictEqual(at(shown(expiresAt), waits, 900_000), "give_up")
    assert.strictEqual(at(shown(expiresAt), { ...waits, abandonedAfterMs: 1 }, expiresAt), "wait")
    assert.strictEqual(at(shown(null), waits, 900_000), "give_up")
  })

  it("is closed or given up at once when the clock was set back since the attempt began, by more than a minute", () => {
    const startedAt = shown(expiresAt).attempts[0]?.startedAt ?? Number.NaN
    for (const [ability, decision] of [
      [closes, "close"],
      [waits, "give_up"]
    ] as const) {
      assert.strictEqual(at(shown(expiresAt), ability, startedAt - 60_000), "wait", decision)
      assert.strictEqual(at(shown(expiresAt), ability, startedAt - 60_001), decision)
    }
  })

  it("whose close was refused is given up where the provider declares when, and else is an operator's case", () => {
    for (const status of ["declined", "not_executed"] as const) {
      assert.strictEqual(at(closed(status), closes, expiresAt * 9), "review", status)
      assert.strictEqual(at(closed(status), { ...closes, abandonedAfterMs: 900_000 }, 899_999), "wait", status)
      assert.strictEqual(at(closed(status), { ...closes, abandonedAfterMs: 900_000 }, 900_000), "give_up", status)
    }
  })

  it("where nothing is declared is waited for, for ever", () => {
    assert.strictEqual(at(shown(expiresAt), neither, Number.MAX_SAFE_INTEGER), "wait")
    assert.strictEqual(at(shown(null), closes, Number.MAX_SAFE_INTEGER), "wait")
  })
})

describe("an attempt is not abandoned", () => {
  it("where the outcome is not known, money was seen, nothing was shown, or it is decided", () => {
    const unknown = after(begun, [1, claims.unknown])
    const detected = after(shown(expiresAt), [1, claims.detected])
    const nothingShown = after(begun, [1, claims.pending])
    const flagged: PaymentRecord = {
      ...shown(expiresAt),
      payment: {
        ...shown(expiresAt).payment,
        state: { status: "pending", reason: "needs_review", nextAction: { type: "wait", expiresAt } }
      }
    }
    for (const record of [unknown, detected, nothingShown, flagged, held, paid, failed]) {
      for (const ability of [closes, waits]) assert.strictEqual(at(record, ability, expiresAt * 99), "wait")
    }
  })
})

describe("a payer without an expiry", () => {
  it("is given up after the declared time, however short it is", () => {
    assert.strictEqual(at(shown(null), { ...waits, abandonedAfterMs: 100 }, 100), "give_up")
    assert.strictEqual(at(shown(null), { ...waits, abandonedAfterMs: 100 }, 99), "wait")
  })
})

describe("an attempt that is not pending", () => {
  it("is neither closed nor given up, even while another attempt waits for its payer", () => {
    for (const status of ["declined", "unknown", "sending", "succeeded"] as const) {
      const pending = shown(expiresAt)
      const attempts = [attempt(1, { status }), attempt(2, { status: "pending" })]
      for (const ability of [closes, waits]) {
        assert.strictEqual(at({ ...pending, attempts }, ability, expiresAt * 99), "wait", status)
      }
    }
  })
})

describe("the next look", () => {
  it("comes with the expiry, once", () => {
    assert.strictEqual(expiryAhead(shown(expiresAt), 0, grace), expiresAt + grace)
    assert.strictEqual(expiryAhead(shown(expiresAt), expiresAt + grace - 1, grace), expiresAt + grace)
    assert.isNull(expiryAhead(shown(expiresAt), expiresAt + grace, grace))
    assert.isNull(expiryAhead(shown(null), 0, grace))
    assert.isNull(expiryAhead(paid, 0, grace))
  })
})
