/** QR codes as inline SVG: dark on light in both color schemes, since not every reader takes an inverted code. */
import { Effect } from "effect"
import { trusted } from "./Html.ts"
import type { Html } from "./Html.ts"

/** `null`: the text is too long for a code. */
export const qrCode = Effect.fnUntraced(function* (text: string): Effect.fn.Return<Html | null> {
  const { default: qrcode } = yield* Effect.promise(() => import("qrcode"))
  return yield* Effect.tryPromise(() =>
    qrcode.toString(text, { type: "svg", errorCorrectionLevel: "M", margin: 2 })
  ).pipe(
    Effect.map((svg) => trusted(svg.replace("<svg ", '<svg role="img" aria-label="QR" '))),
    Effect.catch(() => Effect.succeed(null))
  )
})
