/** What the authenticator app of a person shows. */
import { Secret, TOTP } from "otpauth"

/** `secret`: in base32, as it is typed into the app. */
export const codeOf = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate()
