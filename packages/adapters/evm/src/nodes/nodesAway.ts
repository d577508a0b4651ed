/** What a request is answered that too few nodes could serve: nothing was done. */
import { Outcome } from "@paymux/core"
import type { NodeFailed } from "./Node.ts"

/** `failure`: the last one; absent: there was no answer in time. */
export const nodesAway = (failure?: Pick<NodeFailed, "fault">): Outcome.NotExecuted =>
  failure?.fault === "denied"
    ? // The nodes were reached: the keys in their URLs are wrong.
      Outcome.notExecuted({ reason: "adapter_fault", vendorCode: "nodes_refused_credentials" })
    : Outcome.notExecuted({ reason: "not_sent", vendorCode: "nodes_away" })
