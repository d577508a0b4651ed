/**
 * How often ids are refused as card numbers, by this commit and by another:
 * `node scripts/card-numbers.ts --before HEAD~1 --samples 10000000 --orders 1000000 --seed 1`.
 *
 * `--samples` random ids of each kind, `--orders` order ids of each platform. Prints Markdown, and fails if random ids or order
 * ids are refused more often than before. Ten million of each kind take some ten minutes.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { findRawCardData } from "../packages/core/src/domain/RawCardData.ts"
import { drawing, orderIds, randomIds } from "../packages/core/test/domain/orderIds.ts"
import type { Shape } from "../packages/core/test/domain/orderIds.ts"

const { values } = parseArgs({
  options: {
    before: { type: "string", default: "HEAD" },
    samples: { type: "string", default: "10000000" },
    orders: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" }
  }
})

type Find = (value: unknown) => string | null

const git = (...args: ReadonlyArray<string>): string => execFileSync("git", args, { encoding: "utf8" })

/** Its imports lie in the same folder. */
const findBefore = async (folder: string): Promise<Find> => {
  const domain = "packages/core/src/domain"
  for (const path of git("ls-tree", "-r", "--name-only", values.before, `${domain}/`).trim().split("\n")) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), git("show", `${values.before}:${path}`))
  }
  // Boundary: a module of another commit, whose first parameter has always been the value.
  const module = (await import(pathToFileURL(join(folder, domain, "RawCardData.ts")).href)) as {
    readonly findRawCardData: Find
  }
  return module.findRawCardData
}

/** The samples that are refused, for each of the places. */
const refusedOf = (shape: Shape, count: number, places: ReadonlyArray<readonly [Find, string]>) => {
  const draw = drawing(Number(values.seed))
  const refused = places.map(() => 0)
  for (let n = 0; n < count; n++) {
    const text = shape(draw)
    for (const [index, [find, key]] of places.entries()) {
      if (find({ metadata: { [key]: text } }) !== null) refused[index] = (refused[index] ?? 0) + 1
    }
  }
  return refused
}

const percent = (refused: number, count: number): string => `${((100 * refused) / count).toFixed(4)} %`

const rows = (
  shapes: { readonly [kind: string]: Shape },
  count: number,
  places: ReadonlyArray<readonly [Find, string]>
) =>
  Object.entries(shapes).map(([kind, shape]) => {
    const refused = refusedOf(shape, count, places)
    console.log(`| ${[kind, ...refused.map((each) => percent(each, count))].join(" | ")} |`)
    return { kind, refused }
  })

const main = async (): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), "paymux-card-numbers-"))
  try {
    const before = await findBefore(folder)
    const places = [
      [before, "note"],
      [findRawCardData, "note"],
      [findRawCardData, "invoice_number"],
      [findRawCardData, "order_id"]
    ] as const
    console.log("| ids | before | note | invoice_number | order_id |\n| --- | --- | --- | --- | --- |")
    const measured = [
      // What is refused under the other keys is refused in a note, too.
      ...rows(randomIds, Number(values.samples), places.slice(0, 2)),
      ...rows(orderIds, Number(values.orders), places)
    ]
    const risen = measured.filter(({ refused: [former = 0, ...now] }) => now.some((each) => each > former))
    for (const { kind } of risen) console.log(`Refused more often than before: ${kind}`)
    return risen.length === 0 ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main()
