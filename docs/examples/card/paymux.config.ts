/**
 * Stripe, and Adyen where Stripe's decline is one that another road may avoid. Both are fakes on this machine, in test mode:
 * no money moves.
 *
 * `STRIPE=silent` lets Stripe work and never answer.
 */
import { adyen } from "@paymux/adyen"
import { fake as adyenFake, optionsOf as adyenOptions, pspOf, resultOf } from "@paymux/adyen/testing"
import { stripe } from "@paymux/stripe"
import { fake as stripeFake, optionsOf as stripeOptions } from "@paymux/stripe/testing"
import { startFake } from "@paymux/testkit"
import { Effect } from "effect"
import type { PaymuxOptions } from "paymux"
import { testMode, withoutHurry } from "./vendors.ts"

const server = process.env["PAYMUX_URL"] ?? "http://127.0.0.1:4310"
const isSilent = process.env["STRIPE"] === "silent"

const first = await startFake(withoutHurry(stripeFake), isSilent ? {} : { webhookUrl: `${server}/webhooks/stripe` })
const second = await startFake(withoutHurry(adyenFake), { webhookUrl: `${server}/webhooks/adyen` })
if (isSilent) await Effect.runPromise(first.vendor.network.fallSilent)

const stripeUrl = await testMode({
  fake: first.vendor,
  scriptedOutcomes: {
    pm_card_chargeDeclinedProcessingError: { decline: "processing_error" },
    pm_card_visa_chargeDeclinedStolenCard: { decline: "stolen_card" }
  },
  pages: /https:\/\/(hooks|checkout)\.stripe\.example\/[^"]+/g,
  backIn: /(?:return|success)_url=([^&]+)/,
  appended: () => ({ redirect_status: "succeeded" })
})

const adyenUrl = await testMode({
  fake: second.vendor,
  scriptedOutcomes: { "Asks Forthreeds": "wait" },
  pages: /https:\/\/(checkoutshopper-test\.adyen\.com|test\.adyen\.link)\/[^"]+/g,
  backIn: /"returnUrl":"([^"]+)"/,
  appended: (page) => {
    const asked = second.vendor.ledger.payments().find(({ id }) => page.includes(pspOf(id, "3ds")))
    return asked === undefined ? {} : { redirectResult: resultOf(asked) }
  }
})

export default {
  providers: [
    stripe(stripeOptions({ ...first.vendor, url: stripeUrl })),
    adyen(adyenOptions({ ...second.vendor, url: adyenUrl }))
  ],
  routing: { version: 1, rules: [], default: { priority: ["stripe", "adyen"] } }
} satisfies PaymuxOptions<"stripe" | "adyen">
