/** What a log line says, and what it never does. */
import { assert, describe, it } from "@effect/vitest"
import { CurrentRequestId } from "@paymux/http"
import { Cause, Effect, Logger, Redacted, Tracer } from "effect"
import { vi } from "vitest"
import { createPaymux } from "../../src/index.ts"
import { logLine } from "../../src/telemetry/LogLine.ts"
import type { LogEntry } from "../../src/telemetry/LogLine.ts"
import { entryOf } from "../../src/telemetry/Logs.ts"
import { logFormats } from "../../src/telemetry/logsOption.ts"

const payment = "pay_01m81dvt7wexctcz412m6ndagd"

/** The entries of what was logged. */
const entries = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const received: Array<LogEntry> = []
    const logger = Logger.layer([Logger.make((options) => void received.push(entryOf(options)))])
    return Effect.as(Effect.provide(run, logger), received)
  })

const entry: LogEntry = {
  time: "2026-11-22T10:15:42.123Z",
  level: "warn",
  message: "A message",
  fields: { request_id: "req_1", provider: "acme" },
  error: null
}

describe("a log entry", () => {
  it.effect("has the payment that its message names, with its cell", () =>
    Effect.gen(function* () {
      for (const id of [payment, `${payment}_eu1`]) {
        const [reported] = yield* entries(Effect.logWarning(`Payment ${id}: left`))
        assert.strictEqual(reported?.fields["payment_id"], id)
      }
    })
  )

  it.effect("has time, level and message, and the request, trace and payment it is about", () =>
    Effect.gen(function* () {
      const tracer = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
      const [reported] = yield* entries(
        Effect.logWarning(`Payment ${payment} is left`).pipe(
          Effect.withSpan("work"),
          Effect.annotateLogs({ provider: "acme" }),
          Effect.provideService(CurrentRequestId, "req_1"),
          Effect.provideService(Tracer.Tracer, tracer)
        )
      )
      assert.deepInclude(reported, {
        time: "1970-01-01T00:00:00.000Z",
        level: "warn",
        message: `Payment ${payment} is left`,
        error: null
      })
      assert.deepInclude(reported?.fields, { request_id: "req_1", payment_id: payment, provider: "acme" })
      assert.match(String(reported?.fields["trace_id"]), /^[0-9a-f]{32}$/)
      assert.match(String(reported?.fields["span_id"]), /^[0-9a-f]{16}$/)
    })
  )

  it.effect("omits what is not known: a request, or a trace that is not recorded", () =>
    Effect.gen(function* () {
      const [reported] = yield* entries(Effect.withSpan(Effect.logInfo("starting"), "work"))
      assert.deepStrictEqual(reported?.fields, {})
    })
  )

  it.effect("holds no secret and nothing of a payer, in its message, its annotations or its cause", () =>
    Effect.gen(function* () {
      const error = new Error("for asha@example.com with 4111 1111 1111 1111", {
        cause: new Error("Bearer abcdefgh12")
      })
      const [reported] = yield* entries(
        Effect.logError(
          "from +919812345678",
          { authorization: "x", note: "sk_live_51HxYzAbCdEf" },
          Cause.fail(error)
        ).pipe(
          Effect.annotateLogs({
            customer_email: "asha",
            detail: "pmx_live_0123456789abcdefghij",
            key: Redacted.make("s3cret")
          })
        )
      )
      const written = logFormats.map((format) => (reported === undefined ? "" : logLine(format, reported))).join("\n")
      assert.notMatch(written, /asha|4111|abcdefgh12|9812345678|51HxYz|0123456789abc|s3cret|"x"/)
      assert.include(reported?.message, '{"authorization":"[redacted]","note":"sk_live_[redacted]"}')
      assert.deepInclude(reported?.fields, {
        customer_email: "[redacted]",
        detail: "pmx_live_[redacted]",
        key: "[redacted]"
      })
      assert.match(reported?.error ?? "", /Error: for \[redacted\] with \[redacted\]\n +at /)
    })
  )

  it.effect("takes errors out of the message, to where causes stand", () =>
    Effect.gen(function* () {
      const [reported] = yield* entries(Effect.logWarning("It failed", new Error("for asha@example.com")))
      assert.strictEqual(reported?.message, "It failed")
      assert.match(reported?.error ?? "", /^Error: for \[redacted\]\n +at /)
    })
  )

  it.effect("is truncated if it is too long", () =>
    Effect.gen(function* () {
      const [reported] = yield* entries(Effect.logInfo("x".repeat(1_000_000)))
      assert.isBelow(reported?.message.length ?? 0, 17_000)
      assert.match(reported?.message ?? "", /more characters\)$/)
    })
  )
})

