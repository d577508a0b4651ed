import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { entryOf, entryRow, movementOf, movementRow } from "../src/ledgerRows.ts"
import { books, withNotifier } from "./Books.ts"
import { card, operation, start } from "./Harness.ts"

const numbersAs = (convert: (value: number) => unknown, row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "number" ? convert(value) : value])
  )

describe("rows of the book", () => {
  it.effect("read back as what was written, whether a driver answers whole numbers as number, text or bigint", () =>
    Effect.gen(function* () {
      const sandbox = yield* start
      const asked = operation(1, { method: card("tok_success"), metadata: { sandbox_scenario: "late_success" } })
      yield* sandbox.at("sandbox_card_a").create(asked)
      yield* sandbox.at("sandbox_card_b").create({ ...asked, metadata: {} })
      const entries = yield* sandbox.ledger.findByPayment(asked.paymentId)
      const movements = yield* sandbox.ledger.movements(asked.paymentId)
      assert.strictEqual(entries.length, 2)
      assert.strictEqual(movements.length, 1)
      for (const convert of [Number, String, BigInt]) {
        assert.deepStrictEqual(
          entries.map((entry) => entryOf(numbersAs(convert, entryRow(entry)))),
          entries
        )
        assert.deepStrictEqual(
          movements.map((movement) => movementOf(numbersAs(convert, movementRow(movement)))),
          movements
        )
      }
    }).pipe(Effect.provide(withNotifier(books[0].layer)))
  )
})
