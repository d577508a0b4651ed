/** What nodes answer, read strictly: a node may be broken, or lie. */
import { Option, Schema } from "effect"
import type { Address, Hex } from "viem"
import { keccak256, stringToBytes } from "viem/utils"
import type { Hit } from "../deposits/Deposit.ts"

const hex = (pattern: RegExp) =>
  Schema.String.check(Schema.isPattern(pattern)).pipe(
    // Boundary: the pattern says what the type says.
    Schema.refine((text): text is Hex => text.startsWith("0x"))
  )
const Quantity = hex(/^0x[0-9a-fA-F]{1,64}$/)
const Word = hex(/^0x[0-9a-fA-F]{64}$/)
const AddressHex = hex(/^0x[0-9a-fA-F]{40}$/)

const BlockWire = Schema.Struct({
  number: Quantity,
  hash: Word,
  timestamp: Quantity,
  baseFeePerGas: Schema.optionalKey(Schema.NullOr(Quantity))
})

const LogWire = Schema.Struct({
  address: AddressHex,
  topics: Schema.Array(Schema.String),
  data: Schema.String,
  blockNumber: Quantity,
  blockHash: Word,
  transactionHash: Word,
  logIndex: Quantity,
  removed: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})

const ReceiptWire = Schema.Struct({
  status: Quantity,
  transactionHash: Word,
  blockHash: Word,
  blockNumber: Quantity,
  logs: Schema.Array(LogWire)
})

export interface Block {
  readonly number: number
  readonly hash: Hex
  /** ms UTC: whole seconds, as the block's maker says. */
  readonly time: number
  /** wei; `null`: the chain has no base fee. */
  readonly baseFee: bigint | null
}

/** A transfer of a token, to whomever. */
export interface Transfer extends Hit {
  readonly to: Address
}

export interface Receipt {
  readonly tx: Hex
  readonly succeeded: boolean
  readonly block: number
  readonly blockHash: Hex
  readonly transfers: ReadonlyArray<Transfer>
}

/** What a reader makes of an answer that is not what was asked for. */
export const unread: unique symbol = Symbol("unread")
export type Reader<A> = (answer: unknown) => A | typeof unread

/** `null`: the node does not have it. */
export const readBlock: Reader<Block | null> = (answer) => {
  if (answer === null || answer === undefined) return null
  const wire = decoded(BlockWire, answer)
  const number = wire === null ? null : blockNumberOf(wire.number)
  const seconds = wire === null ? null : blockNumberOf(wire.timestamp)
  if (wire === null || number === null || seconds === null) return unread
  const baseFee = wire.baseFeePerGas ? BigInt(wire.baseFeePerGas) : null
  return { number, hash: lower(wire.hash), time: seconds * 1000, baseFee }
}

/** Block numbers, chain ids and nonces: far below the safe integers. */
export const readCount: Reader<number> = (answer) => {
  const wire = decoded(Quantity, answer)
  return (wire === null ? null : blockNumberOf(wire)) ?? unread
}

export const readQuantity: Reader<bigint> = (answer) => {
  const wire = decoded(Quantity, answer)
  return wire === null ? unread : BigInt(wire)
}

export const readHash: Reader<Hex> = (answer) => {
  const wire = decoded(Word, answer)
  return wire === null ? unread : lower(wire)
}

const Logs = Schema.Array(LogWire)

export const readTransfers: Reader<ReadonlyArray<Transfer>> = (answer) => {
  const logs = decoded(Logs, answer)
  return logs === null ? unread : logs.flatMap((log) => transferOf(log) ?? [])
}

/** `null`: the node knows of none. */
export const readReceipt: Reader<Receipt | null> = (answer) => {
  if (answer === null || answer === undefined) return null
  const wire = decoded(ReceiptWire, answer)
  const block = wire === null ? null : blockNumberOf(wire.blockNumber)
  if (wire === null || block === null) return unread
  return {
    tx: lower(wire.transactionHash),
    succeeded: BigInt(wire.status) === 1n,
    block,
    blockHash: lower(wire.blockHash),
    transfers: wire.logs.flatMap((log) => transferOf(log) ?? [])
  }
}

/** ERC-20: `Transfer(address indexed from, address indexed to, uint256 value)`. */
export const transferTopic = keccak256(stringToBytes("Transfer(address,address,uint256)"))

/** The topic that an indexed address is. */
export const topicOf = (address: Address): Hex => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`

/** `null`: another event, or a transfer of nothing, which anybody can make in anybody's name. */
const transferOf = (log: typeof LogWire.Type): Transfer | null => {
  const [topic, from, to, ...more] = log.topics
  if (topic?.toLowerCase() !== transferTopic || more.length > 0 || log.removed === true) return null
  const [sender, recipient] = [addressIn(from), addressIn(to)]
  const units = /^0x[0-9a-fA-F]{64}$/.test(log.data) ? BigInt(log.data) : 0n
  const [block, index] = [blockNumberOf(log.blockNumber), blockNumberOf(log.logIndex)]
  if (sender === null || recipient === null || block === null || index === null || units === 0n) return null
  return {
    tx: lower(log.transactionHash),
    index,
    block,
    blockHash: lower(log.blockHash),
    token: lower(log.address),
    from: sender,
    to: recipient,
    units
  }
}

const addressIn = (topic: string | undefined): Address | null =>
  topic !== undefined && /^0x0{24}[0-9a-fA-F]{40}$/.test(topic) ? `0x${topic.slice(26).toLowerCase()}` : null

const blockNumberOf = (quantity: Hex): number | null => {
  const number = BigInt(quantity)
  return number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : null
}

// Boundary: hexadecimal digits in lower case are the same template type.
const lower = (text: Hex): Hex => text.toLowerCase() as Hex

const decoded = <A, I>(schema: Schema.Codec<A, I>, answer: unknown): A | null =>
  Option.getOrNull(Schema.decodeUnknownOption(schema)(answer))
