/** What an instance can do, as its options say. */
import type { Capabilities, OperationCapability } from "@paymux/core"
import { Duration } from "effect"
import type { Settings } from "./options.ts"

export const capabilitiesOf = ({ chains, signer }: Pick<Settings, "chains" | "signer">): Capabilities => ({
  methods: {
    stablecoin: {
      currencies: [...new Set(chains.flatMap(({ tokens }) => tokens.map(({ currency }) => currency)))],
      assets: chains.flatMap(({ network, tokens }) => tokens.map(({ asset }) => ({ asset, network }))),
      flows: { transfer: {} },
      captureMethods: ["automatic"]
    }
  },
  operations: {
    // The scanner reports payments automatically, and there are many: an inquiry is rare.
    create: { ...remembered, inquiry: { ...asked, costly: true } },
    cancel: { ...remembered, inquiry: asked },
    // Each is one transaction, under its hash.
    ...(signer !== null && {
      refund: { ...remembered, inquiry: asked, partial: true, rateLimitIsNotExecuted: true, reports: "movement" }
    })
  },
  statement: { bookedWithin, paymentsInParts: true }
})

/** Until a block is final. Chains take minutes; an outage of their finality may take longer. */
export const bookedWithin = Duration.hours(1)

/**
 * All of it is decided by what is kept here: the same operation has the same address, and a refund its one transaction,
 * for as long as the database lives.
 */
const remembered: OperationCapability = { idempotency: { by: "header", lifetime: "3650 days" } }
const asked = { by: "reference", notFoundIsFinalAfter: "1 minute" } as const
