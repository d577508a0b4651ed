/** A tree of the attempts of each provider, by flow, currency and so on down to the issuer. */
import type { Part } from "./Segment.ts"
import { forget } from "./Series.ts"
import type { Series } from "./Series.ts"

/** The attempts of a segment, and of each part of it. */
export interface Node {
  readonly series: Series
  readonly parts: Map<string, Node>
  /** In the order of their latest attempts. */
  readonly issuers: Map<string, Node>
}

export interface Tree {
  /** By provider and scope, see `scopeOf`. */
  readonly roots: Map<string, Node>
  nodes: number
}

/** The most issuers of one network and country. The least recently used one is removed; its attempts remain in wider segments. */
const ISSUERS = 1_000

/**
 * The most nodes. Merchants send networks, countries and issuers, so the number of nodes would be unlimited. Beyond this limit,
 * new ones are counted in the wider segments only, and new accounts and rules are not counted.
 */
const NODES = 20_000

export const noTree = (): Tree => ({ roots: new Map(), nodes: 0 })

const noNode = (): Node => ({ series: [], parts: new Map(), issuers: new Map() })

/** The nodes of a path, from the flow to the issuer. Missing ones are created, unless the tree has too many. */
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

/** The node of each part of a path. `undefined`: it has no attempts. */
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

/** Moves the issuer to the end. If there are too many, a new issuer replaces the first one. */
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

/** Removes slots before `place`, and empty nodes. */
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
