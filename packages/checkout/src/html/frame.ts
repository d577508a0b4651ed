/** What all pages have in common: head, branding, test banner, and the place where the script announces a change. */
import type { Assets } from "../assets/assets.ts"
import type { Texts } from "../locale/Texts.ts"
import type { Branding } from "../options.ts"
import { html } from "./Html.ts"
import type { Html } from "./Html.ts"

export interface PageSettings {
  readonly branding: Branding
  readonly assets: Assets
  /** Where the page is mounted: empty, or `/payments`. */
  readonly basePath: string
}

/** What a page is about. */
interface Framed {
  /** The payment's id, shown at the bottom. */
  readonly reference: string
  readonly isTest: boolean
  /** It follows its payment by its script. */
  readonly isLive: boolean
  /** Without script, it reloads. */
  readonly reloads: boolean
}

/** A page that shows one sentence: the link is not valid, or the database is unavailable. */
export const messagePage = (
  settings: PageSettings,
  texts: Texts,
  { text, title }: { readonly title: string; readonly text: string }
): string =>
  frame(
    settings,
    texts,
    html`<main class="card">
      ${shop(settings.branding)}
      <h1>${title}</h1>
      <p>${text}</p>
    </main>`,
    null
  )

export const frame = (
  { assets, basePath, branding }: PageSettings,
  texts: Texts,
  content: Html,
  of: Framed | null
): string => {
  const title = branding.name === null ? texts.pay : `${texts.pay} · ${branding.name}`
  const folder = `${basePath}/pay/assets`
  return html`<!doctype html>
    <html lang="${texts.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${folder}/${assets.style.name}" />
        ${of?.isLive !== true ? null : html`<script src="${folder}/${assets.script.name}" defer></script>`}
        ${of?.reloads === true ? html`<noscript><meta http-equiv="refresh" content="10" /></noscript>` : null}
      </head>
      <body>
        <div class="page">
          ${of?.isTest === true ? html`<p class="test">${texts.testMode}</p>` : null}
          <p class="offline" id="offline" role="status" hidden>${texts.offline}</p>
          ${content}
          ${of === null ? null : html`<footer>${texts.reference} <span class="mono">${of.reference}</span></footer>`}
          <div class="announce" id="announce" role="status"></div>
        </div>
      </body>
    </html> `.text
}

export const shop = ({ logo, name }: Branding): Html | null =>
  name === null && logo === null
    ? null
    : html`<p class="shop">
        ${logo === null ? null : html`<img src="${logo}" alt="${name === null ? "Logo" : ""}" />`}${name === null ? null : html`<bdi>${name}</bdi>`}
      </p>`
