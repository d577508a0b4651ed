/** Who may sign in to the dashboard of one installation, and how requests are recognized as theirs. */
import {
  AuditLog,
  cookiesOf,
  CurrentSignIn,
  hostAuthenticator,
  noSignIn,
  Oidc,
  Passwords,
  prunePeople,
  sessionAuthenticator,
  Sessions,
  SignIn,
  TwoFactor,
  Users
} from "@paymux/dashboard"
import type { SignInSettings } from "@paymux/dashboard"
import { Effect, Layer } from "effect"
import { Installation } from "./secrets/Installation.ts"
import type { PaymuxSettings } from "./options/PaymuxOptions.ts"

export const layer = (settings: PaymuxSettings) =>
  Layer.unwrap(
    Effect.map(Effect.service(Installation), ({ keys, secrets }) => {
      const { dashboard, publicUrl } = settings
      const services = Layer.mergeAll(
        Users.layer({ issuers: issuersOf(dashboard) }),
        SignIn.layer(secrets),
        TwoFactor.layer(secrets),
        pruning
      ).pipe(
        Layer.provideMerge(
          Layer.mergeAll(Passwords.layer, Sessions.layer({ sandbox: opensBySandbox(settings) }), AuditLog.layer)
        )
      )
      const cookies = cookiesOf(publicUrl, keys.cookies)
      const common = { cookies, publicUrl, accounts: false, reauthenticateUrl: null, trustedProxies: 0 }
      const signIn = (own: Partial<SignInSettings> = {}) => Layer.succeed(CurrentSignIn, { ...common, ...own })
      if (dashboard === null) return Layer.mergeAll(noSignIn, signIn(), Oidc.none, services)
      if (dashboard.users === "host") {
        const { authenticate, reauthenticateUrl, trustedProxies } = dashboard
        const host = hostAuthenticator(authenticate, publicUrl)
        return Layer.mergeAll(host, signIn({ reauthenticateUrl, trustedProxies }), Oidc.none, services)
      }
      const oidc = dashboard.oidc === null ? Oidc.none : Oidc.layer(dashboard.oidc, publicUrl, secrets)
      const { trustedProxies } = dashboard
      return Layer.mergeAll(signIn({ accounts: true, trustedProxies }), oidc).pipe(
        Layer.provideMerge(Layer.provideMerge(sessionAuthenticator(cookies), services))
      )
    })
  )

const issuersOf = (dashboard: PaymuxSettings["dashboard"]): ReadonlyArray<string> =>
  dashboard?.users === "accounts" && dashboard.oidc !== null ? [dashboard.oidc.issuer] : []

/** On this machine alone: who reads its terminal may use the sandbox. */
export const opensBySandbox = ({ dashboard, publicUrl, sandbox }: PaymuxSettings): boolean =>
  sandbox !== null && dashboard?.users === "accounts" && publicUrl.startsWith("http://")

/** Deletes what has ended, once an hour. Who used which invitation stays known for 30 days. */
const pruning = Layer.effectDiscard(
  prunePeople(30 * 86_400_000).pipe(
    Effect.catchCause((cause) => Effect.logError("Ended sessions were not deleted", cause)),
    Effect.andThen(Effect.sleep("1 hour")),
    Effect.forever,
    Effect.forkScoped
  )
)
