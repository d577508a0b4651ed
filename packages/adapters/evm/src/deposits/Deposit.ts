/**
 * What is known of one issued address, and what is still to be reported of it. Pure: blocks, transfers and the time come in,
 * evidence goes out.
 *
 * A transfer is named by its transaction and log index, and counts once however often it is shown. Only what a quorum
 * of nodes has as final is credited; what was merely seen can be taken back.
 */
import { type Money, Outcome } from "@paymux/core"
import type { Address, Hex } from "viem"
import { minorOf, unitsPerMinor } from "../tokens.ts"
import type { Coin } from "../tokens.ts"
import type { AddressPath } from "./paths.ts"

/** One transfer to one of our addresses. */
export interface Hit {
  readonly tx: Hex
  readonly index: number
  readonly block: number
  readonly blockHash: Hex
  readonly token: Address
  readonly from: Address
  readonly units: bigint
}

/** The name of a credited transfer, by which it is known again. */
type HitName = Pick<Hit, "tx" | "index" | "block" | "blockHash">

export interface Reported {
  /** The last report of a detected transfer: `minor units:asset`. `null`: none, or it was retracted. */
  readonly detected: string | null
  /** Minor units that were reported as arrived without being enough; `null`: none. */
  readonly short: number | null
  /** Base units that were reported as paid, beyond which everything is an overpayment; `null`: not paid. */
  readonly paid: bigint | null
  /** How many transfers of other tokens were reported. */
  readonly wrong: number
}

export interface Deposit {
  /** The create operation that the address was issued for. */
  readonly operation: string
  readonly chainId: number
  readonly address: Address
  /** Where it is below the extended public key; a number `n` of earlier versions is `0/n`. */
  readonly path: AddressPath | number
  readonly coin: Coin
  /** Base units. */
  readonly asked: bigint
  /** ms UTC */
  readonly createdAt: number
  /** ms UTC */
  readonly expiresAt: number
  /** The engine closed it while nothing had come. It is watched all the same. */
  readonly closed: boolean
  /** Not final yet. */
  readonly seen: ReadonlyArray<Hit>
  /** The latest that were credited. */
  readonly credited: ReadonlyArray<HitName>
  /** Every transfer up to this place is credited, whether it still stands in `credited` or not. */
  readonly folded: Pick<Hit, "block" | "index"> | null
  /** Base units of the right coin that are final. */
  readonly right: bigint
  /** How many final transfers were of another token, and more than dust. */
  readonly wrong: number
  /** Senders of the transfers that it was paid with, two at most: two are enough to know of several. Parts of a cent do not count. */
  readonly senders: ReadonlyArray<Address>
  readonly reported: Reported
}

export type Issued = Pick<
  Deposit,
  "operation" | "chainId" | "address" | "path" | "coin" | "asked" | "createdAt" | "expiresAt"
>

export const issued = (facts: Issued): Deposit => ({
  ...facts,
  closed: false,
  seen: [],
  credited: [],
  folded: null,
  right: 0n,
  wrong: 0,
  senders: [],
  reported: { detected: null, short: null, paid: null, wrong: 0 }
})

/** Base units of another token, whose decimals are not known: less is dust, which attackers send to active addresses. */
const leastWrong = 10_000n

/** How many transfers one address keeps by name, of either kind: what strangers send to it makes it no larger. */
const kept = 50

/** Adds final transfers, each once. */
export const credit = (deposit: Deposit, hits: ReadonlyArray<Hit>): Deposit =>
  [...hits].sort(inOrder).reduce(creditOne, deposit)

const creditOne = (deposit: Deposit, hit: Hit): Deposit => {
  if (isCredited(deposit, hit)) return deposit
  const isRight = hit.token === deposit.coin.contract
  const { block, blockHash, index, tx } = hit
  const credited = [...deposit.credited, { tx, index, block, blockHash }].sort(inOrder)
  const oldest = credited.length > kept ? credited[0] : undefined
  const isPart = isRight && deposit.right < deposit.asked && hit.units >= unitsPerMinor(deposit.coin)
  return {
    ...deposit,
    credited: credited.slice(-kept),
    folded: oldest === undefined ? deposit.folded : { block: oldest.block, index: oldest.index },
    right: deposit.right + (isRight ? hit.units : 0n),
    wrong: deposit.wrong + (isRight || hit.units < leastWrong ? 0 : 1),
    senders: isPart ? [...new Set([...deposit.senders, hit.from])].slice(0, 2) : deposit.senders
  }
}

