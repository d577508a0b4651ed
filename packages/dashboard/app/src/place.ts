/** Where the dashboard stands, as the server says by `<base href>`. */

const base = new URL(document.baseURI).pathname

/** Of the router: `/payments/dashboard`. */
export const basePath = base.replace(/\/$/, "")

/** Before `/dashboard` and `/v1`: empty at the root. */
export const serverPath = basePath.replace(/\/dashboard$/, "")

/** Of the server: `https://pay.example.com/payments`. */
export const serverUrl = `${window.location.origin}${serverPath}`

/** Of this response, for the styles that libraries add; empty in development. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ""