describe("a log line", () => {
  const nasty = 'a\n{"level":"error"}\r\u001b[31m\u0085\u2028\u202eb\u0000"c"\ud800 é 茶'

  it("is one line of JSON, from which what was logged comes back", () => {
    const line = logLine("json", { ...entry, message: nasty, error: "Error: no\n    at x" })
    assert.deepStrictEqual(JSON.parse(line), {
      time: entry.time,
      level: "warn",
      message: nasty,
      request_id: "req_1",
      provider: "acme",
      error: "Error: no\n    at x"
    })
    assert.notMatch(line, /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202e]/)
  })

  it("is one line of logfmt, quoted if its end would be ambiguous", () => {
    assert.strictEqual(
      logLine("logfmt", { ...entry, message: 'say "no"' }),
      'time=2026-11-22T10:15:42.123Z level=warn message="say \\"no\\"" request_id=req_1 provider=acme'
    )
    const line = logLine("logfmt", { ...entry, message: nasty, fields: { "bad name=": { a: [1] } } })
    assert.notMatch(line, /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202e]/)
    assert.include(line, ' bad_name_="{\\"a\\":[1]}"')
  })

  it("is for people where it is pretty: what has lines of its own is set in", () => {
    const line = logLine("pretty", { ...entry, message: nasty, error: "Error: \u001b[2Jno\n    at x" })
    assert.notMatch(line.replaceAll("\n", ""), /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202e]/)
    const [first = "", ...rest] = line.split("\n")
    assert.strictEqual(first, "10:15:42.123 WARN  a request_id=req_1 provider=acme")
    assert.isTrue(rest.every((each) => each.startsWith("    ")))
    assert.lengthOf(rest, 3)
  })

  it("has the time, level and message of what was logged, whatever fields are called so", () => {
    const fields = { time: "t", level: "l", message: "m" }
    for (const format of logFormats) {
      const line = logLine(format, { ...entry, fields })
      assert.include(line, "A message", format)
      assert.include(line.toLowerCase(), "warn", format)
    }
    assert.deepInclude(JSON.parse(logLine("json", { ...entry, fields })), { level: "warn", message: "A message" })
  })
})

describe("createPaymux", () => {
  it("writes its lines to standard error in the format of the option, and none for false", async () => {
    const lines: Array<string> = []
    const spy = vi.spyOn(console, "error").mockImplementation((line: unknown) => void lines.push(String(line)))
    try {
      for (const logs of [...logFormats, false] as const) {
        const onEvent = () => Promise.reject(new Error(`the till of asha@example.com is away`))
        const paymux = await createPaymux({ sandbox: true, database: ":memory:", logs, onEvent })
        const before = lines.length
        const created = await paymux.payments.create({
          amount: 10_000,
          currency: "INR",
          payment_method: "upi",
          customer: { email: "asha@example.com", phone: "+919999999999" }
        })
        const reported = () => lines.slice(before).filter((line) => line.includes("onEvent failed"))
        if (logs !== false) await vi.waitUntil(() => reported().length > 0)
        await paymux.close()
        if (logs === false) assert.lengthOf(reported(), 0)
        else assert.include(reported()[0], created.id)
        if (logs === "json")
          assert.deepInclude(JSON.parse(reported()[0] ?? ""), { level: "warn", payment_id: created.id })
      }
    } finally {
      spy.mockRestore()
    }
    assert.notInclude(lines.join("\n"), "asha@example.com")
  })
})
