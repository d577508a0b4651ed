/** What the adapter sends about the shopper, the browser and the time: bodies as Adyen gets them. */
import type { Client, Customer, ProviderOperation } from "@paymux/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { begin, beginWith, card, encrypted, operation, stored } from "./operations.ts"

/** The body of a create. */
const bodyOf = Effect.fnUntraced(function* (asked: ProviderOperation) {
  const { create, network } = yield* begin
  const { _tag } = yield* create(asked)
  assert.notStrictEqual(_tag, "NotExecuted")
  return JSON.parse((yield* network.requests).at(-1)?.body ?? "{}")
}, Effect.scoped)

const ofCustomer = (change: Partial<Customer>, method = card(encrypted)) =>
  bodyOf(operation({ method, customer: { ...operation().customer, ...change } }))

type Address = NonNullable<Customer["address"]>

const address: Address = {
  line1: "12 Marine Drive",
  line2: null,
  city: "Mumbai",
  state: null,
  postalCode: "400002",
  country: "IN"
}

const browser: Client = {
  ip: "203.0.113.7",
  userAgent: "Mozilla/5.0",
  referer: null,
  acceptHeader: "text/html,*/*;q=0.8",
  language: "en-IN",
  timeZone: "Asia/Kolkata",
  screen: { width: 1920, height: 1080, colorDepth: 24 }
}

describe("the shopper", () => {
  it.live("is sent with phone number, both names, country and address, with a payment and with a link", () =>
    Effect.gen(function* () {
      for (const method of [card(encrypted), card(stored), card(null)]) {
        assert.deepInclude(yield* ofCustomer({ address }, method), {
          telephoneNumber: "+4915112345678",
          shopperName: { firstName: "Asha", lastName: "Rao" },
          countryCode: "IN",
          billingAddress: {
            street: "Marine Drive",
            houseNumberOrName: "12",
            city: "Mumbai",
            postalCode: "400002",
            country: "IN"
          }
        })
      }
    })
  )

  it.live("who is not known is left out, part by part", () =>
    Effect.gen(function* () {
      const none = yield* ofCustomer({ phone: null, name: null, address: null })
      assert.doesNotHaveAnyKeys(none, ["telephoneNumber", "shopperName", "countryCode", "billingAddress"])
      for (const phone of ["+49", "015112345678", "+4915112345678901234"]) {
        assert.notProperty(yield* ofCustomer({ phone }), "telephoneNumber")
      }
    })
  )

  it.live("has a name only if it has two words: Adyen requires a first and a last name", () =>
    Effect.gen(function* () {
      for (const [name, shopperName] of [
        ["Asha", undefined],
        ["  ", undefined],
        ["Asha  Devi\tRao", { firstName: "Asha Devi", lastName: "Rao" }],
        [`${"a".repeat(81)} Rao`, undefined],
        [`Asha ${"a".repeat(81)}`, undefined]
      ] as const) {
        assert.deepStrictEqual((yield* ofCustomer({ name })).shopperName, shopperName)
      }
    })
  )

  it.live("holds the card, unless the token names its holder or is a stored method", () =>
    Effect.gen(function* () {
      const { holderName: _, ...nameless } = encrypted
      const holderOf = (token: object, name: string | null) =>
        Effect.map(ofCustomer({ name }, card({ ...token })), ({ paymentMethod }) => paymentMethod.holderName)
      assert.strictEqual(yield* holderOf(nameless, "Ravi"), "Ravi")
      assert.isUndefined(yield* holderOf(nameless, null))
      assert.strictEqual(yield* holderOf(encrypted, "Ravi"), "Asha Rao")
      assert.isUndefined(yield* holderOf(stored, "Ravi"))
    })
  )
})

