/**
 * The configuration of routing rules: one Schema for YAML, JSON and TypeScript.
 *
 * The first rule whose `when` holds is used, otherwise `default`. Amounts are minor units. Durations are text (`45s`,
 * `30m`) that decodes to ms, and `explore` is text (`5%`) that decodes to a fraction. An absent fact matches no
 * condition.
 *
 * Text is compared exactly. Values that no payment can have (`Visa`) are rejected. `customer.phone_country` is the
 * calling code of E.164 (`"+91"`), not an ISO country: several countries share one code, and a table of their area
 * codes would become outdated.
 *
 * @example
 * ```ts
 * import { defineRouting } from "@paymux/routing"
 *
 * export default defineRouting({
 *   version: 1,
 *   rules: [
 *     {
 *       name: "domestic cards",
 *       when: { payment_method: "card", "card.country": "IN" },
 *       choose: { split: { stripe: 70, adyen: 30 }, sticky_by: "customer.email" }
 *     }
 *   ],
 *   default: { priority: ["stripe", "adyen"] }
 * })
 * ```
 */
import { Schema } from "effect"
import { Choose } from "./language/Choose.ts"
import type { Best, Split } from "./language/Choose.ts"
import { Calendars } from "./language/Days.ts"
import { Failover } from "./language/Failover.ts"
import { Fees } from "./language/Fees.ts"
import type { ProviderFees } from "./language/Fees.ts"
import { Outage } from "./language/Outage.ts"
import { When } from "./language/When.ts"
import { list, name, optionally } from "./language/words.ts"

export const Rule = Schema.Struct({
  name: name.annotateKey({ description: "Unique; stored with every payment that the rule decides." }),
  when: When.annotateKey({ description: "All of these conditions must hold; {} holds always." }),
  choose: Choose.annotateKey({ description: "How the rule chooses among its providers." }),
  failover: optionally(Failover, "For payments of this rule: replaces the keys of `failover` at the top that it has.")
})
export type Rule = typeof Rule.Type

export const RoutingConfig = Schema.Struct({
  version: Schema.Literal(1).annotateKey({ description: "Of this language." }),
  rules: optionally(Schema.Array(Rule), "The first whose conditions hold decides."),
  default: Choose.annotateKey({ description: "What is done where no rule holds." }),
  exclude: optionally(list(Schema.String), "Providers that get no new payments, whichever rule names them."),
  outages: optionally(list(Outage), "Times in which a provider gets no new payments, such as a maintenance window."),
  holidays: optionally(Calendars, "Calendars of holidays by name, for conditions on `time`."),
  fees: optionally(Fees, "By provider and method: what `best: cost` and `best: value` compare."),
  failover: optionally(Failover, "How far a payment is carried from one provider to the next.")
})
/** Rules after decoding: durations are numbers of ms. */
export type RoutingConfig = typeof RoutingConfig.Type

interface PriorityInput<Listed extends string> {
  readonly priority: ReadonlyArray<Listed>
}

interface SplitInput<Keyed extends string> extends Omit<typeof Split.Encoded, "split"> {
  readonly split: { readonly [provider in Keyed]?: number }
}

interface BestInput<Listed extends string> extends Omit<typeof Best.Encoded, "among"> {
  readonly among: ReadonlyArray<Listed>
}

type ChooseInput<Listed extends string, Keyed extends string> =
  | PriorityInput<Listed>
  | SplitInput<Keyed>
  | BestInput<Listed>

interface RuleInput<Listed extends string, Keyed extends string> extends Omit<typeof Rule.Encoded, "choose"> {
  readonly choose: ChooseInput<Listed, Keyed>
}

interface OutageInput<Listed extends string> extends Omit<typeof Outage.Encoded, "provider"> {
  readonly provider: Listed
}

/**
 * The rules before decoding. `Listed` is the type of the provider ids in lists, and `Keyed` that of the provider ids
 * used as object keys. TypeScript infers the two types separately.
 */
interface Written<Listed extends string, Keyed extends string> extends Omit<
  typeof RoutingConfig.Encoded,
  "rules" | "default" | "exclude" | "outages" | "fees"
> {
  readonly rules?: ReadonlyArray<RuleInput<Listed, Keyed>>
  readonly default: ChooseInput<Listed, Keyed>
  readonly exclude?: ReadonlyArray<Listed>
  readonly outages?: ReadonlyArray<OutageInput<Listed>>
  readonly fees?: { readonly [provider in Keyed]?: ProviderFees }
}

declare const providerIds: unique symbol

/**
 * The rules before decoding, as written in a file or in TypeScript. `Id` is the type of the provider ids that they may
 * name.
 */
export interface RoutingConfigInput<Id extends string = string> extends Written<Id, Id> {
  /**
   * A phantom property, which is never present at runtime. It makes TypeScript reject rules that name more providers
   * than the type `Id` allows. Without it, such rules would be assignable, since extra keys are allowed.
   */
  readonly [providerIds]?: Id
}

/**
 * Adds types to rules that are written in TypeScript. The rules are checked against the providers when the engine
 * starts.
 *
 * The returned type contains the provider ids of the rules, so the compiler rejects a call of `createPaymux` whose
 * `providers` lack one of these ids. `defineRouting<"stripe" | "adyen">({ … })` rejects other ids immediately.
 */
export const defineRouting = <const Id extends string = never, const Keyed extends string = Id>(
  config: Written<Id, Keyed>
): RoutingConfigInput<Id | Keyed> =>
  // Cast at a type boundary: the types of ids in lists and of ids as keys are inferred separately, but both are
  // provider ids.
  config as unknown as RoutingConfigInput<Id | Keyed>

/**
 * The default rules of a server without configured rules: active providers are tried in the order of their
 * configuration.
 */
export const defaultRouting = (
  providers: ReadonlyArray<{ readonly id: string; readonly retired?: true }>
): RoutingConfigInput => {
  const active = providers.filter(({ retired }) => retired !== true)
  // All instances are listed if none is active, since the Schema requires at least one; every payment is then rejected.
  return { version: 1, default: { priority: (active.length > 0 ? active : providers).map(({ id }) => id) } }
}
