/** A tree of each provider's attempts: by flow, then by currency and so on down to the issuer. */
import type { Part } from "./Segment.ts"
import { forget } from "./Series.ts"
import type { Series } from "./Series.ts"

/** A node: the attempts of one segment, and the nodes of its narrower segments. */
export interface Node {
  readonly series: Series
  readonly parts: Map<string, Node>
  /** The nodes of issuers, ordered by their latest attempt. */
  readonly issuers: Map<string, Node>
}

export interface Tree {
  /** The root nodes by provider and scope, see `scopeOf`. */
  readonly roots: Map<string, Node>
  nodes: number
}

/**
 * The maximum number of issuers per network and country. The least recently used one is evicted; its attempts still
 * count in wider segments.
 */
const ISSUERS = 1_000

/**
 * The maximum number of nodes in the tree. Networks, countries and issuers come from merchants, so their number is
 * unlimited. Above the maximum, attempts of new ones count in wider segments only, and those of new accounts and rules
 * do not count.
 */
const NODES = 20_000

export const noTree = (): Tree => ({ roots: new Map(), nodes: 0 })

const noNode = (): Node => ({ series: [], parts: new Map(), issuers: new Map() })

/** Returns the nodes of a path, from the flow to the issuer, and creates missing ones unless the tree is full. */
export const nodesToAdd = (tree: Tree, root: string, path: ReadonlyArray<Part>): ReadonlyArray<Node> => {
  const found: Array<Node> = []
  let node = entry(tree, tree.roots, root)
  for (const part of path) {
    if (node === undefined) return found
    node = part.level === "issuer" ? latest(tree, node.issuers, part.value) : entry(tree, node.parts, part.value)
    if (node !== undefined) found.push(node)
  }
  return found
}

/** Returns the tree nodes along a path, one for each level; `undefined` for a level without attempts. */
export const nodesOf = (tree: Tree, root: string, path: ReadonlyArray<Part>): ReadonlyArray<Node | undefined> => {
  let node = tree.roots.get(root)
  return path.map(({ level, value }) => (node = (level === "issuer" ? node?.issuers : node?.parts)?.get(value)))
}

const entry = (tree: Tree, nodes: Map<string, Node>, key: string): Node | undefined => {
  const known = nodes.get(key)
  if (known !== undefined || tree.nodes >= NODES) return known
  const made = noNode()
  nodes.set(key, made)
  tree.nodes++
  return made
}

/**
 * Returns an issuer's node as the most recently used one. If there are too many issuers, a new one evicts the least
 * recent.
 */
const latest = (tree: Tree, issuers: Map<string, Node>, issuer: string): Node | undefined => {
  const known = issuers.get(issuer)
  if (known === undefined && tree.nodes >= NODES && issuers.size === 0) return undefined
  const node = known ?? noNode()
  issuers.delete(issuer)
  issuers.set(issuer, node)
  if (known === undefined) tree.nodes++
  const [first] = issuers.keys()
  const isTooMany = issuers.size > ISSUERS || tree.nodes > NODES
  if (isTooMany && first !== undefined && issuers.delete(first)) tree.nodes--
  return node
}

/** Removes the slots before `place` (an index on the time axis), and empty nodes. */
export const sweep = (tree: Tree, place: number): void => sweepNodes(tree, tree.roots, place)

const sweepNodes = (tree: Tree, nodes: Map<string, Node>, place: number): void => {
  for (const [key, node] of nodes) {
    forget(node.series, place)
    sweepNodes(tree, node.parts, place)
    sweepNodes(tree, node.issuers, place)
    const isEmpty = node.series.length + node.parts.size + node.issuers.size === 0
    if (isEmpty && nodes.delete(key)) tree.nodes--
  }
}
