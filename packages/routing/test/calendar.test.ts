/** Conditions on days: weekdays, dates and holidays, in the zone of the condition. */
import { assert, describe, it } from "@effect/vitest"
import { plan } from "../src/choose/plan.ts"
import { dayOfText, textOfDay, weekdayOf } from "../src/language/Day.ts"
import { compileChecked } from "../src/compileChecked.ts"
import { explain, explainDecided } from "../src/explain.ts"
import { facts } from "../src/Facts.ts"
import { unknownHealth } from "../src/Health.ts"
import { Effect } from "effect"
import { card, compiled, payment, paymentId, problems, providers, tenant } from "./fixtures.ts"
import type { Place } from "./fixtures.ts"
import { byStripe, time, top } from "./written.ts"

const eur = payment(card(), "EUR")
const holidays = { in: ["2026-01-26", { from: "2026-10-19", to: "2026-10-21" }], eu: ["2026-12-25"] }

const rulesOn = (time: object, more: object = { holidays }) => ({
  version: 1,
  rules: [{ name: "then", when: { time }, choose: { priority: ["adyen"] } }],
  default: byStripe,
  ...more
})

const at = (moment: string) => facts(eur, tenant, paymentId(1), Date.parse(moment))

/** Those of the moments at which the condition holds. */
const heldAt = async (time: object, moments: ReadonlyArray<string>) => {
  const routing = await compiled(rulesOn(time))
  return moments.filter((moment) => {
    const answer = plan(routing, eur, at(moment), unknownHealth)
    return answer._tag === "Plan" && answer.decision.rule === "then"
  })
}

const india = { zone: "Asia/Kolkata" }

describe("a condition on the day", () => {
  it("holds on its weekdays, which begin at midnight of its zone", async () => {
    // 2026-01-26 is a Monday; midnight in Kolkata is 18:30 UTC.
    const moments = ["2026-01-25T18:29:59Z", "2026-01-25T18:30:00Z", "2026-01-26T18:29:59Z", "2026-01-26T18:30:00Z"]
    assert.deepStrictEqual(await heldAt({ weekdays: ["mon"], ...india }, moments), moments.slice(1, 3))
    assert.deepStrictEqual(await heldAt({ weekdays: ["sun", "tue"], ...india }, moments), [moments[0], moments[3]])
  })

  it("holds on dates, and on each day of a range", async () => {
    const moments = ["2026-12-23T23:59:59Z", "2026-12-24T00:00:00Z", "2026-12-31T12:00:00Z", "2027-01-02T23:59:59Z"]
    const dates = ["2026-12-24", { from: "2026-12-31", to: "2027-01-02" }]
    assert.deepStrictEqual(await heldAt({ dates }, [...moments, "2027-01-03T00:00:00Z"]), moments.slice(1))
  })

  it("holds on the holidays of one calendar, or of several", async () => {
    const moments = ["2026-01-26T12:00:00Z", "2026-10-20T12:00:00Z", "2026-12-25T12:00:00Z", "2026-12-26T12:00:00Z"]
    assert.deepStrictEqual(await heldAt({ holidays: "in" }, moments), moments.slice(0, 2))
    assert.deepStrictEqual(await heldAt({ holidays: ["in", "eu"] }, moments), moments.slice(0, 3))
  })

  it("holds where all that it asks for does", async () => {
    const moments = ["2026-01-26T09:00:00Z", "2026-01-26T17:00:00Z", "2026-10-20T09:00:00Z", "2026-02-02T09:00:00Z"]
    const office = { weekdays: ["mon"], holidays: "in", between: ["09:00", "17:00"] }
    assert.deepStrictEqual(await heldAt(office, moments), moments.slice(0, 1))
  })
})

