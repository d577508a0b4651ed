/**
 * Deliveries and what is to be said of them, as Hook0 publishes them for all of its clients
 * (github.com/hook0/hook0, clients/conformance/signature.json): it is Hook0's signature that Coinbase uses. Coinbase itself
 * publishes no whole example.
 */
import type { WebhookRefused } from "@paymux/core"

export const secret = "a-subscription-secret"
export const body = '{"event":"user.created"}'
export const headers = { "x-event-id": "evt-1", "x-delivery-id": "dlv-1", "content-type": "application/json" }
/** s UTC */
export const now = 1_800_000_000

const ofBody = "d17d66b66fca89390c5b967c45e8928fc732db07a0aabe8167b1e98213081ffe"
const ofHeaders = "19a6fb8f6581715b241a93af02a58611c3b0ac7b747a8d2a5b120ee418d0c347"
const otherOrder = "bf5f4e5fe0c9143510ae192f983316a09ed392d0104d2ce0faa3d7bce3687acb"

export const vectors: ReadonlyArray<{
  readonly what: string
  readonly signature: string
  /** `null`: it is taken. */
  readonly refused: WebhookRefused["reason"] | null
}> = [
  { what: "the body's signature", signature: `t=${now},v0=${ofBody}`, refused: null },
  {
    what: "the headers' signature",
    signature: `t=${now},h=x-event-id x-delivery-id,v1=${ofHeaders}`,
    refused: null
  },
  {
    what: "both, of which only the headers' is right",
    signature: `t=${now},h=x-event-id x-delivery-id,v0=${otherOrder},v1=${ofHeaders}`,
    refused: null
  },
  {
    what: "both, of which only the body's is right",
    signature: `t=${now},h=x-event-id x-delivery-id,v0=${ofBody},v1=${otherOrder}`,
    refused: "bad_signature"
  },
  {
    what: "the headers in another order than was signed",
    signature: `t=${now},h=x-delivery-id x-event-id,v1=${ofHeaders}`,
    refused: "bad_signature"
  },
  {
    what: "the headers in another order, and signed so",
    signature: `t=${now},h=x-delivery-id x-event-id,v1=${otherOrder}`,
    refused: null
  },
  {
    what: "a header that did not come",
    signature: `t=${now},h=x-event-id x-missing,v1=${ofHeaders}`,
    refused: "missing_signature"
  },
  { what: "what is no hexadecimal", signature: `t=${now},v0=${ofBody.slice(0, -1)}z`, refused: "malformed" },
  { what: "a signature that was cut", signature: `t=${now},v0=${ofBody.slice(0, -1)}`, refused: "malformed" },
  {
    what: "301 seconds ago",
    signature: "t=1799999699,v0=4168cc6c683357e103055b48584715f12e2baa4e679b8e076254247f11edf34d",
    refused: "stale"
  },
  {
    what: "301 seconds ahead",
    signature: "t=1800000301,v0=ba4b79e449ae52edb505b6baa07380be2baa6e0c4c6fec3b9a01c85d47a4935f",
    refused: "stale"
  },
  {
    what: "300 seconds ago",
    signature: "t=1799999700,v0=f9689580483e051113d28de23c1658c509da2b00e7bc15a5aaa83b8bdf83ff81",
    refused: null
  }
]