describe("the billing address", () => {
  const sent = (change: Partial<Address>) =>
    Effect.map(ofCustomer({ address: { ...address, ...change } }), ({ billingAddress }) => billingAddress)

  it.live("has the number of its first line as the house, where it has one number, at the start or end", () =>
    Effect.gen(function* () {
      for (const [line1, line2, street, houseNumberOrName] of [
        ["Kalverstraat 12", null, "Kalverstraat", "12"],
        ["Kalverstraat 12a", null, "Kalverstraat", "12a"],
        ["12/3, MG Road", null, "MG Road", "12/3"],
        ["Rue de Rivoli, 4-6", null, "Rue de Rivoli", "4-6"],
        ["12 Marine Drive", "Flat 4", "Marine Drive", "12, Flat 4"],
        // More than one number, or none: which is the house is not known.
        ["Straße des 17. Juni 135", null, "Straße des 17. Juni 135", "N/A"],
        ["Flat 4, 12 Main Street", null, "Flat 4, 12 Main Street", "N/A"],
        ["5th Avenue", null, "5th Avenue", "N/A"],
        ["The Old Mill", null, "The Old Mill", "N/A"],
        ["The Old Mill", "Mill Lane", "The Old Mill", "Mill Lane"],
        ["1200", "", "1200", "N/A"]
      ] as const) {
        assert.deepInclude(yield* sent({ line1, line2 }), { street, houseNumberOrName }, line1)
      }
    })
  )

  it.live("is sent only if it is complete, and its country always", () =>
    Effect.gen(function* () {
      for (const change of [
        { city: null },
        { postalCode: null },
        { postalCode: "40000200000" },
        { country: "US", postalCode: "94105", state: null },
        { country: "US", postalCode: "94105", state: "California" },
        { country: "US", postalCode: "9410", state: "CA" },
        { country: "CA", postalCode: "K1A 0B1", state: "Ontario" }
      ]) {
        const body = yield* ofCustomer({ address: { ...address, ...change } })
        assert.notProperty(body, "billingAddress", JSON.stringify(change))
        assert.strictEqual(body.countryCode, change.country ?? "IN")
      }
    })
  )

  it.live("has a state of two or three letters, and five digits in the US", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* sent({ country: "US", postalCode: "94105-1804", state: "ca" }), {
        postalCode: "94105",
        stateOrProvince: "CA"
      })
      assert.deepInclude(yield* sent({ country: "CA", postalCode: "K1A 0B1", state: "CA-ON" }), {
        stateOrProvince: "ON"
      })
      assert.deepInclude(yield* sent({ country: "AU", postalCode: "2000", state: "NSW" }), { stateOrProvince: "NSW" })
      assert.notProperty(yield* sent({ state: "Maharashtra" }), "stateOrProvince")
    })
  )
})

describe("the browser, as the merchant saw it", () => {
  const sent = (change: Partial<Client>, createdAt = Date.parse("2026-11-21T10:00:00Z")) =>
    Effect.map(bodyOf(operation({ client: { ...browser, ...change }, createdAt })), ({ browserInfo }) => browserInfo)

  it.live("is sent where the token says nothing about it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* sent({}), {
        acceptHeader: "text/html,*/*;q=0.8",
        colorDepth: 24,
        javaEnabled: false,
        language: "en-IN",
        screenHeight: 1080,
        screenWidth: 1920,
        timeZoneOffset: -330,
        userAgent: "Mozilla/5.0"
      })
      const own = { ...(yield* sent({})), language: "nl-NL", javaEnabled: true }
      const body = yield* bodyOf(operation({ client: browser, method: card({ ...encrypted, browserInfo: own }) }))
      assert.deepStrictEqual(body.browserInfo, own)
    })
  )

  it.live("is left out unless all of it is known, and never sent with a link", () =>
    Effect.gen(function* () {
      for (const field of ["userAgent", "acceptHeader", "language", "timeZone", "screen"] as const) {
        assert.isUndefined(yield* sent({ [field]: null }), field)
      }
      assert.isUndefined(yield* sent({ timeZone: "Atlantis/Capital" }))
      assert.notProperty(yield* bodyOf(operation({ client: null })), "browserInfo")
      assert.notProperty(yield* bodyOf(operation({ client: browser, method: card(null) })), "browserInfo")
    })
  )

  it.live("has a color depth that Adyen takes: the next lower one", () =>
    Effect.gen(function* () {
      for (const [colorDepth, expected] of [
        [1, 1],
        [3, 1],
        [15, 15],
        [18, 16],
        [30, 24],
        [32, 32],
        [36, 32],
        [64, 48]
      ] as const) {
        const { colorDepth: taken } = yield* sent({ screen: { width: 1, height: 1, colorDepth } })
        assert.strictEqual(taken, expected, String(colorDepth))
      }
    })
  )

  it.live("is as many minutes from UTC as when the payment was made, and as the browser counts them", () =>
    Effect.gen(function* () {
      for (const [timeZone, at, expected] of [
        ["Asia/Kolkata", "2026-11-21T10:00:00Z", -330],
        ["Asia/Calcutta", "2026-11-21T10:00:00Z", -330],
        ["UTC", "2026-11-21T10:00:00Z", 0],
        ["Europe/Berlin", "2026-11-21T10:00:00Z", -60],
        ["Europe/Berlin", "2026-07-21T10:00:00Z", -120],
        ["Europe/Berlin", "2026-10-25T00:59:59Z", -120],
        ["Europe/Berlin", "2026-10-25T01:00:00Z", -60],
        ["America/New_York", "2026-07-21T10:00:00Z", 240],
        ["Pacific/Kiritimati", "2026-07-21T10:00:00Z", -840]
      ] as const) {
        const { timeZoneOffset } = yield* sent({ timeZone }, Date.parse(at))
        assert.strictEqual(timeZoneOffset, expected, `${timeZone} ${at}`)
      }
    })
  )

  it.live("is sent in the same bytes a second time, and so is everything else", () =>
    Effect.gen(function* () {
      for (const method of [card(encrypted), card(null)]) {
        const { create, network } = yield* begin
        const asked = operation({ method, client: browser, customer: { ...operation().customer, address } })
        yield* create(asked)
        yield* create(asked)
        const [first, second] = yield* network.requests
        assert.include(first?.body, "billingAddress")
        assert.strictEqual(second?.body, first?.body)
      }
    }).pipe(Effect.scoped)
  )
})

