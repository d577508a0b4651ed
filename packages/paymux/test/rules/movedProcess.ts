/**
 * A process of its own, as a worker cannot change its directory: names `routing.yaml` where it is, goes to another folder,
 * which has one too, and edits and removes the first. Prints the messages.
 */
import { Effect } from "effect"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { load, parse } from "../../src/rules/loadRules.ts"
import { RulesRefused } from "../../src/rules/reloading.ts"
import { make } from "../../src/rules/RulesWatch.ts"

const rules = (provider: string) => `version: 1\ndefault: { priority: [${provider}] }\n`
const file = "routing.yaml"

const moved = Effect.gen(function* () {
  const first = process.cwd()
  writeFileSync(file, rules("a"))
  const reported: Array<string> = []
  const { look } = make({
    ...(yield* load(file)),
    use: ({ bytes }) =>
      Effect.fromResult(parse({ file }, bytes)).pipe(
        Effect.map((parsed) => void reported.push(`${parsed.file} ${JSON.stringify(parsed.config)}`)),
        Effect.mapError(({ message }) => new RulesRefused({ message }))
      ),
    report: (problem) => Effect.sync(() => void reported.push(problem))
  })
  mkdirSync("other")
  process.chdir("other")
  writeFileSync(file, rules("stranger"))
  const twice = Effect.andThen(look, look)
  yield* twice
  writeFileSync(`${first}/${file}`, rules("edited"))
  yield* twice
  rmSync(`${first}/${file}`)
  yield* twice
  rmSync(process.cwd(), { recursive: true })
  reported.push(`in a folder that is gone: ${(yield* Effect.flip(load(file))).message}`)
  return reported
})

process.stdout.write(JSON.stringify(await Effect.runPromise(moved)))