/** A transaction is in one block: where it was moved to another one after it was credited, it does not count again. */
const isCredited = ({ credited, folded }: Deposit, hit: Hit): boolean =>
  (folded !== null && inOrder(hit, folded) <= 0) ||
  credited.some(({ blockHash, index, tx }) => tx === hit.tx && (index === hit.index || blockHash !== hit.blockHash))

const inOrder = (a: Pick<Hit, "block" | "index">, b: Pick<Hit, "block" | "index">): number =>
  a.block - b.block || a.index - b.index

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

/** Adds what was seen above the final block. */
export const see = (deposit: Deposit, hits: ReadonlyArray<Hit>): Deposit => {
  const news = hits.filter((hit) => !isCredited(deposit, hit))
  if (news.length === 0) return deposit
  // Shown again in another block, it is there and no longer where it was.
  const older = deposit.seen.filter(({ index, tx }) => !news.some((hit) => hit.tx === tx && hit.index === index))
  // What counts most stays, so that dust hides nothing; another token counts as little as can.
  const weightOf = ({ token, units }: Hit) => (token === deposit.coin.contract ? units : unitsPerMinor(deposit.coin))
  const heaviest = [...older, ...news].sort((a, b) => compare(weightOf(b), weightOf(a))).slice(0, kept)
  return { ...deposit, seen: heaviest.sort(inOrder) }
}

/** Blocks above this one are not there any more. */
export const forget = (deposit: Deposit, above: number): Deposit =>
  withSeen(
    deposit,
    deposit.seen.filter(({ block }) => block <= above)
  )

/** Up to this block everything is decided: what was seen there is credited by now, or was never real. */
export const decide = (deposit: Deposit, final: number): Deposit =>
  withSeen(
    deposit,
    deposit.seen.filter(({ block }) => block > final)
  )

const withSeen = (deposit: Deposit, seen: ReadonlyArray<Hit>): Deposit =>
  seen.length === deposit.seen.length ? deposit : { ...deposit, seen }

/** How an address stands. Amounts are whole minor units; less than one is nothing. */
export type Standing =
  | { readonly kind: "open" }
  /** Something came that is not final, or not enough while there is time left. */
  | { readonly kind: "coming"; readonly minor: number; readonly token: Address }
  /** Final. Not `complete`: the payer's time is over, or what came is another token (0). */
  | { readonly kind: "arrived"; readonly minor: number; readonly complete: boolean }

export const standing = (deposit: Deposit, now: number): Standing => {
  const { asked, coin, expiresAt, right, seen, reported, wrong } = deposit
  if (reported.paid !== null) return { kind: "arrived", minor: minorOf(reported.paid, coin), complete: true }
  if (right >= asked) return { kind: "arrived", minor: minorOf(right, coin), complete: true }
  const coming = comingOf(deposit)
  const least = unitsPerMinor(coin)
  if (coming === 0n) {
    if (right >= least && now >= expiresAt) return { kind: "arrived", minor: minorOf(right, coin), complete: false }
    if (right < least && wrong > 0) return { kind: "arrived", minor: 0, complete: false }
  }
  if (right + coming >= least) return { kind: "coming", minor: minorOf(right + coming, coin), token: coin.contract }
  const other = seen.find(({ token, units }) => token !== coin.contract && units >= leastWrong)
  return other === undefined ? { kind: "open" } : { kind: "coming", minor: 0, token: other.token }
}

/** Base units of the right coin that were seen and are not final. */
const comingOf = ({ coin, seen }: Deposit): bigint =>
  seen.filter(({ token }) => token === coin.contract).reduce((sum, { units }) => sum + units, 0n)

