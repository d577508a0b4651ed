/** What nodes do that they should not: they are away, behind, small, or lie. */
import { keccak256, numberToHex, pad, toEventSelector, toHex } from "viem"
import type { Address, Hex } from "viem"
import type { Answer, Asked, Behavior } from "./proxy.ts"

export const down: Behavior = () => "cut"
export const hanging: Behavior = () => "hang"

export const overloaded: Behavior = () => ({ status: 429, text: "<html>Too many requests</html>" })
export const gatewayDown: Behavior = () => ({ status: 502, text: "<html>Bad gateway</html>" })
export const senseless: Behavior = () => ({ result: { number: "many", hash: null, logs: 7 } })

/** Is of another chain, and has the same blocks all the same. */
export const ofOtherChain: Behavior = (asked, ask) => (asked.method === "eth_chainId" ? { result: "0x1" } : ask(asked))

/** Only this method is broken. */
export const only =
  (method: string, behavior: Behavior): Behavior =>
  (asked, ask) =>
    asked.method === method ? behavior(asked, ask) : ask(asked)

export const failing =
  (message: string, code = -32_000): Behavior =>
  () => ({ error: { code, message } })

/** The answer is on its way, and never comes. */
export const answerLost: Behavior = (asked, ask) => ask(asked).then(() => "cut")

/** Takes so many blocks in one query of logs, and refuses more in the words of one vendor or another. */
export const smallRange = (most: number, message: string, code = -32_005): Behavior =>
  only("eth_getLogs", (asked, ask) => {
    const { from, to } = rangeOf(asked)
    return to - from + 1n > BigInt(most) ? { error: { code, message } } : ask(asked)
  })

/** So many blocks behind the others, and silent about it: what it has not seen yet is not there. */
export const lagging = (blocks: number): Behavior =>
  seeingUpTo((head) => (head > BigInt(blocks) ? head - BigInt(blocks) : 0n))

/** Answers, and hears of no block after this one. */
export const stuckAt = (block: bigint): Behavior => seeingUpTo((head) => (head > block ? block : head))

const seeingUpTo =
  (newest: (head: bigint) => bigint): Behavior =>
  async (asked, ask) => {
    const head = BigInt(textOf(await ask({ method: "eth_blockNumber", params: [] })))
    const seen = newest(head)
    const isSeen = (number: unknown) => typeof number === "string" && BigInt(number) <= seen
    switch (asked.method) {
      case "eth_blockNumber":
        return { result: numberToHex(seen) }
      case "eth_getBlockByNumber": {
        const [tag, ...rest] = asked.params
        if (tag === "latest") return ask({ ...asked, params: [numberToHex(seen), ...rest] })
        if (tag === "safe" || tag === "finalized") {
          const final = BigInt(String(field(await ask(asked), "number"))) - (head - seen)
          return ask({ ...asked, params: [numberToHex(final < 0n ? 0n : final), ...rest] })
        }
        return isSeen(tag) ? ask(asked) : { result: null }
      }
      case "eth_call": {
        const [call, tag] = asked.params
        if (tag === "latest") return ask({ ...asked, params: [call, numberToHex(seen)] })
        return isSeen(tag) ? ask(asked) : { error: { code: -32_000, message: "header not found" } }
      }
      case "eth_getLogs":
        return changed(await ask(asked), (logs) => listOf(logs).filter(({ blockNumber }) => isSeen(blockNumber)))
      case "eth_getTransactionReceipt":
      case "eth_getBlockByHash":
      case "eth_getTransactionByHash": {
        const answer = await ask(asked)
        return isSeen(field(answer, "blockNumber") ?? field(answer, "number")) ? answer : { result: null }
      }
      default:
        return ask(asked)
    }
  }

/** Returns wrong hashes of its blocks: another chain, or none. */
export const otherHashes: Behavior = async (asked, ask) => {
  const answer = await ask(asked)
  return asked.method === "eth_getBlockByNumber"
    ? changed(answer, (block) =>
        isObject(block) ? { ...block, hash: keccak256(toHex(String(block["hash"]))) } : block
      )
    : answer
}

/** Its blocks were made an hour earlier. */
export const otherTimes: Behavior = async (asked, ask) => {
  const answer = await ask(asked)
  return asked.method === "eth_getBlockByNumber"
    ? changed(answer, (block) =>
        isObject(block) ? { ...block, timestamp: numberToHex(Number(block["timestamp"]) - 3_600) } : block
      )
    : answer
}

/** Calls the newest block final. */
export const hastyFinality: Behavior = (asked, ask) =>
  asked.method === "eth_getBlockByNumber" && asked.params[0] === "finalized"
    ? ask({ ...asked, params: ["latest", ...asked.params.slice(1)] })
    : ask(asked)

/** Returns the logs of every contract, whichever were asked for. */
export const unfiltered: Behavior = (asked, ask) => {
  const [filter, ...rest] = asked.params
  if (asked.method !== "eth_getLogs" || !isObject(filter)) return ask(asked)
  const { address: _, ...others } = filter
  return ask({ ...asked, params: [others, ...rest] })
}

