/**
 * Decides whether a connection may be opened, at the moment it is opened, to prevent webhooks to internal addresses
 * (SSRF). The URL is checked again, every address that its host name resolves to is checked, and only checked addresses
 * are connected to. There is no second DNS lookup, so a rebinding name server cannot change the answer in between.
 */
import { Result } from "effect"
import { lookup, Resolver } from "node:dns/promises"
import { isIP } from "node:net"
import type { LookupFunction } from "node:net"
import type { AddressPolicy } from "./AddressPolicy.ts"
import { judgeUrl } from "./EndpointUrl.ts"

/**
 * Resolves a host name to its addresses, in the order in which they are tried. Rejects with an error that has a `code`.
 */
export type Resolve = (host: string) => Promise<ReadonlyArray<string>>

export interface AddressGuard {
  /**
   * Returns the error code if the URL must not be requested, otherwise `null`. It checks an IP address in the URL
   * without a lookup.
   */
  readonly refusal: (url: string, livemode: boolean) => string | null
  /** The `lookup` function for `node:net`, which connects to the addresses it returns. */
  readonly lookup: LookupFunction
}

export const make = (policy: AddressPolicy, resolve: Resolve): AddressGuard => ({
  refusal: (url, livemode) => {
    const judged = judgeUrl(url, livemode, policy)
    if (Result.isSuccess(judged)) return null
    return judged.failure.reason === "address" ? refusedAddress : "URL_NOT_ALLOWED"
  },
  lookup: (host, options, answer) => {
    const opened = policy.opensHost(host)
    const found = opened ? addressesOf(host) : resolve(host)
    found
      .then((addresses) => {
        if (addresses.length === 0) throw withCode("ENOTFOUND")
        if (!opened && !addresses.every(policy.allowsAddress)) throw withCode(refusedAddress)
        return addresses.map((address) => ({ address, family: isIP(address) }))
      })
      .then(
        (addresses) => {
          const [first] = addresses
          if (options.all === true || first === undefined) answer(null, addresses)
          else answer(null, first.address, first.family)
        },
        (error: Error) => answer(error, "", 0)
      )
  }
})

/**
 * Queries the system's name servers without the thread pool. `dns.lookup` has four threads, so a few hosts whose name
 * servers do not respond would block all other lookups. Ignores `/etc/hosts` and search domains.
 */
export const nameServers: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = [four, six].flatMap((found) => (found.status === "fulfilled" ? found.value : []))
  if (addresses.length === 0) throw four.status === "rejected" ? four.reason : withCode("ENOTFOUND")
  return addresses
}

/** Resolves a host name that the configuration allows, with `dns.lookup`, as other programs on the machine do. */
const addressesOf: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

const withCode = (code: string): Error => Object.assign(new Error(code), { code })

const refusedAddress = "ADDRESS_NOT_ALLOWED"
