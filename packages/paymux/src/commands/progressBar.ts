import type { SingleBar } from "cli-progress"
import { Effect } from "effect"

/** Shows how much is done, 0 to 1. */
export type ShowProgress = (done: number) => Effect.Effect<void>

/**
 * A bar on standard error while `work` runs, on a terminal only; nothing is left of it. Cursor and wrapping stay as they
 * are, so that nothing has to be put right when the command is interrupted.
 */
export const progressBar = <A, E, R>(
  text: string,
  work: (show: ShowProgress) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  process.stderr.isTTY
    ? Effect.acquireUseRelease(
        Effect.promise(() => start(text)),
        (bar) => work((done) => Effect.sync(() => bar.update(Math.min(Math.max(done, 0), 1)))),
        (bar) => Effect.sync(() => bar.stop())
      )
    : work(() => Effect.void)

const start = async (text: string): Promise<SingleBar> => {
  const { default: cliProgress } = await import("cli-progress")
  const settings = { format: `${text} {bar} {percentage}%`, clearOnComplete: true, linewrap: true, barsize: 30 }
  const bar = new cliProgress.SingleBar({ ...settings, stream: process.stderr }, cliProgress.Presets.shades_classic)
  bar.start(1, 0)
  return bar
}
