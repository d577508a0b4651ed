/**
 * Browsers in which a user has signed in with their password. Each keeps an encrypted cookie that names the user and the password:
 * while tries from elsewhere flood the server or that user, the right password in a known browser goes ahead of them, under limits of its
 * own. It proves nothing else: the password is still checked, and after a new password the browser is unknown.
 */
import type { ServerSecrets } from "@paymux/core/wire"
import { sealedText } from "@paymux/webhooks"
import { Clock, Context, Effect } from "effect"
import { newToken, tokenHash } from "./Tokens.ts"
import type { UserRow } from "./userRows.ts"

/** ms for which a device is known after the last sign-in in it. */
export const deviceLifetime = 180 * 86_400_000

interface Device {
  readonly id: string
  readonly user: string
  /** A hash of the stored password. */
  readonly password: string
  /** ms UTC */
  readonly until: number
}

export class KnownDevices extends Context.Service<
  KnownDevices,
  {
    /** The value of a cookie. A device that is known keeps its id, and with it what was counted for it. */
    readonly remember: (user: UserRow, id: string | null) => Effect.Effect<string>
    /**
     * The id of the device; `null`: it is not known to this user with this password. The user is looked up only if the cookie
     * is one of ours, so that forged cookies read nothing.
     */
    readonly find: <E, R>(
      cookie: string,
      user: Effect.Effect<UserRow | null, E, R>
    ) => Effect.Effect<string | null, E, R>
  }
>()("@paymux/dashboard/KnownDevices") {
  static readonly make = (secrets: ServerSecrets): KnownDevices["Service"] => {
    const box = sealedText(secrets, "paymux dashboard known devices v1")
    return KnownDevices.of({
      remember: (user, id) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const until = now + deviceLifetime
          const device: Device = { id: id ?? newToken(), user: user.id, password: passwordOf(user), until }
          return Buffer.from(box.seal(purpose, JSON.stringify(device))).toString("base64url")
        }),
      find: Effect.fnUntraced(function* (cookie, owner) {
        const opened = box.open(purpose, Buffer.from(cookie, "base64url").toString())
        if (opened === null) return null
        // Boundary: only `remember` can seal it.
        const device = JSON.parse(opened) as Device
        const now = yield* Clock.currentTimeMillis
        if (now >= device.until || device.until - now > deviceLifetime) return null
        const user = yield* owner
        return device.user === user?.id && device.password === passwordOf(user) ? device.id : null
      })
    })
  }
}

const purpose = "device"

const passwordOf = ({ password }: UserRow): string => tokenHash(password ?? "")
