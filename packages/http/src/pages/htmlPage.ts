/** The layout of every page: HTML without scripts and without external resources. */

/** Escapes text for HTML. */
export const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`)

export interface HtmlPage {
  /** The title, as text. */
  readonly title: string
  /** HTML for the head, in addition to the title. */
  readonly head: string
  /** HTML of the body, beginning with the heading. */
  readonly body: string
}

export const htmlPage = ({ body, head, title }: HtmlPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
${head}
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`

/** The headers of a page: it is not cached, cannot be framed, and sends no referrer. */
export const guarded = {
  "content-security-policy": "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
} as const
