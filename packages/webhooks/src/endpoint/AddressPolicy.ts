/**
 * The addresses that webhooks may be sent to: public addresses, and those that the configuration allows.
 *
 * An address is not public unless the IANA registries list it as globally reachable
 * (https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry), and every form of IPv6
 * that embeds an IPv4 address (NAT64, 6to4, Teredo) is not public either. An IPv4-mapped address counts as that IPv4
 * address.
 *
 * @example
 * ```ts
 * const policy = yield* AddressPolicy.make(["10.8.0.0/16", "receiver.internal"])
 * policy.allowsAddress("10.8.0.1") // => true
 * policy.allowsAddress("169.254.169.254") // => false
 * ```
 */
import { Effect, Schema } from "effect"
import { BlockList, isIP } from "node:net"

/** The error for entries of `webhooks.allow` that are neither an address, a CIDR range nor a host name. */
export class AllowListInvalid extends Schema.TaggedError<AllowListInvalid>()("AllowListInvalid", {
  entries: Schema.Array(Schema.String)
}) {
  override get message() {
    return `webhooks.allow takes addresses, ranges such as 10.0.0.0/8 and host names, but not: ${this.entries.join(", ")}`
  }
}

export interface AddressPolicy {
  /**
   * Whether an address, as text without brackets, may be connected to. Text that is not an IP address is not allowed.
   */
  readonly allowsAddress: (address: string) => boolean
  /** Whether the configuration allows this host by name, regardless of its addresses. */
  readonly opensHost: (host: string) => boolean
}

/** Returns one sentence that lists the invalid entries, or `null`. For code that reads a configuration. */
export const allowListProblem = (allow: ReadonlyArray<string>): string | null => {
  const entries = allow.filter((entry) => !(addRange(new BlockList(), entry) || addHost(new Set(), entry)))
  return entries.length === 0 ? null : new AllowListInvalid({ entries }).message
}

/** Addresses allowed in the sandbox, so that receivers can run on the same machine. */
export const loopback: ReadonlyArray<string> = ["127.0.0.0/8", "::1/128", "localhost"]

export const make = (allow: ReadonlyArray<string>): Effect.Effect<AddressPolicy, AllowListInvalid> =>
  Effect.suspend(() => {
    const opened = new BlockList()
    const hosts = new Set<string>()
    const invalid = allow.filter((entry) => !(addRange(opened, entry) || addHost(hosts, entry)))
    return invalid.length > 0
      ? Effect.fail(new AllowListInvalid({ entries: invalid }))
      : Effect.succeed({
          allowsAddress: (address) => isPublic(address) || contains(opened, address),
          opensHost: (host) => hosts.has(hostKey(host))
        })
  })

/** Normalizes a host name, since names are compared case-insensitively and without the trailing dot. */
export const hostKey = (host: string): string => host.toLowerCase().replace(/\.+$/, "")

const isPublic = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !contains(special, address)
    case 6:
      return (contains(mapped, address) || contains(globalUnicast, address)) && !contains(special, address)
    default:
      return false
  }
}

/**
 * Whether a list contains an address. An address with a zone (`fe80::1%eth0`) is in no list, so it counts as not
 * public: zones belong to link-local addresses.
 */
const contains = (list: BlockList, address: string): boolean => {
  const version = address.includes("%") ? 0 : isIP(address)
  return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6")
}

const addRange = (list: BlockList, entry: string): boolean => {
  const [address = "", prefix, ...rest] = entry.split("/")
  const version = address.includes("%") ? 0 : isIP(address)
  const bits = version === 4 ? 32 : 128
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : bits + 1
  if (version === 0 || rest.length > 0 || length > bits) return false
  list.addSubnet(address, length, version === 4 ? "ipv4" : "ipv6")
  return true
}

const addHost = (hosts: Set<string>, entry: string): boolean => {
  const host = hostKey(entry)
  const isName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/.test(host)
  // A host such as `10.0.0` or `127.1` is a mistyped address, not a name.
  if (!isName || /^[0-9.]+$/.test(host)) return false
  hosts.add(host)
  return true
}

const listOf = (...ranges: ReadonlyArray<string>): BlockList => {
  const list = new BlockList()
  for (const range of ranges) addRange(list, range)
  return list
}

const mapped = listOf("::ffff:0:0/96")
const globalUnicast = listOf("2000::/3")

const special = listOf(
  "0.0.0.0/8", // "this network" (RFC 1122)
  "10.0.0.0/8", // private networks
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8", // loopback addresses
  "168.63.129.16/32", // the host of Azure's machines, at an address that looks public
  "169.254.0.0/16", // link-local, and the metadata service of clouds
  "172.16.0.0/12", // private networks
  "192.0.0.0/24", // reserved for protocol assignments
  "192.0.2.0/24", // reserved for documentation
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private networks
  "198.18.0.0/15", // reserved for benchmarks
  "198.51.100.0/24", // reserved for documentation
  "203.0.113.0/24", // reserved for documentation
  "224.0.0.0/4", // multicast addresses
  "240.0.0.0/4", // reserved, and broadcast
  "2001::/23", // reserved for protocol assignments, such as Teredo
  "2001:db8::/32", // reserved for documentation
  "2002::/16", // 6to4 addresses
  "3fff::/20" // reserved for documentation
)
