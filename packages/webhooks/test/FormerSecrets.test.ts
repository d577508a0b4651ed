import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import { readSecret, sign, WebhookEndpoints } from "../src/index.ts"
import { addEndpoint, knownSecret, postgresEnvironment, tenant, environment } from "./TestEnvironment.ts"

const day = 86_400_000
const rotate = (id: string, overlap?: number) =>
  WebhookEndpoints.use((endpoints) => endpoints.rotate(tenant, id, overlap === undefined ? {} : { overlap }))

/** How many former secrets sign now. */
const former = (id: string) =>
  Effect.map(
    WebhookEndpoints.use((endpoints) => endpoints.target(id)),
    (target) => target?.formerKeys.length
  )

describe("rotation of a secret", () => {
  it.effect("for a day, receivers with either secret verify what is sent; then only those with the new one", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const { endpoint, secret: first } = yield* endpoints.add({ ...tenant, url: "https://shop.io" })
      const rotated = yield* rotate(endpoint.id)
      assert.strictEqual(rotated?.formerUntil, day)
      const second = rotated?.secret ?? first
      assert.notStrictEqual(Redacted.value(second), Redacted.value(first))
      const now = Math.floor(new Date().getTime() / 1000)
      const verifies = Effect.gen(function* () {
        const target = yield* endpoints.target(endpoint.id)
        if (target === null) return assert.fail("there is no target")
        const headers = sign({ id: "evt_1", timestampSeconds: now, body: "{}", ...target })
        return [first, second].map((secret) => {
          try {
            return Boolean(new Webhook(Redacted.value(secret)).verify("{}", { ...headers }))
          } catch {
            return false
          }
        })
      })
      assert.deepStrictEqual(yield* verifies, [true, true])
      yield* TestClock.adjust(day - 1)
      assert.deepStrictEqual(yield* verifies, [true, true])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* verifies, [false, true])
    }).pipe(Effect.provide(environment()))
  )

  it.effect("under another server's secret is refused: the server could not read the new one", () =>
    Effect.gen(function* () {
      const { id } = yield* addEndpoint("https://shop.io")
      const secret = Redacted.make("another secret than the server's")
      for (const overlap of [day, 0]) {
        const error = yield* Effect.flip(
          Effect.provide(rotate(id, overlap), WebhookEndpoints.layer({ secrets: [secret], allow: [] }), { local: true })
        )
        assert.strictEqual(error._tag, "EndpointSecretUnreadable")
      }
      assert.strictEqual(yield* former(id), 0)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("with an overlap of 0 every former secret ends at once", () =>
    Effect.gen(function* () {
      const { id } = yield* addEndpoint("https://shop.io")
      yield* rotate(id)
      yield* rotate(id)
      assert.strictEqual(yield* former(id), 2)
      assert.isNull((yield* rotate(id, 0))?.formerUntil)
      assert.strictEqual(yield* former(id), 0)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("with the longest overlap, 30 days, is accepted", () =>
    Effect.gen(function* () {
      const { id } = yield* addEndpoint("https://shop.io")
      assert.strictEqual((yield* rotate(id, 30 * day))?.formerUntil, 30 * day)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("is refused with a sentence, and leaves the secret as it is", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* addEndpoint("https://shop.io")
      for (let n = 0; n < 4; n++) yield* rotate(id)
      const secrets = sql`SELECT secret FROM webhook_endpoints`
      const before = yield* secrets
      const messages = yield* Effect.forEach([-1, 1.5, NaN, 30 * day + 1, day], (overlap) =>
        Effect.map(Effect.flip(rotate(id, overlap)), ({ message }) => message)
      )
      const [last = "", ...overlaps] = messages.toReversed()
      for (const message of overlaps) assert.include(message, "0 ms to 30 days")
      assert.include(last, "4 former secrets still sign")
      assert.deepStrictEqual(yield* secrets, before)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("of another account's endpoint, of none, or of the program itself, does nothing", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const other = yield* addEndpoint("https://shop.io", { account: "other" })
      const { id: ofProcess } = yield* endpoints.addProcess(tenant)
      for (const id of [other.id, "we_none", ofProcess]) assert.isNull(yield* rotate(id))
      assert.strictEqual(yield* former(other.id), 0)
    }).pipe(Effect.provide(environment()))
  )

  it.effect("former secrets are deleted with their endpoint, and those of others stay", () =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const sql = yield* SqlClient.SqlClient
      const [removed, kept] = [yield* addEndpoint("https://shop.io/1"), yield* addEndpoint("https://shop.io/2")]
      for (const { id } of [removed, kept]) yield* rotate(id)
      assert.isTrue(yield* endpoints.remove(tenant, removed.id))
      const left = yield* sql<{ endpoint_id: string }>`SELECT endpoint_id FROM webhook_former_secrets`
      assert.deepStrictEqual(
        left.map(({ endpoint_id }) => endpoint_id),
        [kept.id]
      )
    }).pipe(Effect.provide(environment()))
  )

  it.effect("former secrets are as unreadable in the database as others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* addEndpoint("https://shop.io", { secret: knownSecret })
      yield* rotate(id)
      const [row] = yield* sql<{ secret: string }>`SELECT secret FROM webhook_former_secrets`
      assert.match(row?.secret ?? "", /^v1\./)
      assert.notInclude(row?.secret ?? "", Redacted.value(knownSecret).slice(6))
      const target = yield* WebhookEndpoints.use((endpoints) => endpoints.target(id))
      const keys = target?.formerKeys.map((key) => Redacted.value(key))
      assert.deepStrictEqual(keys, [Redacted.value(yield* readSecret(knownSecret))])
    }).pipe(Effect.provide(environment()))
  )

  it.live("rotations at the same time come one after the other: every secret that was given out signs", () =>
    Effect.gen(function* () {
      const { id } = yield* addEndpoint("https://shop.io")
      const rotated = yield* Effect.all([rotate(id), rotate(id), rotate(id)], { concurrency: "unbounded" })
      const target = yield* WebhookEndpoints.use((endpoints) => endpoints.target(id))
      const signing = [target?.key, ...(target?.formerKeys ?? [])].map((key) => key && Redacted.value(key))
      for (const each of rotated) {
        if (each === null) return assert.fail("there is no endpoint")
        assert.deepInclude(signing, Redacted.value(yield* readSecret(each.secret)))
      }
      assert.strictEqual(signing.length, 4)
    }).pipe(Effect.provide(postgresEnvironment()))
  )
})
