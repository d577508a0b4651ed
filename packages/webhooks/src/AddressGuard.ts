/**
 * Whether a connection may be opened, decided where it is opened: the URL is judged again as when it was saved, every
 * address that its name resolves to is checked, and only addresses that were checked are connected to. There is no
 * second look-up whose answer could be another one.
 */
import { Result } from "effect"
import { lookup, Resolver } from "node:dns/promises"
import { isIP } from "node:net"
import type { LookupFunction } from "node:net"
import type { AddressPolicy } from "./AddressPolicy.ts"
import { judgeUrl } from "./EndpointUrl.ts"

/** The addresses of a host, in the order they are tried. Rejects with an error that has a `code`. */
export type Resolve = (host: string) => Promise<ReadonlyArray<string>>

export interface AddressGuard {
  /** A code to refuse with, or `null`. An address in the URL is judged here: no name is looked up for it. */
  readonly refusal: (url: string, livemode: boolean) => string | null
  /** For `node:net`, which connects to what this answers. */
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
 * Asks the name servers of the system, without its threads: `dns.lookup` has four, which the names of a few receivers
 * with a dead name server would hold from all others. Nothing of `/etc/hosts` counts, nor do search domains.
 */
export const nameServers: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = [four, six].flatMap((found) => (found.status === "fulfilled" ? found.value : []))
  if (addresses.length === 0) throw four.status === "rejected" ? four.reason : withCode("ENOTFOUND")
  return addresses
}

/** Of a name that the configuration opens: as every other program of the machine resolves it. */
const addressesOf: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

const withCode = (code: string): Error => Object.assign(new Error(code), { code })

const refusedAddress = "ADDRESS_NOT_ALLOWED"
