/**
 * Checks whether a URL may be a webhook endpoint, by the URL alone.
 *
 * The WHATWG parser normalizes every notation of an address (`127.1`, `0x7f000001`, `2130706433`, `[::ffff:10.0.0.1]`)
 * before it is checked. For a host name only the name is checked; its addresses are checked when the connection opens.
 */
import { Effect, Result, Schema } from "effect"
import { isIP } from "node:net"
import { hostKey } from "./AddressPolicy.ts"
import type { AddressPolicy } from "./AddressPolicy.ts"

const sentences = {
  malformed:
    "The URL is malformed, longer than 2048 characters, or contains a backslash, a line break or another control character",
  scheme: "The URL must begin with https:// or http://",
  userinfo: "The URL must not contain a user name or password",
  https_required: "Live mode requires an https URL",
  port: "The port is reserved for another service: use 443, 80, or a port above 1023 that no well-known service uses",
  address: "The host is private, local or reserved; add it to webhooks.allow to permit it"
} as const

/** The error for a URL that cannot be an endpoint. Its message does not contain the URL. */
export class EndpointUrlRefused extends Schema.TaggedError<EndpointUrlRefused>()("EndpointUrlRefused", {
  reason: Schema.Literals(["malformed", "scheme", "userinfo", "https_required", "port", "address"])
}) {
  override get message() {
    return sentences[this.reason]
  }
}

/** Returns the normalized URL without its fragment, or the reason why it is refused. */
export const judgeUrl = (
  url: string,
  livemode: boolean,
  policy: AddressPolicy
): Result.Result<string, EndpointUrlRefused> => {
  const parsed = url.length > 2048 ? null : URL.parse(url)
  if (parsed === null) return refuse("malformed")
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") return refuse("scheme")
  if (parsed.username !== "" || parsed.password !== "") return refuse("userinfo")
  if (livemode && parsed.protocol !== "https:") return refuse("https_required")
  if (!isOpenPort(parsed.port)) return refuse("port")
  if (!isOpenHost(parsed.hostname, policy)) return refuse("address")
  parsed.hash = ""
  return Result.succeed(parsed.href)
}

/**
 * Checks a URL before it is saved. Characters that the parser drops or reinterprets are refused, because a person would
 * read another host in `https://shop.example\@other.example` than the parser. URLs that were saved before keep working.
 */
export const checkEndpointUrl = (
  url: string,
  livemode: boolean,
  policy: AddressPolicy
): Effect.Effect<string, EndpointUrlRefused> =>
  Effect.suspend(() =>
    Effect.fromResult(
      isLiteral(url)
        ? Result.flatMap(judgeUrl(url, livemode, policy), (href) =>
            canBeResolved(href) ? Result.succeed(href) : refuse("malformed")
          )
        : refuse("malformed")
    )
  )

// oxlint-disable-next-line no-control-regex
const isLiteral = (url: string): boolean => !/[\\\u0000-\u001f\u007f]/.test(url)

/**
 * Whether DNS can resolve the host name: by RFC 1035 § 2.3.4, a label has at most 63 bytes, a name at most 253 as text.
 */
const canBeResolved = (href: string): boolean => {
  const { hostname } = new URL(href)
  return hostname.length <= 253 && hostname.split(".").every((label) => label.length <= 63)
}

const refuse = (reason: EndpointUrlRefused["reason"]) => Result.fail(new EndpointUrlRefused({ reason }))

const isOpenHost = (hostname: string, policy: AddressPolicy): boolean => {
  const host = hostKey(hostname.replace(/^\[|\]$/g, ""))
  if (policy.opensHost(host)) return true
  if (isIP(host) !== 0) return policy.allowsAddress(host)
  return host.includes(".") && !localNames.test(host)
}

/** Names that public resolvers do not resolve (RFC 6761, RFC 6762, RFC 8375; `.internal` is reserved by ICANN). */
const localNames = /\.(localhost|local|internal|intranet|lan|home|corp|test|invalid|example|onion|home\.arpa)$/

/**
 * Whether an endpoint's URL may have a given port: 80, 443 and unprivileged ports, except those of databases and other
 * well-known services.
 */
const isOpenPort = (port: string): boolean =>
  port === "" || port === "80" || (Number(port) >= 1024 && !servicePorts.has(Number(port)))

const servicePorts: ReadonlySet<number> = new Set([
  1433, // port of SQL Server
  1521, // port of Oracle databases
  2049, // port of NFS
  2181, // port of ZooKeeper
  2375, // port of Docker
  2376,
  2379, // port of etcd
  2380,
  3306, // port of MySQL
  3389, // port of RDP
  4369, // port of Erlang's port mapper
  5432, // port of PostgreSQL
  5672, // port of AMQP
  5900, // port of VNC
  5984, // port of CouchDB
  5985, // port of WinRM
  5986,
  6000, // port of X11
  6379, // port of Redis
  6443, // port of the Kubernetes API
  6666, // port of IRC
  6667,
  9042, // port of Cassandra
  9092, // port of Kafka
  9200, // port of Elasticsearch
  9300,
  10250, // port of the kubelet
  11211, // port of memcached
  27017, // port of MongoDB
  27018,
  27019
])
