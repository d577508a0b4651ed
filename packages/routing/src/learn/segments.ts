/** The attempts of each provider, of each payment method there, of each currency there, and so on to the issuer. */
import type { AttemptSample } from "./attemptSample.ts"
import { append, cut, seriesFrom, since } from "./Evidence.ts"
import type { Series } from "./Evidence.ts"
import type { Segment } from "./Segment.ts"

export interface Segments {
  /** In the order of slots. */
  readonly add: (slot: number, count: number, provider: string, segment: Segment, sample: AttemptSample) => void
  /** From the whole to the issuer, as many for every provider; `null`: it has no attempts. */
  readonly of: (provider: string, segment: Segment) => ReadonlyArray<Series | undefined> | null
  /** Removes `slot` and all after it. */
  readonly cut: (slot: number) => void
  /** Removes what is before `slot`. */
  readonly forget: (slot: number) => void
  /** How many slots are held. */
  readonly size: () => number
}

/** Of one network and country. The one without an attempt for the longest time is removed: the wider segments remain. */
const ISSUERS = 1_000

/** Of all. Networks, countries and issuers are what merchants send: beyond these, new ones are counted in the wider segments. */
const SERIES = 20_000

/** All attempts of a provider or segment, and of each part of it. */
interface Node {
  series: Series
  readonly parts: Map<string, Node>
  /** Those that had an attempt last are last. */
  readonly issuers: Map<string, Series>
}

interface Tree {
  readonly providers: Map<string, Node>
  /** How many there are. */
  series: number
  /** No series has a slot from here on, but for the recent ones. */
  cutAt: number
  readonly recent: Set<Series>
}

export const segments = (): Segments => {
  const tree: Tree = { providers: new Map(), series: 0, cutAt: Number.POSITIVE_INFINITY, recent: new Set() }
  const { providers, recent } = tree
  return {
    add: (slot, count, provider, segment, sample) => {
      for (const series of seriesToAdd(tree, slot, provider, segment)) {
        append(series, slot, count, sample)
        recent.add(series)
      }
    },
    of: (provider, segment) => {
      let node = providers.get(provider)
      if (node === undefined) return null
      const found: Array<Series | undefined> = [node.series]
      for (const part of partsOf(segment)) {
        node = node?.parts.get(part)
        found.push(node?.series)
      }
      if (segment.issuer !== null) found.push(node?.issuers.get(segment.issuer))
      return found
    },
    cut: (slot) => {
      // A clock that went back: what was cut before was later.
      for (const series of slot < tree.cutAt ? everySeries(providers) : recent) cut(series, slot)
      tree.cutAt = slot
      recent.clear()
    },
    forget: (slot) => forget(tree, providers, slot),
    size: () => {
      let size = 0
      for (const { slots } of everySeries(providers)) size += slots.length
      return size
    }
  }
}

/** From the whole to the issuer, those made that are missing; fewer where there are too many. */
const seriesToAdd = (tree: Tree, slot: number, provider: string, segment: Segment): ReadonlyArray<Series> => {
  let node = entry(tree, tree.providers, provider, slot)
  if (node === undefined) return []
  const found = [node.series]
  for (const part of partsOf(segment)) {
    node = entry(tree, node.parts, part, slot)
    if (node === undefined) return found
    found.push(node.series)
  }
  const issuer = segment.issuer === null ? undefined : latest(tree, node.issuers, segment.issuer, slot)
  if (issuer !== undefined) found.push(issuer)
  return found
}

const entry = (tree: Tree, nodes: Map<string, Node>, key: string, slot: number): Node | undefined => {
  const known = nodes.get(key)
  if (known !== undefined || tree.series >= SERIES) return known
  const made = { series: seriesFrom(slot), parts: new Map<string, Node>(), issuers: new Map<string, Series>() }
  nodes.set(key, made)
  tree.series++
  return made
}

/** The issuer becomes the last. A new one takes the place of the first where there are too many. */
const latest = (tree: Tree, issuers: Map<string, Series>, issuer: string, slot: number): Series | undefined => {
  const known = issuers.get(issuer)
  if (known === undefined && tree.series >= SERIES && issuers.size === 0) return undefined
  const series = known ?? seriesFrom(slot)
  issuers.delete(issuer)
  issuers.set(issuer, series)
  if (known === undefined) tree.series++
  const [first] = issuers.keys()
  const isTooMany = issuers.size > ISSUERS || tree.series > SERIES
  if (isTooMany && first !== undefined && issuers.delete(first)) tree.series--
  return series
}

const forget = (tree: Tree, nodes: Map<string, Node>, slot: number): void => {
  const remaining = (series: Series): Series => {
    const left = since(series, slot)
    if (left !== series && tree.recent.delete(series)) tree.recent.add(left)
    return left
  }
  for (const [key, node] of nodes) {
    for (const [issuer, series] of node.issuers) {
      const left = remaining(series)
      if (left.slots.length > 0) node.issuers.set(issuer, left)
      else if (node.issuers.delete(issuer)) tree.series--
    }
    forget(tree, node.parts, slot)
    node.series = remaining(node.series)
    // A part has no slots that the whole does not have.
    if (node.series.slots.length === 0 && nodes.delete(key)) tree.series--
  }
}

/** How many series a payment of this segment is judged by. */
export const depthOf = (segment: Segment): number => 1 + partsOf(segment).length + (segment.issuer === null ? 0 : 1)

/** No two parts are written alike: networks are lowercase words, and countries and currencies two and three capitals. */
const partsOf = ({ country, currency, network, rail }: Segment): ReadonlyArray<string> => {
  const parts: Array<string> = [rail, currency]
  if (network !== null) parts.push(network)
  if (country !== null) parts.push(country)
  return parts
}

const everySeries = function* (nodes: ReadonlyMap<string, Node>): Iterable<Series> {
  for (const { issuers, parts, series } of nodes.values()) {
    yield series
    yield* issuers.values()
    yield* everySeries(parts)
  }
}
