/**
 * Remembers which kinds of payments the account at a provider is not enabled for, so that not each such payment makes a
 * useless call.
 *
 * A remembered provider is tried last for the kind, never refused: it may be the only one. After `rememberedMs` one
 * payment, the probe, is sent to it in its usual position; the others wait for its result. Each process has its own
 * memory.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { PaymentKind } from "../routing/servedFlow.ts"
import type { Ended } from "./Ended.ts"

export class AccountRestrictions extends Context.Service<
  AccountRestrictions,
  {
    /** Whether any kind of the provider is remembered: a cheap check, because routing calls it for every payment. */
    readonly restricts: (provider: string) => boolean
    readonly isRestricted: (kind: PaymentKind) => boolean
    /**
     * Records that a payment of the kind is about to be sent in its usual position. If a probe is due, this payment is
     * the probe, and later payments wait for its result.
     */
    readonly claimProbe: (kind: PaymentKind) => void
    /** Records the reply to a create. Returns whether it restricts a kind that was not restricted before. */
    readonly observe: (kind: PaymentKind, ended: Ended) => boolean
  }
>()("@paymux/core/resilience/AccountRestrictions") {
  static readonly layer = Layer.effect(AccountRestrictions, Effect.map(Clock.Clock, make))
}

const accountRestrictionTimings = {
  /** The time for which a provider is tried last for a kind before the next probe, ms. */
  rememberedMs: 15 * 60_000,
  /** The time after which a probe without a result is replaced, ms. Longer than an attempt. */
  probeMs: 45_000
} as const

/**
 * The maximum number of remembered kinds per provider, more than any configuration has: the newest replaces the oldest.
 */
const most = 1_000

function make(clock: Clock.Clock): AccountRestrictions["Service"] {
  const { probeMs, rememberedMs } = accountRestrictionTimings
  /** The expiry of each remembered kind, in ns of the monotonic clock. By provider, then by kind. */
  const restricted = new Map<string, Map<string, bigint>>()
  const now = () => clock.monotonicTimeNanosUnsafe()
  const expiryOf = (kind: PaymentKind) => restricted.get(kind.provider)?.get(nameOf(kind))
  const lift = (kind: PaymentKind) => {
    const kinds = restricted.get(kind.provider)
    if (kinds?.delete(nameOf(kind)) === true && kinds.size === 0) restricted.delete(kind.provider)
  }
  const restrict = (kind: PaymentKind) => {
    const kinds = restricted.get(kind.provider) ?? new Map<string, bigint>()
    const isNew = !kinds.has(nameOf(kind))
    const [oldest = ""] = kinds.keys()
    if (isNew && kinds.size >= most) kinds.delete(oldest)
    restricted.set(kind.provider, kinds.set(nameOf(kind), now() + nanos(rememberedMs)))
    return isNew
  }
  return AccountRestrictions.of({
    restricts: (provider) => restricted.has(provider),
    isRestricted: (kind) => {
      const expiry = expiryOf(kind)
      return expiry !== undefined && now() < expiry
    },
    claimProbe: (kind) => {
      const expiry = expiryOf(kind)
      if (expiry !== undefined && now() >= expiry)
        restricted.get(kind.provider)?.set(nameOf(kind), now() + nanos(probeMs))
    },
    observe: (kind, ended) => {
      if (accepted.has(ended._tag)) lift(kind)
      return ended._tag === "AccountNotEnabled" && ended.about === "kind" && restrict(kind)
    }
  })
}

/** The outcomes which prove that the account is enabled for the kind. */
const accepted: ReadonlySet<Ended["_tag"]> = new Set(["Succeeded", "Authorized", "Pending", "Declined"])

const nameOf = ({ currency, flow, rail }: PaymentKind): string => `${rail} ${flow} ${currency}`

const nanos = (ms: number): bigint => BigInt(ms) * 1_000_000n
