/** The attempts of each provider: of each flow there, of each currency of that, and so on to the issuer. */
import type { Part } from "./Segment.ts"
import { forget } from "./Series.ts"
import type { Series } from "./Series.ts"

/** The attempts of a segment, and of each part of it. */
export interface Node {
  readonly series: Series
  readonly parts: Map<string, Node>
  /** Those that had an attempt last are last. */
  readonly issuers: Map<string, Node>
}

export interface Tree {
  /** By provider and whole, see `scopeOf`. */
  readonly roots: Map<string, Node>
  nodes: number
}

/** Of one network and country. The one without an attempt for the longest time is removed: the wider segments remain. */
const ISSUERS = 1_000

/**
 * Of all. Networks, countries and issuers are what merchants send: beyond these, new ones are counted in the wider segments. New
 * accounts and rules are then not counted at all.
 */
const NODES = 20_000

export const noTree = (): Tree => ({ roots: new Map(), nodes: 0 })

const noNode = (): Node => ({ series: [], parts: new Map(), issuers: new Map() })

/** From the flow to the issuer, those made that are missing; fewer where there are too many. */
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

/** As many as the path has parts. `undefined`: it has no attempts. */
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

/** The issuer becomes the last. A new one takes the place of the first where there are too many. */
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
