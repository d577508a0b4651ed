/**
 * Whether events may be sent to a URL, as far as the URL itself tells.
 *
 * The WHATWG parser brings every way to write an address (`127.1`, `0x7f000001`, `2130706433`, `[::ffff:10.0.0.1]`) to
 * one form before it is judged. A name is judged by its looks only: what it resolves to is a matter of the connection.
 */
import { Effect, Result, Schema } from "effect"
import { isIP } from "node:net"
import { hostKey } from "./AddressPolicy.ts"
import type { AddressPolicy } from "./AddressPolicy.ts"

const sentences = {
  malformed: "The URL cannot be read, or is longer than 2048 characters",
  scheme: "The URL must begin with https:// or http://",
  userinfo: "The URL must not contain a user name or password",
  https_required: "Live events are sent over https only",
  port: "The port belongs to another service: use 443, 80 or one above 1023 that is no well-known service's",
  address: "The host is private, local or reserved, and the configuration (webhooks.allow) does not open it"
} as const

/** The URL cannot be an endpoint. The message does not repeat the URL. */
export class EndpointUrlRefused extends Schema.TaggedError<EndpointUrlRefused>()("EndpointUrlRefused", {
  reason: Schema.Literals(["malformed", "scheme", "userinfo", "https_required", "port", "address"])
}) {
  override get message() {
    return sentences[this.reason]
  }
}

/** The URL in its normal form, without its fragment, or why it is refused. */
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

export const checkEndpointUrl = (
  url: string,
  livemode: boolean,
  policy: AddressPolicy
): Effect.Effect<string, EndpointUrlRefused> => Effect.suspend(() => Effect.fromResult(judgeUrl(url, livemode, policy)))

const refuse = (reason: EndpointUrlRefused["reason"]) => Result.fail(new EndpointUrlRefused({ reason }))

const isOpenHost = (hostname: string, policy: AddressPolicy): boolean => {
  const host = hostKey(hostname.replace(/^\[|\]$/g, ""))
  if (policy.opensHost(host)) return true
  if (isIP(host) !== 0) return policy.allowsAddress(host)
  return host.includes(".") && !localNames.test(host)
}

/** Names that a public resolver does not answer (RFC 6761, RFC 6762, RFC 8375; `.internal` is ICANN's private one). */
const localNames = /\.(localhost|local|internal|intranet|lan|home|corp|test|invalid|example|onion|home\.arpa)$/

/** 80, 443 and what any user may listen on, except where a database or another service is expected. */
const isOpenPort = (port: string): boolean =>
  port === "" || port === "80" || (Number(port) >= 1024 && !servicePorts.has(Number(port)))

const servicePorts: ReadonlySet<number> = new Set([
  1433, // SQL Server
  1521, // Oracle
  2049, // NFS
  2181, // ZooKeeper
  2375, // Docker
  2376,
  2379, // etcd
  2380,
  3306, // MySQL
  3389, // RDP
  4369, // Erlang
  5432, // PostgreSQL
  5672, // AMQP
  5900, // VNC
  5984, // CouchDB
  5985, // WinRM
  5986,
  6000, // X11
  6379, // Redis
  6443, // Kubernetes
  6666, // IRC
  6667,
  9042, // Cassandra
  9092, // Kafka
  9200, // Elasticsearch
  9300,
  10250, // kubelet
  11211, // memcached
  27017, // MongoDB
  27018,
  27019
])
