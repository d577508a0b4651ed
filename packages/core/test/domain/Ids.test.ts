import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { Cell, cellOf } from "../../src/domain/Cell.ts"
import { drawOf, firstPaymentId, Ids, isOperationId, isPaymentId, isRefundId, make } from "../../src/domain/Ids.ts"

describe("Ids", () => {
  it.effect("ids sort by the time they were made, and have the public form", () =>
    Effect.gen(function* () {
      const ids = yield* Ids
      const made: Array<string> = []
      for (const step of [0, 1, 1000, 86_400_000, 31_536_000_000]) {
        yield* TestClock.adjust(step)
        made.push(ids.payment(null))
        yield* TestClock.adjust(1)
      }
      assert.deepStrictEqual(made.toSorted(), made)
      for (const id of made) assert.isTrue(isPaymentId(id), id)
    }).pipe(Effect.provide(Ids.layer))
  )

  it("a payment id is a UUIDv7 in Crockford base32", () => {
    // RFC 9562, appendix A.6: 017F22E2-79B0-7CC3-98C4-DC0C0C07398F
    const random = Uint8Array.from([0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f])
    const ids = make(
      () => random.slice(),
      () => 0x017f22e279b0
    )
    assert.strictEqual(ids.payment(null), "pay_01fwhe4ydgfk1shh6w1g60eecf")
  })

  it("a clock with fractions of a millisecond, or before 1970, gives ids of the same form", () => {
    for (const time of [1_700_000_000_123.5, -1, -0.5]) {
      const ids = make(
        (length) => new Uint8Array(length),
        () => time
      )
      assert.isTrue(isPaymentId(ids.payment(null)), `${time}`)
    }
  })

  it.effect("a hundred thousand are all different, and so are idempotency keys, which are UUIDv4", () =>
    Effect.gen(function* () {
      const ids = yield* Ids
      const seen = new Set<string>()
      for (let i = 0; i < 100_000; i++) seen.add(ids.operation(null).id)
      for (let i = 0; i < 10_000; i++) seen.add(ids.operation(null).key)
      assert.strictEqual(seen.size, 110_000)
      const seeded = make((length) => new Uint8Array(length).fill(255), Date.now)
      for (const key of [ids.operation(null).key, seeded.operation(null).key]) {
        assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      }
    }).pipe(Effect.provide(Ids.layer))
  )

  describe("with an origin and a digest", () => {
    const digest = (text: string) => createHash("sha256").update(text).digest()
    const at = (time: number) =>
      make(
        (length) => globalThis.crypto.getRandomValues(new Uint8Array(length)),
        () => time,
        digest
      )
    const [before, after] = [at(1_700_000_000_000), at(1_800_000_000_000)]

    it("an operation has the same id and key at any time, and another origin has others", () => {
      const names = before.operation(["create", "default", false, "key 1"])
      assert.deepStrictEqual(after.operation(["create", "default", false, "key 1"]), names)
      assert.isTrue(isOperationId(names.id) && Ids.isDerived(names.id), names.id)
      assert.match(names.key, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      const others = [
        ["create", "default", true, "key 1"],
        ["create", "default", "false", "key 1"],
        ["create", "default,false", "key 1"],
        ["create", "default", false, "key", " 1"]
      ].map((origin) => before.operation(origin))
      assert.strictEqual(new Set([names, ...others].flatMap(({ id, key }) => [id, key])).size, 10)
    })

    it("a payment has the time in its id, and is drawn by the rest, which is the same at any time", () => {
      const [one, other] = [before.payment(["payment", "key 1"]), after.payment(["payment", "key 1"])]
      assert.isTrue(isPaymentId(one) && one < other, one)
      assert.isTrue(one >= firstPaymentId(1_700_000_000_000) && one < firstPaymentId(1_700_000_000_001), one)
      assert.strictEqual(drawOf(one), drawOf(other))
      assert.notStrictEqual(drawOf(one), drawOf(before.payment(["payment", "key 2"])))
    })

    it("without an origin a name is random, and a payment is drawn by its whole id", () => {
      const operations = [before.operation(null), before.operation(null)]
      assert.strictEqual(new Set(operations.flatMap(({ id, key }) => [id, key])).size, 4)
      for (const { id } of operations) assert.isTrue(isOperationId(id) && !Ids.isDerived(id), id)
      for (let i = 0; i < 100; i++) {
        const id = before.payment(null)
        assert.strictEqual(drawOf(id), id)
      }
    })

    it("without a digest an origin changes nothing", () => {
      const ids = make((length) => globalThis.crypto.getRandomValues(new Uint8Array(length)), Date.now)
      assert.notStrictEqual(ids.operation(["a"]).key, ids.operation(["a"]).key)
    })
  })

  describe("in a cell", () => {
    const digest = (text: string) => createHash("sha256").update(text).digest()
    const zeros = (length: number) => new Uint8Array(length)
    const at = (cell: string | null) => make(zeros, () => 1_700_000_000_000, digest, cell)

    it("the ids of payments and operations are the same as without, and end with its name", () => {
      const [plain, inCell] = [at(null), at("eu1")]
      for (const origin of [null, ["create", "default", false, "key 1"]]) {
        assert.strictEqual(inCell.payment(origin), `${plain.payment(origin)}_eu1`)
        const names = plain.operation(origin)
        assert.deepStrictEqual(inCell.operation(origin), { ...names, id: `${names.id}_eu1` })
      }
      assert.strictEqual(inCell.event(), plain.event())
      assert.strictEqual(inCell.endpoint(), plain.endpoint())
    })

    it("what the position of letters says is read as before", () => {
      const inCell = at("eu1")
      const origin = ["create", "default", false, "key 1"]
      assert.isTrue(Ids.isDerived(inCell.operation(origin).id))
      assert.isFalse(Ids.isDerived(inCell.operation(null).id))
      assert.strictEqual(drawOf(inCell.payment(origin)), drawOf(at(null).payment(origin)))
      const id = inCell.payment(null)
      assert.isTrue(firstPaymentId(1_700_000_000_000) < id && id < firstPaymentId(1_700_000_000_001))
    })

    it.effect("its name comes from the context", () =>
      Effect.gen(function* () {
        const ids = yield* Ids
        assert.strictEqual(cellOf(ids.payment(null)), "us1")
        assert.strictEqual(cellOf(ids.operation(null).id), "us1")
      }).pipe(Effect.provide(Layer.provide(Ids.layer, Layer.succeed(Cell, "us1"))))
    )
  })

  it("other shapes are no payment ids", () => {
    for (const text of [
      "",
      "pay_",
      "pay_nothing",
      `pay_${"8".repeat(26)}`,
      `pay_${"0".repeat(27)}`,
      `PAY_${"0".repeat(26)}`,
      `pay_${"0".repeat(26)}_`,
      `pay_${"0".repeat(26)}_1eu`,
      `pay_${"0".repeat(26)}_EU1`,
      `pay_${"0".repeat(26)}_eu-1`,
      `pay_${"0".repeat(26)}_europe001`,
      `pay_${"0".repeat(26)}_eu1_`,
      `pay_eu1_${"0".repeat(26)}`,
      `pay_${"0".repeat(26)}eu1`,
      `pay_${"0".repeat(26)}_eu1\n`
    ]) {
      assert.isFalse(isPaymentId(text), text)
    }
  })

  it("a refund id has the same form after its own prefix", () => {
    for (const text of [`re_${"0".repeat(26)}`, `re_7${"z".repeat(25)}`, `re_7${"z".repeat(25)}_eu1`])
      assert.isTrue(isRefundId(text), text)
    for (const text of ["", "re_", `re_8${"0".repeat(25)}`, `re_${"0".repeat(27)}`, `pay_${"0".repeat(26)}`]) {
      assert.isFalse(isRefundId(text), text)
    }
  })
})
