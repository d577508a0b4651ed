/** One-time codes of an authenticator app (RFC 6238): SHA-1, 6 digits, 30 s, as every such app reads them. */
import { Secret, TOTP } from "otpauth"

/** 160 bits, as RFC 4226 recommends, in base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** For a QR code, or to be opened on a phone. It contains the secret. */
export const totpUri = (secret: string, email: string): string => totp(secret, email).toString()

/**
 * The time step that a code belongs to, one step earlier or later than now at most; `null`: a wrong code. A code is to be
 * accepted only if its step is later than that of the code before, so that none works twice.
 */
export const totpStep = (secret: string, code: string, now: number): number | null => {
  if (!isTotpCode(code)) return null
  const delta = totp(secret, "").validate({ token: code, timestamp: now, window: 1 })
  return delta === null ? null : Math.floor(now / stepMs) + delta
}

export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code)

const totp = (secret: string, email: string): TOTP =>
  new TOTP({
    issuer: "Paymux",
    label: email,
    algorithm: "SHA1",
    digits: 6,
    period: stepMs / 1000,
    secret: Secret.fromBase32(secret)
  })

const stepMs = 30_000
