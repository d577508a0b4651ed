/** Windows of the day, on the wall clocks of the world. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isTimeZone, isWithin, minuteOfText, textOfMinute, timeAt, wallClock } from "../../src/match/TimeOfDay.ts"

const formats = new Map<string, Intl.DateTimeFormat>()

/** What the platform says that a clock shows, as `2026-01-15 23:30`; each time anew. */
const shownAt = (time: number, timeZone: string): string => {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short", hourCycle: "h23" })
  formats.set(timeZone, format)
  return format.format(time)
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const within = (from: string, to: string, zone: string) =>
  isWithin({ from: minuteOfText(from), to: minuteOfText(to), days: null, zone })

describe("a window", () => {
  const shown = ["00:00", "08:59", "09:00", "12:00", "16:59", "17:00", "23:59"]
  const at = (clock: string) => Date.UTC(2026, 0, 15) + minuteOfText(clock) * MINUTE

  it("begins with its first minute and ends before its last", () => {
    const office = within("09:00", "17:00", "UTC")
    assert.deepStrictEqual(
      shown.filter((clock) => office(at(clock))),
      ["09:00", "12:00", "16:59"]
    )
    assert.isTrue(office(at("16:59") + MINUTE - 1))
    assert.isFalse(office(at("09:00") - 1))
  })

  it("goes over midnight where it ends earlier than it begins", () => {
    const night = within("17:00", "09:00", "UTC")
    assert.deepStrictEqual(
      shown.filter((clock) => night(at(clock))),
      ["00:00", "08:59", "17:00", "23:59"]
    )
  })

  it("may be a minute long, or a day but a minute", () => {
    const minutes = Array.from({ length: 1440 }, (_, minute) => Date.UTC(2026, 0, 15) + minute * MINUTE)
    assert.lengthOf(minutes.filter(within("12:00", "12:01", "UTC")), 1)
    assert.lengthOf(minutes.filter(within("12:01", "12:00", "UTC")), 1439)
    assert.lengthOf(minutes.filter(within("23:59", "00:00", "UTC")), 1)
    assert.lengthOf(minutes.filter(within("00:00", "23:59", "UTC")), 1439)
  })

  it("is of its zone: half past eleven in Kolkata is six in London", () => {
    const night = within("23:30", "00:30", "Asia/Kolkata")
    assert.isTrue(night(Date.UTC(2026, 0, 15, 18, 0)))
    assert.isTrue(night(Date.UTC(2026, 0, 15, 18, 59)))
    assert.isFalse(night(Date.UTC(2026, 0, 15, 19, 0)))
    assert.isFalse(night(Date.UTC(2026, 0, 15, 17, 59)))
  })

  it("of an hour that is left out in spring is empty that day, and of one that comes twice is open for two hours", () => {
    const minutesOpen = (day: number) => {
      const open = within("02:00", "03:00", "Europe/Berlin")
      return Array.from({ length: 1500 }, (_, minute) => day + minute * MINUTE).filter(open).length
    }
    // 2026-03-29 and 2026-10-25, from midnight in Berlin.
    assert.strictEqual(minutesOpen(Date.UTC(2026, 2, 28, 23)), 0)
    assert.strictEqual(minutesOpen(Date.UTC(2026, 9, 24, 22)), 120)
  })
})

/** The same as minutes since 1970-01-01 has it. */
const textOf = (minutes: number): string => new Date(minutes * MINUTE).toISOString().slice(0, 16).replace("T", " ")

describe("the wall clock", () => {
  const zones = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Chatham", "UTC"]
  /** Days on which clocks are set, and one on which none is. Lord Howe moves by half an hour. */
  const days = ["2026-03-07", "2026-03-08", "2026-03-28", "2026-04-04", "2026-04-05", "2026-07-01"].concat([
    "2026-10-03",
    "2026-10-04",
    "2026-10-24",
    "2026-10-25",
    "2026-11-01"
  ])

  for (const zone of zones) {
    it(`in ${zone} is what the platform shows, through every change of its clocks`, () => {
      const clock = wallClock(zone)
      for (const day of days) {
        const midnight = Date.parse(`${day}T00:00:00Z`)
        // Every five minutes of a day and a half, a second before and a second after.
        for (let time = midnight; time < midnight + 36 * HOUR; time += 5 * MINUTE) {
          for (const near of [time - 1000, time, time + 1000]) {
            assert.strictEqual(textOf(clock(near)), shownAt(near, zone), new Date(near).toISOString())
          }
        }
      }
    })
  }

  it("is what the platform shows at any time, in any order, since 1975", () => {
    const clocks = new Map(zones.map((zone) => [zone, wallClock(zone)]))
    const times = fc.integer({ min: Date.UTC(1975, 0), max: Date.UTC(2100, 0) })
    fc.assert(
      fc.property(times, fc.constantFrom(...zones), (time, zone) => {
        assert.strictEqual(textOf(clocks.get(zone)?.(time) ?? -1), shownAt(time, zone))
      }),
      { numRuns: 3000, seed: 1 }
    )
  })
})

describe("the time that a wall clock shows", () => {
  it("is found in every zone, but for those that clocks leave out", () => {
    const minutes = fc.integer({ min: Date.UTC(1975, 0) / MINUTE, max: Date.UTC(2100, 0) / MINUTE })
    fc.assert(
      fc.property(
        minutes,
        fc.constantFrom("Asia/Kolkata", "Pacific/Kiritimati", "UTC", "Asia/Kathmandu"),
        (at, zone) => {
          const time = timeAt(zone, at)
          // Kathmandu and Kiritimati have set their clocks once since 1975.
          if (time > Date.UTC(1996, 0)) assert.strictEqual(wallClock(zone)(time), at)
        }
      ),
      { numRuns: 1000, seed: 1 }
    )
    assert.strictEqual(timeAt("Europe/Berlin", Date.UTC(2026, 6, 1, 12) / MINUTE), Date.UTC(2026, 6, 1, 10))
  })
})

describe("texts", () => {
  it("of minutes are read and written alike", () => {
    for (let minute = 0; minute < 1440; minute++) assert.strictEqual(minuteOfText(textOfMinute(minute)), minute)
    assert.strictEqual(minuteOfText("23:30"), 1410)
    assert.strictEqual(textOfMinute(65), "01:05")
  })

  it("name a time zone, or do not", () => {
    for (const zone of ["UTC", "Asia/Kolkata", "Australia/Lord_Howe", "Etc/GMT+5"])
      assert.isTrue(isTimeZone(zone), zone)
    for (const text of ["", "Asia/Calcuta", "Mars/Olympus", "IST5", "local"]) assert.isFalse(isTimeZone(text), text)
  })

  it("name every zone of the platform, and the old short names that are in the IANA database", () => {
    const short = ["CET", "EST5EDT", "GB", "GMT", "Japan", "NZ-CHAT", "ROK", "Zulu", "asia/kolkata", "utc"]
    for (const zone of [...Intl.supportedValuesOf("timeZone"), ...short]) assert.isTrue(isTimeZone(zone), zone)
  })

  it("name no zone by its offset, nor by an abbreviation that means another place elsewhere", () => {
    for (const text of ["+05:30", "-0800", "+05", "IST", "BST", "PST", "ast", "SystemV/EST5"])
      assert.isFalse(isTimeZone(text), text)
  })
})

describe("what is kept of a zone", () => {
  const original = Intl.DateTimeFormat
  let made = 0
  class Counted extends original {
    constructor(...options: ConstructorParameters<typeof original>) {
      super(...options)
      made++
    }
  }
  const madeBy = (work: () => void): number => {
    made = 0
    Object.assign(Intl, { DateTimeFormat: Counted })
    try {
      work()
    } finally {
      Object.assign(Intl, { DateTimeFormat: original })
    }
    return made
  }

  it("is kept once, however it is written, and for the check and the clock together", () => {
    const spellings = ["Hongkong", "hongkong", "HONGKONG", "hONGkONG"]
    assert.strictEqual(
      madeBy(() => {
        for (const zone of spellings) {
          assert.isTrue(isTimeZone(zone))
          assert.strictEqual(wallClock(zone)(0), 480)
        }
      }),
      1
    )
  })
})
