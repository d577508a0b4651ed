/** Leaves out what is not drawn inside a place that is, such as the statements of a drawn block. */
import { commonTokens, tokens } from "@stryker-mutator/api/plugin"
import type { Ignorer } from "@stryker-mutator/api/ignore"
import type { StrykerOptions } from "@stryker-mutator/api/core"
import type { babel } from "@stryker-mutator/core"
import { pathOf } from "./mutantId.ts"
import type { Position } from "./places.ts"
import { settingsOf } from "./RunSettings.ts"

export class OnlyDrawn implements Ignorer {
  static readonly inject = tokens(commonTokens.options)
  readonly #drawn: ReadonlyMap<string, ReadonlyArray<Span>>

  constructor(options: StrykerOptions) {
    const places = Map.groupBy(settingsOf(options).places, ({ path }) => path)
    this.#drawn = new Map(
      [...places].map(([path, inFile]) => [
        path,
        inFile.map(({ location: { end, start } }) => ({ start: orderOf(start), end: orderOf(end) }))
      ])
    )
  }

  /** Stryker leaves out a node for which this returns a reason, and all that it contains. */
  shouldIgnore(path: unknown): string | undefined {
    // The interface knows no syntax tree; Stryker passes a path of Babel, made from a file.
    const { hub, node } = path as babel.NodePath & { readonly hub: { readonly file: BabelFile } }
    if (!node.loc) return undefined
    const start = orderOf(countedFromOne(node.loc.start))
    const end = orderOf(countedFromOne(node.loc.end))
    const inFile = this.#drawn.get(pathOf({ fileName: hub.file.opts.filename })) ?? []
    return inFile.some((drawn) => start <= drawn.start && drawn.end <= end) ? undefined : "not drawn"
  }
}

interface Span {
  readonly start: number
  readonly end: number
}

interface BabelFile {
  readonly opts: { readonly filename: string }
}

/** Babel counts columns from 0. */
const countedFromOne = ({ column, line }: Position): Position => ({ line, column: column + 1 })

/** One number that orders positions: no line has a million columns. */
const orderOf = ({ column, line }: Position): number => line * 1_000_000 + column
