/**
 * The conformance checks find what they are for: each mistake, planted into an adapter that passes them all, is
 * caught by its check, in a message that says what was tried, expected and seen.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Provider } from "@paymux/core"
import { conformanceChecks, judgeProvider } from "@paymux/testkit"
import { Effect } from "effect"
import { acme } from "../../packages/paymux/templates/adapter/src/index.ts"
import { fake as acmeFake } from "../../packages/paymux/templates/adapter/test/fake.ts"
import { stripe } from "../../packages/adapters/stripe/src/index.ts"
import { fake as stripeFake } from "../../packages/adapters/stripe/src/testing/fake.ts"
import { optionsOf } from "../../packages/adapters/stripe/src/testing/options.ts"
import { northbank } from "../../docs/examples/adapter/src/index.ts"
import { fake as northbankFake } from "../../docs/examples/adapter/test/fake.ts"
import type { Bug } from "./Bug.ts"
import { endingBugs } from "./bugs/endings.ts"
import { losingBugs } from "./bugs/losing.ts"
import { moneyBugs } from "./bugs/money.ts"
import { reportsBugs } from "./bugs/reports.ts"
import { resendingBugs } from "./bugs/resending.ts"
import { secretBugs } from "./bugs/secrets.ts"
import { sendingBugs } from "./bugs/sending.ts"
import { statementBugs } from "./bugs/statements.ts"
import { askingWhenReturned, truthBugs } from "./bugs/truth.ts"
import { webhookBugs } from "./bugs/webhooks.ts"

const bugs: ReadonlyArray<Bug> = [
  ...endingBugs,
  ...losingBugs,
  ...moneyBugs,
  ...reportsBugs,
  ...resendingBugs,
  ...sendingBugs,
  ...secretBugs,
  ...statementBugs,
  ...truthBugs,
  ...webhookBugs
]

const judges = {
  acme: (plant: (provider: Provider) => Provider) =>
    judgeProvider({
      fake: acmeFake,
      make: ({ credentials, url }) =>
        plant(acme({ apiKey: credentials.apiKey, webhookSecrets: [credentials.webhookSecret], baseUrl: url }))
    }),
  northbank: (plant: (provider: Provider) => Provider) =>
    judgeProvider({
      fake: northbankFake,
      make: ({ credentials: { keyId, secret, webhookSecret }, url }) =>
        plant(northbank({ keyId, secret, webhookSecrets: ["wh_the_next_one", webhookSecret], baseUrl: url }))
    }),
  stripe: (plant: (provider: Provider) => Provider) =>
    judgeProvider({ fake: stripeFake, make: (vendor) => plant(stripe(optionsOf(vendor))) })
}

const isCaught = ({ adapter, check: id, name, plant }: Bug) =>
  it.live(`${id}: it ${name}`, () =>
    Effect.gen(function* () {
      const check = conformanceChecks.find((each) => each.id === id)
      if (check === undefined) return assert.fail(`no check ${id}`)
      const judge = judges[adapter](plant)
      assert.isNull(yield* judge.exempt(check))
      const reported = yield* judge.tryCheck(check)
      for (const part of [check.title, "tried ", "expected ", "seen ", `CONFORMANCE.md#${id}`]) {
        assert.include(reported ?? "the check found nothing", part)
      }
    })
  )

describe.concurrent("an adapter's mistake that hangs is caught by its check", () => {
  for (const bug of bugs.filter(({ hangs }) => hangs)) isCaught(bug)
})

describe("an adapter's mistake is caught by its check", () => {
  for (const bug of bugs.filter(({ hangs }) => !hangs)) isCaught(bug)

  for (const adapter of ["acme", "northbank"] as const) {
    it.live(`and a return that asks ${adapter} is no mistake`, () =>
      Effect.gen(function* () {
        const judge = judges[adapter](askingWhenReturned)
        for (const check of conformanceChecks.filter(({ id }) => id === "return" || id === "declared")) {
          assert.isNull(yield* judge.tryCheck(check))
        }
      })
    )
  }

  it("every check has one", () => {
    assert.sameMembers(
      [...new Set(bugs.map(({ check }) => check))],
      conformanceChecks.map(({ id }) => id)
    )
  })
})