describe("the browser, as the card form read it", () => {
  const browserInfo = {
    acceptHeader: "*/*",
    colorDepth: 24,
    javaEnabled: false,
    language: "en-IN",
    screenHeight: 1080,
    screenWidth: 1920,
    timeZoneOffset: -330,
    userAgent: "Mozilla/5.0"
  }
  const sent = Effect.fnUntraced(function* (given: unknown) {
    const { create, network } = yield* begin
    const outcome = yield* create(operation({ method: card({ ...encrypted, browserInfo: given }) }))
    const [request] = yield* network.requests
    return { outcome, browserInfo: request === undefined ? null : JSON.parse(request.body).browserInfo }
  }, Effect.scoped)

  it.live("is sent with the token, beside its fields", () =>
    Effect.gen(function* () {
      const { browserInfo: whole, outcome } = yield* sent({ ...browserInfo, javaScriptEnabled: true })
      assert.deepStrictEqual(whole, { ...browserInfo, javaScriptEnabled: true })
      assert.strictEqual(outcome._tag, "Succeeded")
      assert.deepStrictEqual((yield* sent({ ...browserInfo, riskData: "4111" })).browserInfo, browserInfo)
      for (const none of [undefined, null]) assert.isUndefined((yield* sent(none)).browserInfo)
    })
  )

  it.live("is not sent where it cannot be Adyen's, and neither is the payment", () =>
    Effect.gen(function* () {
      const { language: _, ...partial } = browserInfo
      for (const given of [
        "",
        1,
        [],
        {},
        partial,
        { ...browserInfo, screenWidth: "1920" },
        { ...browserInfo, userAgent: "a".repeat(5_000) }
      ]) {
        const { browserInfo: whole, outcome } = yield* sent(given)
        assert.isNull(whole)
        assert.deepInclude(outcome, { _tag: "NotExecuted", reason: "adapter_fault", vendorCode: "token" })
      }
    })
  )
})

describe("the end of a payment link", () => {
  const longest = 70 * 24 * 60 * 60_000

  it.live("is less than 70 days away, by a minute, at every millisecond, and rounded down", () =>
    Effect.gen(function* () {
      for (const payWithinMinutes of [100_800, 100_799]) {
        const { create, network } = yield* beginWith({ payWithinMinutes })
        for (const ms of [0, 1, 499, 500, 999]) {
          const createdAt = Date.parse("2026-11-27T22:31:02Z") + ms
          yield* create(operation({ method: card(null), createdAt }))
          const { expiresAt } = JSON.parse((yield* network.requests).at(-1)?.body ?? "{}")
          assert.strictEqual(expiresAt, "2027-02-05T22:30:02.000Z")
          assert.isAtMost(Date.parse(expiresAt) - createdAt, longest - 60_000)
        }
      }
    }).pipe(Effect.scoped)
  )

  it.live("is as configured where that is less", () =>
    Effect.gen(function* () {
      const { create, network } = yield* beginWith({ payWithinMinutes: 5 })
      yield* create(operation({ method: card(null), createdAt: Date.parse("2026-11-27T22:31:02.999Z") }))
      assert.include((yield* network.requests).at(-1)?.body, '"expiresAt":"2026-11-27T22:36:02.000Z"')
    }).pipe(Effect.scoped)
  )
})
