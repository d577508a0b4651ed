import { Effect } from "effect"

/** A line on standard error while `effect` runs, on a terminal only; nothing is left of it. */
export const progress = <A, E, R>(text: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  process.stderr.isTTY
    ? Effect.acquireUseRelease(
        Effect.map(
          Effect.promise(() => import("yocto-spinner")),
          ({ default: spinner }) => spinner({ text: `${text} …`, stream: process.stderr }).start()
        ),
        () => effect,
        (line) => Effect.sync(() => void line.stop())
      )
    : effect