/**
 * Whether a balance, in base units, has at least one minor unit more than the known transfers: those that were final before
 * the address was issued here are not known.
 */
export const exceedsKnown = (deposit: Deposit, balance: bigint): boolean =>
  balance - deposit.right - comingOf(deposit) >= unitsPerMinor(deposit.coin)

/** Whether anything came that an operator, or the payer, would want to hear of. */
export const isEmpty = (deposit: Deposit): boolean => standing(deposit, deposit.expiresAt).kind === "open"

/** One thing to tell; `extra`: it is money beyond a payment that is paid, and so under a name of its own. */
export interface Word {
  readonly outcome: Outcome.Outcome
  readonly extra: boolean
}

/** The reports that are due at `now`, and the deposit after them. */
export const tell = (
  deposit: Deposit,
  now: number
): { readonly words: ReadonlyArray<Word>; readonly deposit: Deposit } => {
  const words: Array<Word> = []
  let reported = deposit.reported
  for (let next = nextWord(deposit, now); next !== null; next = nextWord({ ...deposit, reported }, now)) {
    words.push(next.word)
    reported = next.reported
  }
  return { words, deposit: words.length === 0 ? deposit : { ...deposit, reported } }
}

const nextWord = (deposit: Deposit, now: number): { readonly word: Word; readonly reported: Reported } | null => {
  const { coin, right, reported, wrong } = deposit
  if (reported.paid !== null) {
    const more = minorOf(right - reported.paid, coin)
    return more > 0 || wrong > reported.wrong
      ? { word: succeeded(deposit, more, true), reported: { ...reported, paid: right, wrong } }
      : null
  }
  const stand = standing(deposit, now)
  switch (stand.kind) {
    case "arrived":
      if (stand.complete)
        return { word: succeeded(deposit, stand.minor, false), reported: { ...reported, paid: right } }
      if (reported.short !== stand.minor) {
        const short = { ...reported, detected: null, short: stand.minor, wrong }
        return { word: succeeded(deposit, stand.minor, false), reported: short }
      }
      return reported.detected === null ? null : retracted(reported)
    case "coming": {
      const detected = `${stand.minor}:${stand.token}`
      // A transfer that was reported as too little is not reported as detected; after another token, the right one is.
      if (reported.detected === detected || (reported.short ?? 0) > 0) return null
      if (reported.short === 0 && stand.minor === 0) return null
      const isRight = stand.token === coin.contract
      const amount = isRight ? { amount: money(deposit, stand.minor) } : {}
      const asset = isRight ? coin.asset : stand.token
      return {
        word: { outcome: Outcome.detected({ ...amount, asset }), extra: false },
        reported: { ...reported, detected }
      }
    }
    case "open":
      return reported.detected === null ? null : retracted(reported)
  }
}

const retracted = (reported: Reported): { readonly word: Word; readonly reported: Reported } => ({
  word: { outcome: Outcome.retracted(), extra: false },
  reported: { ...reported, detected: null }
})

const succeeded = (deposit: Deposit, minor: number, extra: boolean): Word => ({
  outcome: Outcome.succeeded({ amount: money(deposit, minor) }),
  extra
})

const money = ({ coin }: Deposit, minorUnits: number): Money.Money => ({ minorUnits, currency: coin.currency })

/** When an address has to be looked at without a new transfer. */
export interface Watch {
  /** When this block is final; `null`: no block is waited for. */
  readonly block: number | null
  /** ms UTC; `null`: no time is waited for. */
  readonly due: number | null
}

/** `null`: everything is reported, and only another transfer could change it. */
export const watchOf = (deposit: Deposit): Watch | null => {
  const { coin, expiresAt, right, seen, reported } = deposit
  const isShort = reported.paid === null && right >= unitsPerMinor(coin) && reported.short !== minorOf(right, coin)
  if (seen.length === 0) return isShort ? { block: null, due: expiresAt } : null
  return { block: Math.min(...seen.map(({ block }) => block)), due: isShort ? expiresAt : null }
}
