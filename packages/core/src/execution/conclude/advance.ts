/** Applies evidence to the payment that it is about, and starts the next attempt if the evidence leads to one. */
import { Effect } from "effect"
import { isMadeElsewhere } from "../../domain/Cell.ts"
import type { OwnIds } from "../../domain/Cell.ts"
import type { Evidence } from "../../domain/Evidence.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import type { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import type { StoreUnavailable } from "../../store/PaymentStore.ts"
import { operationAbout } from "../recover/inbox/operationAbout.ts"
import type { Sending } from "../send/Sender.ts"
import { applyEvidence } from "./applyEvidence.ts"
import type { EvidenceServices } from "./applyEvidence.ts"
import type { Report } from "./Report.ts"

/** The result of applying a piece of evidence to a payment. */
export type Advanced =
  | { readonly _tag: "Applied" | "Unchanged"; readonly record: PaymentRecord }
  /**
   * No payment was found for the evidence. `owner` is `here` if this installation made the operation but its row is
   * missing, `elsewhere` if another installation made it, and `unknown` if the provider's reference is not known yet.
   */
  | { readonly _tag: "Unmatched"; readonly owner: "here" | "elsewhere" | "unknown" }
  /** The evidence is about an operation of another provider instance, so it was not applied. */
  | { readonly _tag: "OfAnotherInstance"; readonly instance: string }

/** Returns the payment after the evidence; `null` if it matched no payment or no operation. */
export const recordOf = (advanced: Advanced): PaymentRecord | null => ("record" in advanced ? advanced.record : null)

/** The source of evidence, and the document that proves it. */
export interface Origin {
  /**
   * The provider instance that reports; `null` for this engine. Its evidence applies only to operations at this
   * instance.
   */
  readonly provider: string | null
  /** The document that proves the evidence, see `EvidenceRow`. */
  readonly document: string | null
}

export interface AdvanceServices extends EvidenceServices {
  readonly ownIds: OwnIds
}

/** Applies evidence. Uninterruptible, because its commit may start the next attempt. */
export const advance = Effect.fnUntraced(function* (
  services: AdvanceServices,
  evidence: Evidence,
  { document, provider }: Origin,
  start: (sending: Sending) => Effect.Effect<void>
) {
  const { live, registry } = services
  const found = yield* findSubject(services, evidence.about)
  if (found === null) return { _tag: "Unmatched", owner: ownerOf(evidence, services.ownIds) } as const
  if (isOfOtherMode(registry, found, provider)) return { _tag: "Unmatched", owner: "unknown" } as const
  const operation = operationAbout(found, evidence, provider, registry.idsOf)
  if (operation === undefined) {
    return { _tag: "OfAnotherInstance", instance: instanceOf(found, evidence.about) } as const
  }
  const report: Report = { operation, evidence, ended: evidence.outcome, answerTo: "attempt", document }
  const { _tag, next, record } = yield* applyEvidence(services, found, report)
  if (next !== null) {
    live.start(found.payment.id, null)
    yield* start(next)
  }
  return _tag === "Gone" ? ({ _tag: "Unmatched", owner: "here" } as const) : { _tag, record }
}, Effect.uninterruptible)

/**
 * Finds the payment that the evidence is about. A reference is searched under all ids of the provider instance, because
 * operations keep the id they were made with.
 */
const findSubject = Effect.fnUntraced(function* (
  { registry, store }: Pick<AdvanceServices, "registry" | "store">,
  about: Evidence["about"]
): Effect.fn.Return<PaymentRecord | null, StoreUnavailable> {
  if ("operation" in about) return yield* store.findByOperation(about.operation)
  for (const id of registry.idsOf(about.provider)) {
    const found = yield* store.findByReference(id, about.providerReference)
    if (found !== null) return found
  }
  return null
})

const instanceOf = ({ operations }: PaymentRecord, about: Evidence["about"]): string =>
  "operation" in about ? (operations.find(({ id }) => id === about.operation)?.provider ?? "unknown") : about.provider

const ownerOf = ({ about }: Evidence, own: OwnIds) => {
  if (!("operation" in about)) return "unknown"
  return isMadeElsewhere(about.operation, own) ? "elsewhere" : "here"
}

/**
 * Whether the configuration of the provider instance changed to the other mode (live or test), in which this payment
 * does not exist.
 */
const isOfOtherMode = (
  registry: ProviderRegistry["Service"],
  { payment }: PaymentRecord,
  provider: string | null
): boolean =>
  provider !== null && registry.get(provider) !== null && registry.serving(provider, payment.livemode) === null
