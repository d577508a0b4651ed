/** Hashes of passwords: scrypt with N = 2^17, r = 8, p = 1, which takes about 0.4 s of a core and 128 MB. */
import { Context, Effect, Layer } from "effect"
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { isCommonPassword } from "./commonPasswords.ts"
import { PeopleInputInvalid } from "./errors.ts"
import type { SignInBusy } from "./errors.ts"
import { makeHashQueue } from "./HashQueue.ts"
import type { HashQueue, Origin } from "./HashQueue.ts"

interface Settings {
  /** N of scrypt is 2 to this power. */
  readonly logN: number
  /** The most requests that wait or are checked: of known devices, and as many of others. */
  readonly places: number
}

/** The cost of a hash and the size of the queue. Tests override it to make hashes cheap. */
export const PasswordSettings = Context.Reference<Settings>("@paymux/dashboard/PasswordSettings", {
  defaultValue: () => ({ logN: 17, places: 12 })
})

export class Passwords extends Context.Service<
  Passwords,
  {
    /** For a person who opened a valid link. */
    readonly hash: (password: string) => Effect.Effect<string, SignInBusy>
    /** Runs a request that checks a password in a place. A request that gets no place has read and written nothing. */
    readonly withPlace: HashQueue["withPlace"]
    /** Call it within `withPlace`. `null`: there is no such user, which takes the same time and is never right. */
    readonly isRight: (password: string, stored: string | null, origin: Origin) => Effect.Effect<boolean>
  }
>()("@paymux/dashboard/Passwords") {
  static readonly layer: Layer.Layer<Passwords> = Layer.effect(
    Passwords,
    Effect.flatMap(PasswordSettings, (settings) =>
      Effect.map(makeHashQueue(settings.places), (queue) => make(settings, queue))
    )
  )
}

const make = ({ logN }: Settings, { inTurn, withPlace }: HashQueue): Passwords["Service"] => {
  const unknown: Stored = { logN, r: 8, p: 1, salt: randomBytes(16), key: randomBytes(keyLength) }
  return Passwords.of({
    withPlace,
    hash: (password) =>
      withPlace(
        "known",
        Effect.suspend(() => {
          const salt = randomBytes(16)
          return Effect.map(inTurn("known", derive(password, { logN, r: 8, p: 1, salt })), (key) =>
            ["scrypt", logN, 8, 1, salt.toString("base64url"), key.toString("base64url")].join("$")
          )
        })
      ),
    isRight: (password, stored, origin) =>
      Effect.suspend(() => {
        const read = stored === null ? null : parse(stored)
        const { key, ...parameters } = read ?? unknown
        return Effect.map(
          inTurn(origin, derive(password, parameters)),
          (derived) => timingSafeEqual(derived, key) && read !== null
        )
      })
  })
}

interface Parameters {
  readonly logN: number
  readonly r: number
  readonly p: number
  readonly salt: Buffer
}

interface Stored extends Parameters {
  readonly key: Buffer
}

// Not interruptible: a hash takes its core and memory to the end, so the next one waits for it.
const derive = (password: string, { logN, p, r, salt }: Parameters): Effect.Effect<Buffer> =>
  Effect.uninterruptible(
    Effect.callback<Buffer>((resume) => {
      const options = { N: 2 ** logN, r, p, maxmem: 2 * 128 * r * 2 ** logN }
      scrypt(normal(password), salt, keyLength, options, (error, key) =>
        resume(error === null ? Effect.succeed(key) : Effect.die(error))
      )
    })
  )

/** The same text, however a keyboard composes its letters (NIST SP 800-63B). */
const normal = (password: string): string => password.normalize("NFKC")

/** `null`: not a hash of ours. Such a user cannot sign in with a password. */
const parse = (stored: string): Stored | null => {
  const [, logN, r, p, salt = "", key = ""] =
    /^scrypt\$(1[0-9]|20)\$(\d{1,2})\$(\d)\$([\w-]{22})\$([\w-]{43})$/.exec(stored) ?? []
  return logN === undefined
    ? null
    : {
        logN: Number(logN),
        r: Number(r),
        p: Number(p),
        salt: Buffer.from(salt, "base64url"),
        key: Buffer.from(key, "base64url")
      }
}

const keyLength = 32

/** Of a password that is entered: nothing longer is hashed. */
export const enteredPassword = (password: string): Effect.Effect<string, PeopleInputInvalid> =>
  password === "" || password.length > maximumBytes || Buffer.byteLength(password) > maximumBytes
    ? Effect.fail(new PeopleInputInvalid({ field: "password", problem: `must have 1 to ${maximumBytes} bytes` }))
    : Effect.succeed(password)

/** Of a password that is set. Length is what counts, not kinds of characters (NIST SP 800-63B). */
export const newPassword = Effect.fnUntraced(function* (given: string, email: string) {
  const password = yield* enteredPassword(given)
  const problem = weakness(normal(password), email)
  if (problem !== null) return yield* new PeopleInputInvalid({ field: "password", problem })
  if (yield* isCommonPassword(normal(password))) {
    return yield* new PeopleInputInvalid({ field: "password", problem: "is one that many people use: choose another" })
  }
  return password
})

const weakness = (password: string, email: string): string | null => {
  const characters = Array.from(password)
  if (characters.length < minimumLength) return `must have at least ${minimumLength} characters`
  if (new Set(characters).size < 5) return "must have at least 5 different characters"
  return password.toLowerCase().includes(email) ? "must not contain your email address" : null
}

const maximumBytes = 1024
const minimumLength = 12
