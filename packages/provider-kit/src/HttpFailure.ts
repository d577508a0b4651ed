/**
 * The two ways in which a provider call ends without an answer. The difference decides whether another provider may be
 * tried: after `NotSent` it may, after `SentOutcomeUnknown` money may have moved.
 *
 * Neither error keeps a cause: errors of `node:http` can carry raw bytes of the conversation.
 */
import * as Schema from "effect/Schema"

/**
 * No byte of the request was written to the provider.
 *
 * - `invalid_request`: refused here (a header with a line break, a path with `..`, a body that cannot be encoded)
 * - `dns` · `refused` · `unreachable`: no TCP connection
 * - `connect_timeout`: no connection ready for use within the connect timeout, or before the deadline
 * - `tls`: the handshake failed, or the certificate is not valid for this host
 *
 * `code` is Node's error code (`ECONNREFUSED`, `CERT_HAS_EXPIRED` …) where there is one.
 */
export class NotSent extends Schema.TaggedError<NotSent>()("NotSent", {
  reason: Schema.Literals(["invalid_request", "dns", "refused", "unreachable", "connect_timeout", "tls"]),
  host: Schema.String,
  code: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    return describe(`request not sent to ${this.host}: ${this.reason}`, this.code)
  }
}

/**
 * The request left, wholly or in part, and no definite answer came back: the provider may have executed it.
 *
 * - `timeout`: the deadline passed
 * - `reset`: the connection broke before an answer began
 * - `truncated`: the connection broke within the answer
 * - `too_large`: the answer's body is over the cap
 * - `unreadable`: not HTTP, not UTF-8, not JSON, or compressed
 * - `unexpected_shape`: JSON, but not what the vendor's schema says; `at` is where, as key names
 *
 * `reusedConnection` is true where the request went out on a kept-alive connection, which a server may close at any
 * moment: the likeliest cause of a `reset`, and no proof that nothing was executed.
 */
export class SentOutcomeUnknown extends Schema.TaggedError<SentOutcomeUnknown>()("SentOutcomeUnknown", {
  reason: Schema.Literals(["timeout", "reset", "truncated", "too_large", "unreadable", "unexpected_shape"]),
  host: Schema.String,
  reusedConnection: Schema.Boolean,
  status: Schema.optionalKey(Schema.Int),
  code: Schema.optionalKey(Schema.String),
  at: Schema.optionalKey(Schema.Array(Schema.String))
}) {
  override get message() {
    const where = this.at === undefined ? "" : ` at ${this.at.join(", ")}`
    return describe(`request sent to ${this.host}, outcome unknown: ${this.reason}${where}`, this.code)
  }
}

const describe = (text: string, code: string | undefined) => (code === undefined ? text : `${text} (${code})`)
