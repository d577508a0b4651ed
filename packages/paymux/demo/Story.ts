/** The output of the demo: a title for each step, its results below, and whether they were as announced. */
import CliTable from "cli-table3"
import { styleText } from "node:util"
import spinner from "yocto-spinner"

type Style = Parameters<typeof styleText>[0]
const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout })

export class StepFailed extends Error {}

export const title = (text: string): void => console.log(`\n${paint(["bold", "cyan"], text)}`)

export const say = (text: string): void => console.log(`  ${text}`)

export const quiet = (text: string): void => console.log(`  ${paint("dim", text)}`)

/** What the step promised. Where it is not so, the demo ends and says what was seen instead. */
export const expect = (promise: string, holds: boolean, seen: unknown): void => {
  if (!holds) throw new StepFailed(`${promise}: but saw ${JSON.stringify(seen, null, 2)}`)
  console.log(`  ${paint("green", "✓")} ${promise}`)
}

/** Printed as they arrive, except while many arrive at once. */
export const webhooks = { printed: true }

export const webhook = (type: string, detail: string): void => {
  if (webhooks.printed) console.log(`  ${paint("magenta", "webhook")} ${type} ${paint("dim", detail)}`)
}

const PATIENCE_MS = 90_000

/** Waits for `look` to find something; an animated line shows that it waits, on a terminal only. */
export const until = async <A>(what: string, look: () => Promise<A | null> | A | null, everyMs = 100): Promise<A> => {
  const line = process.stderr.isTTY ? spinner({ text: `waiting for ${what}`, stream: process.stderr }).start() : null
  const started = performance.now()
  try {
    while (performance.now() - started < PATIENCE_MS) {
      const found = await look()
      if (found !== null) return found
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  } finally {
    line?.stop()
  }
  throw new StepFailed(`${what} did not come within ${PATIENCE_MS / 1000} seconds`)
}

export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): void => {
  const drawn = new CliTable({
    head: head.map((cell) => paint("bold", cell)),
    style: { head: [], border: [], compact: true }
  })
  drawn.push(...rows.map((row) => [...row]))
  console.log(drawn.toString())
}

export const coloured = (status: string): string =>
  paint(status === "succeeded" ? "green" : status === "failed" ? "red" : "yellow", status)