describe("a window over midnight", () => {
  const night = { between: ["23:30", "00:30"] }

  it("belongs to the day on which it begins", async () => {
    const sunday = ["2026-01-25T18:00:00Z", "2026-01-25T18:59:59Z"]
    const others = ["2026-01-24T18:00:00Z", "2026-01-24T18:59:59Z", "2026-01-25T19:00:00Z", "2026-01-26T18:00:00Z"]
    const all = [...sunday, ...others]
    assert.deepStrictEqual(await heldAt({ ...night, ...india, weekdays: ["sun"] }, all), sunday)
    assert.deepStrictEqual(await heldAt({ ...night, ...india, dates: ["2026-01-25"] }, all), sunday)
    const holiday = ["2026-01-26T18:00:00Z", "2026-01-26T18:59:59Z"]
    assert.deepStrictEqual(
      await heldAt({ ...night, ...india, holidays: "in" }, [...holiday, "2026-01-25T18:30:00Z"]),
      holiday
    )
  })

  it("does so where clocks are set at midnight, and where an hour comes twice", async () => {
    // Santiago: Saturday 2026-09-05 ends at 24:00, and the next minute is Sunday, 01:00. UTC-4, then UTC-3.
    const santiago = { between: ["23:30", "01:30"], zone: "America/Santiago", weekdays: ["sat"] }
    const saturday = ["2026-09-06T03:30:00Z", "2026-09-06T03:59:59Z", "2026-09-06T04:00:00Z", "2026-09-06T04:29:59Z"]
    assert.deepStrictEqual(
      await heldAt(santiago, ["2026-09-06T03:29:59Z", ...saturday, "2026-09-06T04:30:00Z"]),
      saturday
    )
    // Berlin: on Sunday 2026-10-25 two o'clock comes twice, at 0:00 and at 1:00 UTC.
    const berlin = { between: ["22:00", "02:30"], zone: "Europe/Berlin", weekdays: ["sat"] }
    const twice = ["2026-10-24T20:00:00Z", "2026-10-25T00:29:59Z", "2026-10-25T01:29:59Z"]
    assert.deepStrictEqual(await heldAt(berlin, [...twice, "2026-10-25T01:30:00Z", "2026-10-25T21:00:00Z"]), twice)
  })

  it("follows the calendar of its zone where that leaves out a day", async () => {
    // Samoa had no 2011-12-30: Thursday was followed by Saturday.
    const apia = { zone: "Pacific/Apia", dates: [{ from: "2011-12-29", to: "2011-12-31" }] }
    const moments = ["2011-12-30T09:59:59Z", "2011-12-30T10:00:00Z"]
    assert.deepStrictEqual(await heldAt({ ...apia, weekdays: ["thu"] }, moments), moments.slice(0, 1))
    assert.deepStrictEqual(await heldAt({ ...apia, weekdays: ["sat"] }, moments), moments.slice(1))
    assert.deepStrictEqual(await heldAt({ ...apia, weekdays: ["fri"] }, moments), [])
  })
})

describe("rules that were checked elsewhere", () => {
  it("have their holidays", async () => {
    const config = rulesOn({ holidays: "eu" })
    const routing = await Effect.runPromise(compileChecked({ config, ruleset: "sha256:0" }, providers))
    const answer = plan(routing, eur, at("2026-12-25T12:00:00Z"), unknownHealth)
    assert.strictEqual(answer._tag === "Plan" && answer.decision.rule, "then")
  })
})

describe("the explanation", () => {
  it("says which days were asked for, and which day it was", async () => {
    const asked = {
      between: ["23:30", "00:30"],
      ...india,
      weekdays: ["sat", "mon"],
      dates: holidays.in,
      holidays: "in"
    }
    const routing = await compiled(rulesOn(asked))
    const made = at("2026-01-25T18:45:00Z")
    const { answer, rules } = explain(routing, eur, made, unknownHealth)
    assert.deepStrictEqual(rules[0]?.conditions, [
      {
        asked:
          "time between 23:30 and 00:30, on sat or mon, on 2026-01-26 or 2026-10-19 to 2026-10-21, on holidays in Asia/Kolkata",
        holds: false,
        actual: "mon 2026-01-26 00:15 Asia/Kolkata, of the night that began on sun 2026-01-25",
        of: []
      }
    ])
    assert.deepStrictEqual(
      answer._tag === "Plan" && explainDecided(rulesOn(asked), answer.decision, made)?.rules[0],
      rules[0]
    )
    const whole = await compiled(rulesOn({ weekdays: ["sat"] }))
    const [condition] = explain(whole, eur, made, unknownHealth).rules[0]?.conditions ?? []
    assert.strictEqual(condition?.asked, "time on sat UTC")
    assert.strictEqual(condition?.actual, "sun 2026-01-25 18:45 UTC")
  })
})

