/** Random texts that prove something by being known, and what is kept of them: a hash. They need no slow function. */
import { hash, randomBytes } from "node:crypto"

/** 256 bits in base64url: 43 characters. */
export const newToken = (): string => randomBytes(32).toString("base64url")

export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const tokenHash = (token: string): string => hash("sha256", token)

/** 80 bits in Crockford base32, in groups of four. */
export const newRecoveryCode = (): string =>
  (BigInt(`0x${randomBytes(10).toString("hex")}`) + (1n << 80n))
    .toString(32)
    .slice(1)
    .replaceAll(/[i-v]/g, (letter) => crockford[letter.charCodeAt(0) - 105] ?? "")
    .replaceAll(/.{4}(?=.)/g, "$&-")

const crockford = "jkmnpqrstvwxyz"

/** `null`: not a recovery code. */
export const recoveryCodeHash = (userId: string, code: string): string | null => {
  const letters = code.toLowerCase().replaceAll(/[\s-]/g, "")
  return /^[0-9a-hjkmnp-tv-z]{16}$/.test(letters) ? hash("sha256", `${userId} ${letters}`) : null
}

export const newUserId = (): string => `usr_${randomBytes(12).toString("hex")}`
