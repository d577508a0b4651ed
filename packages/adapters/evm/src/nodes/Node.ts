/**
 * One JSON-RPC node. It is called by its place in the options, and by its host if it refuses the credentials; never by its URL,
 * which may hold an API key: nothing of what viem throws is handed on, since it shows URL and body.
 */
import { Data, Effect, Redacted } from "effect"
import { http } from "viem"
import type { Hex } from "viem"
import { unread } from "./wire.ts"
import type { Reader } from "./wire.ts"

/**
 * - `away`: no answer, or none that is JSON-RPC.
 * - `denied`: HTTP 401 or 403, whatever its body: the key in the node's URL is wrong, or may not do this.
 * - `unreadable`: an answer that is not what was asked for.
 * - `other_chain`: the node is of another chain.
 * - `too_large`: logs of fewer blocks have to be asked for.
 * - `known`, `nonce_used`, `no_gas`: what is said of a transaction that was broadcast: it is there already; its nonce is
 *   taken; the wallet cannot pay for it.
 * - `reverted`: the contract refuses the call.
 * - `refused`: any other error.
 */
export type NodeFault =
  | "away"
  | "denied"
  | "unreadable"
  | "other_chain"
  | "too_large"
  | "known"
  | "nonce_used"
  | "no_gas"
  | "reverted"
  | "refused"

/** A node did not answer what it was asked. */
export class NodeFailed extends Data.TaggedError("NodeFailed")<{
  /** Such as `node 2 of base`. */
  readonly node: string
  readonly method: string
  readonly fault: NodeFault
  /** The node's own number for it: HTTP or JSON-RPC. */
  readonly code: number | null
}> {
  override get message(): string {
    const code = this.code === null ? "" : ` (${this.code})`
    if (this.fault === "denied") return `${this.node} refused the credentials${code}: check the key in its URL`
    return `${this.node} did not answer ${this.method}: ${this.fault}${code}`
  }
}

/** Whether the node itself is to blame, and not what it was asked. */
export const isTrouble = ({ fault }: NodeFailed): boolean =>
  fault === "away" || fault === "denied" || fault === "unreadable" || fault === "other_chain"

export interface Node {
  readonly name: string
  readonly ask: <A>(call: Call, read: Reader<A>) => Effect.Effect<A, NodeFailed>
}

