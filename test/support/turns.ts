/** The rotation of CI: at each commit, other slices of the tests that take minutes. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** CI's place in the rotation. */
export interface Slice {
  /** The number of the commit: `PAYMUX_SLICE`. */
  readonly turn: number
  /** Of the tests that take minutes: one for four commits, since each of their files runs at one of four. */
  readonly longTurn: number
  /** The files of the ordinary tests that try their whole input at this turn, by absolute path. */
  readonly whole: ReadonlyArray<string>
  /** The files of `test/long` that wait for a later commit, by their path in the repository. */
  readonly waiting: ReadonlyArray<string>
}

/** In so many commits, each file of the ordinary tests has tried its whole input once. */
const turns = 24

/** In so many commits, each file of `test/long` has run once. */
const longTurns = 4

export const isTurn = (index: number, count: number, turn: number): boolean => index % count === turn % count

/** The files of the ordinary tests that try a part of their input, by absolute path. */
export const filesInPart = (root: string, include: ReadonlyArray<string>): ReadonlyArray<string> =>
  globSync([...include], { cwd: root, exclude: ["**/node_modules/**", "test/long/**"] })
    .filter((file) => readFileSync(join(root, file), "utf8").includes("/support/amount.ts"))
    .toSorted()
    .map((file) => join(root, file))

export const longFiles = (root: string): ReadonlyArray<string> =>
  globSync("test/long/**/*.test.ts", { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted()

/** @param turn the number of the commit */
export const sliceOf = (root: string, include: ReadonlyArray<string>, turn: number): Slice => ({
  turn,
  longTurn: Math.floor(turn / longTurns),
  whole: filesInPart(root, include).filter((_, index) => isTurn(index, turns, turn)),
  waiting: longFiles(root).filter((_, index) => !isTurn(index, longTurns, turn))
})

/** From `PAYMUX_SLICE`; `null`: no slices are tried. */
export const readTurn = (text: string | undefined): number | null => {
  if (text === undefined || text === "") return null
  if (!/^\d{1,9}$/.test(text)) throw new Error(`PAYMUX_SLICE must be the number of a commit, and is ${text}`)
  return Number(text)
}
