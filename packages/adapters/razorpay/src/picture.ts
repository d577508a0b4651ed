import { Effect } from "effect"
import { toString as draw } from "qrcode"

/** A QR code of `text` as a `data:` address of an SVG; `null` where it is too long for any. */
export const drawnAsSvg = (text: string): Effect.Effect<string | null> =>
  Effect.tryPromise(() => draw(text, { type: "svg", errorCorrectionLevel: "M" })).pipe(
    Effect.map((svg) => `data:image/svg+xml;base64,${Buffer.from(svg, "utf8").toString("base64")}`),
    Effect.catch(() => Effect.succeed(null))
  )