/** One request of JSON-RPC. */
export interface Call {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

/** ms, of the machine: logs of many blocks take their time, and receipts of much. */
const timeouts = { logs: 5_000, other: 2_000 } as const

export const makeNode = (name: string, url: Redacted.Redacted): Node => {
  const { host } = new URL(Redacted.value(url))
  return {
    name,
    ask: <A>(call: Call, read: Reader<A>) =>
      Effect.suspend(() => {
        const limit = AbortSignal.timeout(isSlow(call) ? timeouts.logs : timeouts.other)
        const overdue: Pick<NodeFailed, "fault" | "code"> = { fault: isLogs(call) ? "too_large" : "away", code: null }
        // viem does not throw the status of an answer whose body is an error of JSON-RPC.
        let status: number | null = null
        // Its own time limit ends nothing where a signal is handed in, and ends with the headers.
        const { request } = http(Redacted.value(url), {
          retryCount: 0,
          timeout: 0,
          onFetchResponse: (response) => {
            status = response.status
          }
        })({})
        return Effect.tryPromise({
          // Boundary: viem's types know the methods; ours are read by `read`.
          try: (signal) =>
            request<{ readonly Parameters: unknown; readonly ReturnType: unknown }>(
              { method: call.method, params: call.params },
              { signal: AbortSignal.any([signal, limit]) }
            ),
          catch: (thrown) => {
            const failed = limit.aborted ? overdue : faultOf(call, thrown, status)
            const node = failed.fault === "denied" ? `${name} at ${host}` : name
            return new NodeFailed({ node, method: call.method, ...failed })
          }
        })
      }).pipe(
        Effect.flatMap((answer) => {
          const value = read(answer)
          return value === unread
            ? Effect.fail(new NodeFailed({ node: name, method: call.method, fault: "unreadable", code: null }))
            : Effect.succeed(value)
        })
      )
  }
}

const isLogs = ({ method }: Call): boolean => method === "eth_getLogs"
const isSlow = (call: Call): boolean => isLogs(call) || call.method === "eth_getTransactionReceipt"

interface Thrown {
  readonly name: string
  readonly code: number | null
  readonly status: number | null
  /** Never handed on. */
  readonly text: string
}

const faultOf = (call: Call, thrown: unknown, answered: number | null): Pick<NodeFailed, "fault" | "code"> => {
  const causes = chainOf(thrown)
  const code = causes.find((each) => each.code !== null)?.code ?? null
  const status = causes.find((each) => each.status !== null)?.status ?? null
  const text = causes.map((each) => each.text).join("\n")
  if ((answered === 401 || answered === 403) && !(isLogs(call) && code !== null && tooLarge.test(text))) {
    return { fault: "denied", code: answered }
  }
  if (isLogs(call) && causes.some(({ name }) => name === "ResponseBodyTooLargeError" || name === "TimeoutError")) {
    return { fault: "too_large", code }
  }
  if (isLogs(call) && (status === 413 || status === 400)) return { fault: "too_large", code: status }
  if (code === null || status !== null) return { fault: "away", code: status }
  if (/rate limit|too many requests|limit exceeded for/i.test(text) || code === 429) return { fault: "away", code }
  if (isLogs(call)) return { fault: tooLarge.test(text) || code === -32_005 ? "too_large" : "refused", code }
  for (const [pattern, fault] of words) if (pattern.test(text)) return { fault, code }
  return { fault: code === 3 ? "reverted" : "refused", code }
}

/** What the common nodes say where logs of fewer blocks have to be asked for. */
const tooLarge =
  /range|limit|exceed|too (many|large|big|wide)|more than|response size|results?\b|timed? ?out|\bblocks\b/i

/** What the common nodes say of transactions. */
const words: ReadonlyArray<readonly [RegExp, NodeFault]> = [
  [/already known|known transaction|already imported|already in (the )?mempool|alreadyknown/i, "known"],
  [/nonce too low|nonce is too low|nonce_too_low|oldnonce|replacement transaction underpriced/i, "nonce_used"],
  [/insufficient funds|insufficient balance for gas|insufficientfunds/i, "no_gas"],
  [/revert/i, "reverted"]
]

/** viem wraps an error in another, at most a few deep. */
const chainOf = (thrown: unknown): ReadonlyArray<Thrown> => {
  const found: Array<Thrown> = []
  let next: unknown = thrown
  while (next instanceof Error && found.length < 8) {
    found.push({
      name: next.name,
      code: "code" in next && typeof next.code === "number" ? next.code : null,
      status: "status" in next && typeof next.status === "number" ? next.status : null,
      text: "details" in next && typeof next.details === "string" ? next.details : next.message
    })
    next = next.cause
  }
  return found
}

const hexOf = (number: number): Hex => `0x${number.toString(16)}`

/** The calls that are made. Numbers of blocks are ours. */
export const calls = {
  chainId: { method: "eth_chainId", params: [] },
  blockNumber: { method: "eth_blockNumber", params: [] },
  block: (at: number | "latest" | "finalized"): Call => ({
    method: "eth_getBlockByNumber",
    params: [typeof at === "number" ? hexOf(at) : at, false]
  }),
  transfers: (contracts: ReadonlyArray<string>, topics: ReadonlyArray<Hex | null>, from: number, to: number): Call => ({
    method: "eth_getLogs",
    params: [{ address: contracts, topics, fromBlock: hexOf(from), toBlock: hexOf(to) }]
  }),
  receipt: (tx: Hex): Call => ({ method: "eth_getTransactionReceipt", params: [tx] }),
  send: (raw: Hex): Call => ({ method: "eth_sendRawTransaction", params: [raw] }),
  call: (to: string, data: Hex, at: number | "latest"): Call => ({
    method: "eth_call",
    params: [{ to, data }, typeof at === "number" ? hexOf(at) : at]
  }),
  balance: (address: string): Call => ({ method: "eth_getBalance", params: [address, "latest"] }),
  nonce: (address: string, at: "latest" | "pending"): Call => ({
    method: "eth_getTransactionCount",
    params: [address, at]
  }),
  gas: (from: string, to: string, data: Hex): Call => ({ method: "eth_estimateGas", params: [{ from, to, data }] }),
  tip: { method: "eth_maxPriorityFeePerGas", params: [] }
} as const