describe("the check of days", () => {
  const never = 'rule "then": `when` can never hold: its conditions exclude each other'

  it("finds conditions that exclude each other", () => {
    const thursday = "2026-12-24"
    for (const time of [
      { weekdays: ["fri"], dates: [thursday] },
      { weekdays: ["mon"], holidays: "eu" },
      { dates: [{ from: "2026-01-20", to: "2026-01-25" }], holidays: "in" },
      { dates: [{ from: "2026-12-21", to: "2026-12-23" }], weekdays: ["sun", "sat"], between: ["23:30", "00:30"] }
    ]) {
      assert.deepStrictEqual(problems(rulesOn(time)), [[["rules", 0, "when"], never]], JSON.stringify(time))
    }
  })

  it("finds them across `all` and `not`, and rules that others leave nothing to", () => {
    const all = (...times: ReadonlyArray<object>) =>
      top({ rules: [{ name: "then", when: { all: times }, choose: byStripe }] })
    assert.deepStrictEqual(
      problems(all({ time: { weekdays: ["mon"] } }, { not: { time: { weekdays: ["mon", "tue"] } } })),
      [[["rules", 0, "when"], never]]
    )
    const shadowed = top({
      rules: [
        { name: "weekend", when: { time: { weekdays: ["sat", "sun"] } }, choose: byStripe },
        { name: "saturday", when: { time: { dates: ["2026-12-26"] } }, choose: byStripe }
      ]
    })
    assert.deepStrictEqual(problems(shadowed), [
      [
        ["rules", 1, "when"],
        'rule "saturday": it is never reached: rule "weekend" comes first and takes all of its payments'
      ]
    ])
  })

  it("accepts what some moment fulfils: the night after a Friday is partly on a Saturday", () => {
    for (const time of [
      { weekdays: ["thu"], dates: ["2026-12-24"], between: ["23:30", "00:30"] },
      { weekdays: ["mon"], holidays: ["eu", "in"] },
      { dates: [{ from: "2026-12-21", to: "2026-12-26" }], weekdays: ["sat"] },
      { dates: ["2030-01-01", "2040-02-29"], weekdays: ["wed"] },
      { dates: [{ from: "0001-01-01", to: "9999-12-31" }], weekdays: ["sun"] }
    ]) {
      assert.deepStrictEqual(problems(rulesOn(time)), [], JSON.stringify(time))
    }
    const nights = top({
      rules: [
        { name: "friday", when: { time: { weekdays: ["fri"] } }, choose: byStripe },
        {
          name: "night",
          when: { time: { weekdays: ["fri"], between: ["23:30", "00:30"] } },
          choose: byStripe
        }
      ]
    })
    assert.deepStrictEqual(problems(nights), [])
  })

  it.each<readonly [what: string, config: unknown, ReadonlyArray<readonly [Place, string]>]>([
    [
      "a calendar that is not defined, with the nearest that is",
      rulesOn({ holidays: ["in", "euu"] }),
      [
        [
          ["rules", 0, "when", "time", "holidays", 1],
          'rule "then": "euu" is not a calendar of `holidays`; did you mean "eu"?'
        ]
      ]
    ],
    [
      "a calendar where none is defined, however deep",
      top({ rules: [{ name: "x", when: { any: [{ not: { time: { holidays: "in" } } }] }, choose: byStripe }] }),
      [[["rules", 0, "when", "any", 0, "not", "time", "holidays"], 'rule "x": "in" is not a calendar of `holidays`']]
    ],
    [
      "days of a calendar that do not exist, and says nothing of the rules that name it",
      rulesOn({ holidays: "in", weekdays: ["mon"] }, { holidays: { in: ["2026-02-30"] } }),
      [[["holidays", "in", 0], "`holidays.in[0]` must be a valid date (YYYY-MM-DD)"]]
    ],
    [
      "a window of a day within its own hours",
      top({ rules: [{ name: "x", when: time("09:00", "09:00"), choose: byStripe }] }),
      [
        [
          ["rules", 0, "when", "time", "between"],
          'rule "x": `when.time.between` must not begin and end at the same time'
        ]
      ]
    ]
  ])("refuses %s", (_, config, expected) => assert.deepStrictEqual(problems(config), expected))
})

describe("days", () => {
  it("are read and written alike, and have their weekday", () => {
    for (const text of ["1970-01-01", "1969-12-31", "2024-02-29", "2026-12-24", "0001-01-01", "9999-12-31"]) {
      const day = dayOfText(text) ?? Number.NaN
      assert.strictEqual(textOfDay(day), text)
      const weekday = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" }).format(new Date(text))
      assert.strictEqual(weekdayOf(day), weekday.toLowerCase())
    }
    for (const text of ["2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "26-01-01", "2026-01-01T00:00Z", ""]) {
      assert.isNull(dayOfText(text), text)
    }
  })
})
