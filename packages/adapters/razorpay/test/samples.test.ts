/** Razorpay's own published answers (of its SDK's documentation, MIT), as this adapter reads them. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Predicate, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Wire from "../src/wire.ts"

const folder = join(import.meta.dirname, "../../../../../shared/providers/specs/razorpay")
const isThere = existsSync(folder)
const because = isThere ? "" : " (skipped: the vendors' specifications are not beside the repository)"

describe.skipIf(!isThere)(`Razorpay's published answers${because}`, () => {
  const samples = isThere ? read(join(folder, "razorpay-node-response-samples.json")) : []

  for (const [entity, schema] of Object.entries({
    order: Wire.Order,
    payment: Wire.Payment,
    refund: Wire.Refund,
    qr_code: Wire.Qr
  })) {
    it(`every ${entity} in them is read`, () => {
      const found = samples.flatMap((sample) =>
        entitiesOf(sample.response, entity).map((each) => ({ ...sample, each }))
      )
      assert.isAbove(found.length, 2)
      const unread = found.filter(({ each }) => Option.isNone(Schema.decodeUnknownOption(schema)(each)))
      assert.deepStrictEqual(
        unread.map(({ each, name }) => ({ name, each })),
        []
      )
    })
  }

  it("every list of payments, refunds, orders and QR codes in them is read", () => {
    const schemas = { payment: Wire.Payments, refund: Wire.Refunds, order: Wire.Orders, qr_code: Wire.Qrs }
    const lists = samples.flatMap(({ name, response }) => {
      const items = Predicate.isObject(response) && Array.isArray(response["items"]) ? response["items"] : []
      const entity = Predicate.isObject(items[0]) ? items[0]["entity"] : null
      const schema = Object.entries(schemas).find(([known]) => known === entity)?.[1]
      return schema === undefined ? [] : [{ name, isRead: Option.isSome(Schema.decodeUnknownOption(schema)(response)) }]
    })
    assert.isAbove(lists.length, 3)
    assert.deepStrictEqual(
      lists.filter(({ isRead }) => !isRead),
      []
    )
  })
})

interface Sample {
  readonly name: string
  readonly response: unknown
}

function read(path: string): ReadonlyArray<Sample> {
  const Samples = Schema.Record(
    Schema.String,
    Schema.Array(Schema.Struct({ operation: Schema.String, response: Schema.Unknown }))
  )
  const pages = Schema.decodeUnknownSync(Schema.fromJsonString(Samples))(readFileSync(path, "utf8"))
  return Object.entries(pages).flatMap(([page, samples]) =>
    samples.map(({ operation, response }) => ({ name: `${page}: ${operation}`, response }))
  )
}

function entitiesOf(response: unknown, entity: string): ReadonlyArray<unknown> {
  if (Array.isArray(response)) return response.flatMap((each) => entitiesOf(each, entity))
  if (!Predicate.isObject(response)) return []
  if (response["entity"] === entity) return [response]
  return Array.isArray(response["items"]) ? entitiesOf(response["items"], entity) : []
}
