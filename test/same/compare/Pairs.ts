/**
 * Which id of the one side stands for which of the other. A pair is made where both stand for the first time in the same place; from
 * then on neither may stand where the other's partner does not, so that two ids that were mixed up are a difference.
 */
import { tokensOf } from "./tokens.ts"
import type { Token } from "./tokens.ts"

/** ms: a slower machine reaches the same step later. Periods of the product are longer, or stand in the texts themselves. */
const tolerance = 120_000

export class Pairs {
  readonly #startedAt: readonly [before: number, after: number]
  readonly #partners: readonly [Map<string, string>, Map<string, string>] = [new Map(), new Map()]
  readonly #labels: readonly [Map<string, string>, Map<string, string>] = [new Map(), new Map()]
  readonly #tokens: readonly [Map<string, ReadonlyArray<Token>>, Map<string, ReadonlyArray<Token>>] = [
    new Map(),
    new Map()
  ]
  /** By the prefix or the form. */
  readonly #made = new Map<string, number>()

  constructor(before: number, after: number) {
    this.#startedAt = [before, after]
  }

  /** Whether the texts are the same but for ids and times. Ids are paired if they are. */
  same(before: string, after: string): boolean {
    const [left, right] = [this.#split(0, before), this.#split(1, after)]
    if (left.length !== right.length) return false
    const made = new Map<string, string>()
    const taken = new Map<string, string>()
    for (const [index, token] of left.entries()) {
      const other = right[index]
      if (other === undefined || !this.#agree(token, other, made, taken)) return false
    }
    for (const token of left) {
      const other = made.get(token.text)
      if (token.kind === "id" && other !== undefined) this.#pair(token.of, token.text, other)
    }
    return true
  }

  /** The text with a name in the place of each id that has a partner; without, one that says so. */
  shown(side: 0 | 1, text: string, time: "offset" | "hidden" = "offset"): string {
    const startedAt = this.#startedAt[side]
    return this.#split(side, text)
      .map((token) => {
        switch (token.kind) {
          case "text":
            return token.text
          case "time":
            return time === "hidden" ? "<time>" : `<start ${offset(token.at - startedAt)}>`
          case "id":
            return `<${token.of} ${this.#labels[side].get(token.text) ?? "?"}>`
        }
      })
      .join("")
  }

  /** Sets are read once for each pair that is found in them. */
  #split(side: 0 | 1, text: string): ReadonlyArray<Token> {
    const known = this.#tokens[side].get(text)
    if (known !== undefined) return known
    const tokens = tokensOf(text, this.#startedAt[side])
    this.#tokens[side].set(text, tokens)
    return tokens
  }

  #agree(one: Token, other: Token, made: Map<string, string>, taken: Map<string, string>): boolean {
    if (one.kind === "text" || other.kind === "text") return one.kind === other.kind && one.text === other.text
    if (one.kind === "time" || other.kind === "time") {
      if (one.kind !== "time" || other.kind !== "time") return false
      return Math.abs(one.at - this.#startedAt[0] - (other.at - this.#startedAt[1])) <= tolerance
    }
    if (one.of !== other.of) return false
    const partner = this.#partners[0].get(one.text) ?? made.get(one.text)
    const owner = this.#partners[1].get(other.text) ?? taken.get(other.text)
    if (partner !== undefined || owner !== undefined) return partner === other.text && owner === one.text
    made.set(one.text, other.text)
    taken.set(other.text, one.text)
    return true
  }

  #pair(of: string, one: string, other: string): void {
    if (this.#partners[0].has(one)) return
    const number = (this.#made.get(of) ?? 0) + 1
    this.#made.set(of, number)
    this.#partners[0].set(one, other)
    this.#partners[1].set(other, one)
    this.#labels[0].set(one, String(number))
    this.#labels[1].set(other, String(number))
  }
}

const offset = (ms: number): string => `${ms < 0 ? "−" : "+"} ${Math.round(Math.abs(ms) / 1000)} s`
