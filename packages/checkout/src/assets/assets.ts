/** The files that the page loads, under names that change with their content, so that browsers keep them for good. */
import { createHash } from "node:crypto"
import { script } from "./script.ts"
import { styleSheet } from "./style.ts"

export interface Asset {
  readonly name: string
  readonly contentType: string
  readonly text: string
}

export interface Assets {
  readonly style: Asset
  readonly script: Asset
}

export const assetsOf = (color: string): Assets => ({
  style: asset("css", "text/css; charset=utf-8", styleSheet(color)),
  script: asset("js", "text/javascript; charset=utf-8", script)
})

const asset = (extension: string, contentType: string, text: string): Asset => ({
  name: `checkout-${createHash("sha256").update(text).digest("hex").slice(0, 12)}.${extension}`,
  contentType,
  text
})
