/**
 * Whether reported transfers are true, by the receipts of their transactions: one receipt per transaction and
 * node, however many transfers it holds.
 */
import { Effect, Result } from "effect"
import type { Hex } from "viem"
import { calls } from "./Node.ts"
import type { Node } from "./Node.ts"
import type { Nodes } from "./Nodes.ts"
import { readReceipt } from "./wire.ts"
import type { Receipt, Transfer } from "./wire.ts"

/** One transfer, and the nodes that reported it now; none, if it was only seen before it became final. */
export interface Report {
  readonly transfer: Transfer
  readonly reported: ReadonlyArray<Node>
}

/**
 * - `confirmed`: so many nodes as have to agree have it in a receipt.
 * - `refuted`: as many have not, and had not reported it. It is invented, or gone.
 * - `undecided`: neither. Nothing is credited, and nothing is left behind: it is asked again.
 */
export type Verification = "confirmed" | "refuted" | "undecided"

/** Everything that is reported of it: if two nodes report a transfer differently, each version is verified. */
const nameOf = ({ block, blockHash, from, index, to, token, tx, units }: Transfer): string =>
  [tx, index, block, blockHash, token, from, to, units].join(" ")

export const reportsOf = (
  reported: ReadonlyArray<{ readonly node: Node | null; readonly transfer: Transfer }>
): ReadonlyArray<Report> =>
  [...Map.groupBy(reported, ({ transfer }) => nameOf(transfer)).values()].flatMap((alike) => {
    const [first] = alike
    return first === undefined
      ? []
      : [{ transfer: first.transfer, reported: alike.flatMap(({ node }) => (node === null ? [] : [node])) }]
  })

/** By name. `before`: what was confirmed by an earlier look at the same blocks, and is added to. */
export const verifyReports = Effect.fnUntraced(function* (
  nodes: Nodes,
  asked: ReadonlyArray<Node>,
  reports: ReadonlyArray<Report>,
  before: Set<string>
) {
  const open = reports.filter(({ transfer }) => !before.has(nameOf(transfer)))
  const found = yield* Effect.forEach(
    Map.groupBy(open, ({ transfer }) => transfer.tx),
    ([tx, ofOne]) => ofTransaction(nodes, asked, tx, ofOne),
    { concurrency: 4 }
  )
  const verifications = new Map<string, Verification>(found.flat())
  for (const [name, verification] of verifications) if (verification === "confirmed") before.add(name)
  return (report: Report): Verification => {
    const name = nameOf(report.transfer)
    return before.has(name) ? "confirmed" : (verifications.get(name) ?? "undecided")
  }
})

const ofTransaction = Effect.fnUntraced(function* (
  nodes: Nodes,
  asked: ReadonlyArray<Node>,
  tx: Hex,
  reports: ReadonlyArray<Report>
) {
  const call = calls.receipt(tx)
  const started = yield* Effect.result(nodes.enough(call, readReceipt, asked))
  const early = (Result.isSuccess(started) ? started.success : []).map(readNames)
  if (reports.every((report) => isConfirmed(nodes, early, report))) {
    return reports.map(({ transfer }) => [nameOf(transfer), "confirmed"] as const)
  }
  const rest = asked.filter((node) => !early.some((answer) => answer.node === node))
  const answers = [...early, ...(yield* nodes.all(call, readReceipt, rest)).map(readNames)]
  return yield* Effect.forEach(reports, (report) =>
    Effect.map(verification(nodes, answers, report), (found) => [nameOf(report.transfer), found] as const)
  )

  function readNames({ node, value }: { readonly node: Node; readonly value: Receipt | null }): Names {
    return { node, names: new Set(value === null ? [] : transfersIn(value, tx).map(nameOf)) }
  }
})

interface Names {
  readonly node: Node
  /** Of the transfers in its receipt. */
  readonly names: ReadonlySet<string>
}

const transfersIn = ({ block, blockHash, succeeded, transfers, tx }: Receipt, asked: Hex): ReadonlyArray<Transfer> =>
  succeeded && tx === asked
    ? transfers.filter((each) => each.tx === tx && each.block === block && each.blockHash === blockHash)
    : []

const isConfirmed = ({ quorum }: Nodes, answers: ReadonlyArray<Names>, { transfer }: Report): boolean =>
  answers.filter(({ names }) => names.has(nameOf(transfer))).length >= quorum

const verification = Effect.fnUntraced(function* (
  nodes: Nodes,
  answers: ReadonlyArray<Names>,
  report: Report
): Effect.fn.Return<Verification> {
  if (isConfirmed(nodes, answers, report)) return "confirmed"
  const { reported, transfer } = report
  // A node that reports a transfer and has no receipt for it contradicts itself: its answer does not count.
  const denials = answers.filter(({ names, node }) => !names.has(nameOf(transfer)) && !reported.includes(node))
  const where = `transfer ${transfer.index} of ${transfer.tx}`
  if (denials.length < nodes.quorum) {
    yield* Effect.logWarning(`The nodes do not agree on ${where}: nothing after it is credited until they do`)
    return "undecided"
  }
  yield* Effect.forEach(reported, (node) => nodes.doubt(node, `reports ${where}, which the others do not know`))
  return "refuted"
})
