import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { Notices, oncePerMinute } from "../../src/request/Notices.ts"

const noticeOf = (subject: string) => ({
  subject,
  detail: "bad_signature",
  sentence: `${subject} was refused`,
  interval: oncePerMinute
})

/** What was logged and stored of some notices. */
const observed = () => {
  const lines: Array<string> = []
  const kept: Array<string> = []
  const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
  const notices = Notices.layer(({ subject }) => Effect.sync(() => void kept.push(subject)))
  return { lines, kept, layer: Layer.merge(notices, logger) }
}

const times = (count: number, subject: string) =>
  Notices.use(({ report }) => Effect.repeat(report(noticeOf(subject)), { times: count - 1 }))

describe("a notice", () => {
  it.effect("is one line and one write a minute, which counts those in between", () => {
    const { kept, layer, lines } = observed()
    return Effect.gen(function* () {
      yield* times(1000, "acme")
      assert.deepStrictEqual(lines, ["acme was refused"])
      yield* TestClock.adjust(59_999)
      yield* times(1, "acme")
      assert.strictEqual(lines.length, 1)
      yield* TestClock.adjust(1)
      yield* times(1, "acme")
      assert.deepStrictEqual(lines.slice(1), ["acme was refused (1000 more since the last line)"])
      assert.deepStrictEqual(kept, ["acme", "acme"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("of one subject does not hide another", () => {
    const { layer, lines } = observed()
    return Effect.gen(function* () {
      yield* times(10, "acme")
      yield* times(10, "other")
      assert.deepStrictEqual(lines, ["acme was refused", "other was refused"])
    }).pipe(Effect.provide(layer))
  })
})
