/** The address of the dashboard, from `<base href>`, which the server sets. */

const base = new URL(document.baseURI).pathname

/** Base path of the router: `/payments/dashboard`. */
export const basePath = base.replace(/\/$/, "")

/** The path before `/dashboard` and `/v1`: empty at the root. */
export const serverPath = basePath.replace(/\/dashboard$/, "")

/** `https://pay.example.com/payments` */
export const serverUrl = `${window.location.origin}${serverPath}`

/** The CSP nonce of this page, for styles that libraries add; empty in development. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ""
