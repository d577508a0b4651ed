/** The frame of every page that is served: HTML that runs no script and loads nothing from anywhere. */

/** Text as HTML shows it. */
export const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`)

export interface HtmlPage {
  /** As text. */
  readonly title: string
  /** As HTML, besides the title. */
  readonly head: string
  /** As HTML; begins with its heading. */
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

/** It is not cached, cannot be framed, and sends no referrer. */
export const guarded = {
  "content-security-policy": "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
} as const
