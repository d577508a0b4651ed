/** A small OpenID provider on this machine, which can be made to answer wrongly. */
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { createHash, randomUUID } from "node:crypto"
import { createServer } from "node:http"
import type { IncomingMessage, Server } from "node:http"

export interface IdentityProvider extends AsyncDisposable {
  readonly issuer: string
  /** Signs the person in, and returns where the browser is sent back to. */
  readonly authorize: (url: URL) => URL
  /** Replaces claims of the ID tokens from now on. */
  claims: { readonly [claim: string]: unknown }
  /** Signs with a key that is not published. */
  foreignKey: boolean
  /** Accepts each code more than once, against RFC 6749. */
  reusesCodes: boolean
}

export const clientId = "paymux"
export const clientSecret = "the secret of the client"

export const identityProvider = async (): Promise<IdentityProvider> => {
  const [own, foreign] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")])
  const jwk = { ...(await exportJWK(own.publicKey)), kid: "1", alg: "RS256", use: "sig" }
  const codes = new Map<string, { readonly nonce: string; readonly challenge: string; readonly redirectUri: string }>()
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    if (request.url === "/.well-known/openid-configuration") {
      return answer(200, {
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/jwks`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"]
      })
    }
    if (request.url === "/jwks") return answer(200, { keys: [jwk] })
    return void redeem(request).then(
      (idToken) => answer(200, { access_token: "at", token_type: "Bearer", expires_in: 60, id_token: idToken }),
      () => answer(400, { error: "invalid_grant" })
    )
  })
  const issuer = await listening(server)

  /** A code works once, for the address and the verifier that it was made for. */
  const redeem = async (request: IncomingMessage): Promise<string> => {
    const form = new URLSearchParams(await bodyOf(request))
    const code = form.get("code") ?? ""
    const issued = codes.get(code)
    if (!provider.reusesCodes) codes.delete(code)
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url")
    if (issued === undefined || issued.challenge !== challenge || issued.redirectUri !== form.get("redirect_uri")) {
      throw new Error("invalid_grant")
    }
    const now = Math.floor(Date.now() / 1000)
    const person = { sub: "person-1", email: "asha@example.com", email_verified: true }
    const standard = { iss: issuer, aud: clientId, nonce: issued.nonce, iat: now, exp: now + 60, auth_time: now }
    return new SignJWT({ ...person, ...standard, ...provider.claims })
      .setProtectedHeader({ alg: "RS256", kid: "1" })
      .sign(provider.foreignKey ? foreign.privateKey : own.privateKey)
  }

  const provider: IdentityProvider = {
    issuer,
    claims: {},
    foreignKey: false,
    reusesCodes: false,
    authorize: (url) => {
      const asked = (name: string) => url.searchParams.get(name) ?? ""
      const code = randomUUID()
      codes.set(code, {
        nonce: asked("nonce"),
        challenge: asked("code_challenge"),
        redirectUri: asked("redirect_uri")
      })
      const back = new URL(asked("redirect_uri"))
      back.search = new URLSearchParams({ code, state: asked("state") }).toString()
      return back
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
  return provider
}

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`)
    })
  })

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return text
}
