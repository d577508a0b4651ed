/** What the accounts at providers were not enabled for in the last seven days. */
import type { Provider, Tenant } from "@paymux/core"
import type { Finding } from "@paymux/dashboard"
import { accountRefusals, mostAccountRefusals } from "@paymux/sql"
import type { AccountRefusal } from "@paymux/sql"
import { Clock, Effect } from "effect"
import { agoText } from "./agoText.ts"
import { warning } from "./Finding.ts"

/** `providers`: the configured instances, which know what to do about a vendor's code. */
export const accountFindings = Effect.fnUntraced(function* (tenant: Tenant, providers: ReadonlyArray<Provider>) {
  const now = yield* Clock.currentTimeMillis
  const findings = yield* Effect.forEach(providers, (provider) =>
    Effect.map(accountRefusals(tenant, provider.id, now - week), (refusals) =>
      refusals.map((refusal): Finding =>
        warning(provider.id, accountRefusalText(refusal, helpFor(provider, refusal), now))
      )
    )
  )
  return findings.flat()
})

/** ms */
export const week = 7 * 24 * 60 * 60_000

/** What an operator does about it: the adapter's sentence for the vendor's code, if it has one. */
export const helpFor = ({ capabilities }: Provider, { code, vendorCode }: AccountRefusal): string =>
  (vendorCode === null ? undefined : capabilities.accountHelp?.[vendorCode]) ?? withoutHelp[code]

const withoutHelp: { readonly [code in AccountRefusal["code"]]: string } = {
  account_not_enabled: "Ask the provider to enable it, or exclude the provider for these payments by a routing rule.",
  details_required: "Send the missing details with the payment."
}

const accountRefusalText = (refusal: AccountRefusal, help: string, now: number): string => {
  const { code, count, currency, flow, lastAt, rail, vendorCode } = refusal
  const what = `${rail} payments (${flow}) in ${currency}`
  const refused = code === "details_required" ? `requires more details for ${what}` : `refuses ${what} to this account`
  const often = count === 1 ? "once" : `${count < mostAccountRefusals ? "" : "at least "}${count} times`
  const times = `${often} in 7 days, last ${agoText(now - lastAt)}`
  return `${refused}: ${vendorCode ?? code}, ${times}. ${help}`
}
