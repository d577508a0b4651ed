/** The output of the demo: a title for each step, its results below, and whether each is as expected. */
import CliTable from "cli-table3"
import { styleText } from "node:util"
import spinner from "yocto-spinner"

type Style = Parameters<typeof styleText>[0]
const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout })

export class StepFailed extends Error {}

export const title = (text: string): void => console.log(`\n${paint(["bold", "cyan"], text)}`)

export const say = (text: string): void => console.log(`  ${text}`)

export const quiet = (text: string): void => console.log(`  ${paint("dim", text)}`)

/** What the step promises. If it does not hold, the demo ends with what was seen instead. */
export const expect = (promise: string, holds: boolean, seen: unknown): void => {
  if (!holds) throw new StepFailed(`Expected: ${promise}. Instead: ${JSON.stringify(seen, null, 2)}`)
  console.log(`  ${paint("green", "✓")} ${promise}`)
}

/** Printed as they arrive, except while many arrive at once. */
export const webhooks = { printed: true }

export const webhook = (type: string, detail: string): void => {
  if (webhooks.printed) console.log(`  ${paint("magenta", "webhook")} ${type} ${paint("dim", detail)}`)
}

const PATIENCE_MS = 90_000

/** From then on a wait is shown: shorter ones are not noticed. */
const VISIBLE_AFTER_MS = 300

/** Waits until `look` finds something. */
export const until = async <A>(what: string, look: () => Promise<A | null> | A | null, everyMs = 100): Promise<A> => {
  const started = performance.now()
  const wait = startWait(what)
  try {
    while (performance.now() - started < PATIENCE_MS) {
      const found = await look()
      if (found !== null) return found
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  } finally {
    wait.stop()
  }
  throw new StepFailed(`Timed out after ${PATIENCE_MS / 1000} s while waiting for ${what}.`)
}

/** An animated line with the seconds on a terminal; elsewhere one line of text. */
const startWait = (what: string): { readonly stop: () => void } => {
  if (!process.stderr.isTTY) {
    const timer = setTimeout(() => quiet(`Waiting for ${what} …`), VISIBLE_AFTER_MS)
    return { stop: () => clearTimeout(timer) }
  }
  const started = performance.now()
  const line = spinner({ text: `Waiting for ${what} …`, stream: process.stderr }).start()
  const timer = setInterval(() => {
    line.text = `Waiting for ${what} … ${Math.round((performance.now() - started) / 1000)} s`
  }, 1000)
  return {
    stop: () => {
      clearInterval(timer)
      line.stop()
    }
  }
}

/** Without lines between the cells, so that it fits in 100 columns. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): void => {
  const drawn = new CliTable({
    head: head.map((cell) => paint("bold", cell)),
    style: { head: [], border: [], compact: true, "padding-left": 2, "padding-right": 0 },
    chars: noBorders
  })
  drawn.push(...rows.map((row) => [...row]))
  console.log(drawn.toString().replaceAll(/ +$/gm, ""))
}

const noBorders = Object.fromEntries(
  ["top", "bottom", "left", "right"]
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
    .concat("mid", "left-mid", "mid-mid", "right-mid", "middle")
    .map((place) => [place, ""])
)

/** Commands or pages, and what each is for. */
export const choices = (rows: ReadonlyArray<readonly [choice: string, purpose: string]>): void => {
  const width = Math.max(...rows.map(([choice]) => choice.length))
  for (const [choice, purpose] of rows) say(`${paint("green", choice.padEnd(width))}  ${purpose}`)
}

export const coloured = (status: string): string =>
  paint(status === "succeeded" ? "green" : status === "failed" ? "red" : "yellow", status)