/** Has no receipts. */
export const withoutReceipts: Behavior = (asked, ask) =>
  asked.method === "eth_getTransactionReceipt" ? { result: null } : ask(asked)

/** Reports that every transfer went to this address, in its log and in its receipt. */
export const redirecting =
  (to: Address): Behavior =>
  async (asked, ask) => {
    const answer = await ask(asked)
    const moved = (log: Fields) => {
      const topics: ReadonlyArray<unknown> = Array.isArray(log["topics"]) ? log["topics"] : []
      return { ...log, topics: [topics[0], topics[1], padded(to)] }
    }
    switch (asked.method) {
      case "eth_getLogs":
        return changed(answer, (logs) => listOf(logs).map(moved))
      case "eth_getTransactionReceipt":
        return changed(answer, (receipt) =>
          isObject(receipt) ? { ...receipt, logs: listOf(receipt["logs"]).map(moved) } : receipt
        )
      default:
        return answer
    }
  }

/** Has no logs. */
export const withoutLogs: Behavior = only("eth_getLogs", () => ({ result: [] }))

/** Reports that no address has a token. */
export const withoutBalances: Behavior = only("eth_call", () => ({ result: pad("0x0") }))

export interface InventedTransfer {
  readonly token: Address
  readonly from: Address
  readonly to: Address
  readonly value: bigint
  /** The block that it pretends to be in. */
  readonly block: bigint
}

const transferTopic = toEventSelector("Transfer(address,address,uint256)")

/** Reports a transfer that never was. */
export const inventing =
  (transfer: InventedTransfer, withReceipt: "with a receipt" | "without a receipt"): Behavior =>
  async (asked, ask) => {
    const hash = keccak256(toHex(JSON.stringify(transfer, (_, value) => String(value))))
    const log = async () => {
      const block = await ask({ method: "eth_getBlockByNumber", params: [numberToHex(transfer.block), false] })
      return {
        address: transfer.token.toLowerCase(),
        topics: [transferTopic, padded(transfer.from), padded(transfer.to)],
        data: numberToHex(transfer.value, { size: 32 }),
        blockNumber: numberToHex(transfer.block),
        blockHash: field(block, "hash"),
        transactionHash: hash,
        transactionIndex: "0x0",
        logIndex: "0x0",
        removed: false
      }
    }
    if (asked.method === "eth_getLogs" && isWithin(transfer.block, asked)) {
      const invented = await log()
      return changed(await ask(asked), (logs) => [...listOf(logs), invented])
    }
    if (asked.method === "eth_getTransactionReceipt" && asked.params[0] === hash && withReceipt === "with a receipt") {
      const invented = await log()
      return { result: receiptOf(hash, transfer, invented) }
    }
    return ask(asked)
  }

/** Reports every transfer a hundred times as large, in its log and in its receipt. */
export const exaggerating: Behavior = async (asked, ask) => {
  const answer = await ask(asked)
  const larger = (log: Fields) => ({ ...log, data: numberToHex(BigInt(String(log["data"])) * 100n, { size: 32 }) })
  switch (asked.method) {
    case "eth_getLogs":
      return changed(answer, (logs) => listOf(logs).map(larger))
    case "eth_getTransactionReceipt":
      return changed(answer, (receipt) =>
        isObject(receipt) ? { ...receipt, logs: listOf(receipt["logs"]).map(larger) } : receipt
      )
    default:
      return answer
  }
}

const receiptOf = (hash: Hex, { from, token }: InventedTransfer, log: Fields) => ({
  transactionHash: hash,
  transactionIndex: "0x0",
  blockHash: log["blockHash"],
  blockNumber: log["blockNumber"],
  from: from.toLowerCase(),
  to: token.toLowerCase(),
  cumulativeGasUsed: "0xffff",
  gasUsed: "0xffff",
  effectiveGasPrice: "0x1",
  contractAddress: null,
  logs: [log],
  logsBloom: `0x${"0".repeat(512)}`,
  status: "0x1",
  type: "0x2"
})

type Fields = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null
const listOf = (value: unknown): ReadonlyArray<Fields> => (Array.isArray(value) ? value.filter(isObject) : [])
const padded = (address: Address): Hex => pad(address).toLowerCase() as Hex

const changed = (answer: Answer, change: (result: unknown) => unknown): Answer =>
  "result" in answer ? { result: change(answer.result) } : answer

const field = (answer: Answer, name: string): unknown =>
  "result" in answer && isObject(answer.result) ? answer.result[name] : undefined

const textOf = (answer: Answer): string => ("result" in answer ? String(answer.result) : "0x0")

const rangeOf = ({ params: [filter] }: Asked): { readonly from: bigint; readonly to: bigint } => {
  const end = (value: unknown) => (typeof value === "string" && value.startsWith("0x") ? BigInt(value) : 0n)
  return isObject(filter) ? { from: end(filter["fromBlock"]), to: end(filter["toBlock"]) } : { from: 0n, to: 0n }
}

const isWithin = (block: bigint, asked: Asked): boolean => {
  const { from, to } = rangeOf(asked)
  return from <= block && block <= to
}
