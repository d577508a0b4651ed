import { BlockList, isIPv6 } from "node:net"

export type InternalNetwork = "loopback" | "private" | "link-local"

/**
 * Returns the kind of internal network that an IP address belongs to; `null` if the address is public. Reverse proxies
 * usually have an internal address.
 */
export const internalNetwork = (address: string): InternalNetwork | null =>
  networks.find(([, list]) => list.check(address, isIPv6(address) ? "ipv6" : "ipv4"))?.[0] ?? null

const listOf = (...subnets: ReadonlyArray<readonly [network: string, prefix: number]>): BlockList => {
  const list = new BlockList()
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, isIPv6(network) ? "ipv6" : "ipv4")
  return list
}

/** The networks that are not public. IPv4 networks include their IPv4-mapped IPv6 addresses. */
const networks: ReadonlyArray<readonly [InternalNetwork, BlockList]> = [
  ["loopback", listOf(["127.0.0.0", 8], ["::1", 128])],
  // 100.64.0.0/10 is the shared address space of RFC 6598, which clusters use for pods and load balancers.
  ["private", listOf(["10.0.0.0", 8], ["172.16.0.0", 12], ["192.168.0.0", 16], ["100.64.0.0", 10], ["fc00::", 7])],
  ["link-local", listOf(["169.254.0.0", 16], ["fe80::", 10])]
]
