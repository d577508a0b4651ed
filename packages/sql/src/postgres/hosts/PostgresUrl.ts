/**
 * The address of a PostgreSQL database in the syntax of libpq, which allows several hosts:
 * `postgres://user:password@host1:5432,host2:5433/database?target_session_attrs=read-write`.
 */
import { Result } from "effect"

export interface Server {
  /** A host name, an IP address, or the folder of a Unix socket. */
  readonly host: string
  readonly port: number
}

/** The required role of a server. `primary`: not a standby. */
export type Target = "any" | "read-write" | "primary"

export interface PostgresUrl {
  /** The servers, in the order of the URL. */
  readonly servers: readonly [Server, ...ReadonlyArray<Server>]
  readonly target: Target
  readonly tls: "disable" | "prefer" | "require"
  /** The user, password, database and all other parameters, for the driver; without hosts. */
  readonly login: string
  /** The name of the database, if the address has one. */
  readonly database: string | null
  /** The URL for messages, without user and password. */
  readonly shown: string
}

/** Parses the URL. The error is one sentence that names the hosts and never the password. */
export const parsePostgresUrl = (text: string): Result.Result<PostgresUrl, string> => {
  const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s.exec(text)
  if (parts === null) return Result.fail(form)
  const [, scheme = "", authority = "", rest = ""] = parts
  const userEnd = authority.lastIndexOf("@") + 1
  const login = `${scheme}${authority.slice(0, userEnd)}localhost${rest}`
  if (!URL.canParse(login)) return Result.fail(form)
  const url = new URL(login)
  const { searchParams } = url
  const parameter = (name: string) => searchParams.getAll(name).at(-1)
  const written = authority.slice(userEnd)
  const servers = serversOf(written, parameter("host"), parameter("port"))
  if (Result.isFailure(servers)) return Result.fail(servers.failure)
  const shownHosts = namesOf(servers.success)
  const target = parameter("target_session_attrs") ?? (servers.success.length > 1 ? "read-write" : "any")
  if (!isTarget(target)) {
    return Result.fail(
      `target_session_attrs=${target} of ${shownHosts} is not supported: use read-write, primary or any.`
    )
  }
  const path = url.pathname.slice(1)
  const database = parameter("dbname") ?? (path === "" ? null : path)
  const shown = `${scheme}${shownHosts}/${database ?? ""}`
  const tls = tlsOf(parameter("sslmode") ?? "disable")
  for (const name of ["host", "port", "target_session_attrs"]) searchParams.delete(name)
  return Result.succeed({ servers: servers.success, target, tls, login: url.href, database, shown })
}

export const nameOf = ({ host, port }: Server): string =>
  host.includes(":") ? `[${host}]:${port}` : `${host.startsWith("/") ? encodeURIComponent(host) : host}:${port}`

export const namesOf = (servers: ReadonlyArray<Server>): string => servers.map(nameOf).join(",")

const form =
  "A PostgreSQL address reads postgres://user:password@host:5432/database, or with several hosts postgres://user:password@host1:5432,host2:5432/database."

const targets: ReadonlyArray<string> = ["any", "read-write", "primary"] satisfies ReadonlyArray<Target>
const isTarget = (text: string): text is Target => targets.includes(text)

/** The TLS setting for an `sslmode`. Unknown modes are not checked here: the driver rejects them. */
const tlsOf = (sslmode: string): PostgresUrl["tls"] => {
  if (["require", "verify-ca", "verify-full"].includes(sslmode)) return "require"
  return ["prefer", "allow"].includes(sslmode) ? "prefer" : "disable"
}

type Servers = PostgresUrl["servers"]

/** The parameters `host` and `port` replace the host and port before the path. */
const serversOf = (
  written: string,
  hostParameter: string | undefined,
  portParameter: string | undefined
): Result.Result<Servers, string> => {
  const specs = written.split(",").map(hostAndPort)
  const unreadable = specs.findIndex((spec) => spec === null)
  if (unreadable !== -1) {
    return Result.fail(`Host ${unreadable + 1} of ${written} is not a host and a port, such as db1.internal:5432.`)
  }
  const hosts = hostParameter?.split(",") ?? specs.map((spec) => spec?.host ?? "")
  const ports = portParameter?.split(",") ?? specs.map((spec) => spec?.port ?? "")
  if (ports.length !== 1 && ports.length !== hosts.length) {
    return Result.fail(`The address has ${hosts.length} hosts (${hosts.join(",")}) and ${ports.length} ports.`)
  }
  const all = hosts.map((host, place) => ({
    host: host === "" ? "localhost" : host,
    text: ports[ports.length === 1 ? 0 : place] ?? ""
  }))
  const wrong = all.find(({ text }) => !isPort(text))
  if (wrong !== undefined)
    return Result.fail(`The port ${wrong.text} of ${wrong.host} is not a number from 1 to 65535.`)
  const [first, ...others] = all.map(({ host, text }): Server => ({ host, port: text === "" ? 5432 : Number(text) }))
  return first === undefined ? Result.fail(form) : Result.succeed([first, ...others])
}

const isPort = (text: string): boolean =>
  text === "" || (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535)

/** Parses one host with its port; `null`: invalid. */
const hostAndPort = (spec: string): { readonly host: string; readonly port: string } | null => {
  const [whole, bracketed, plain = "", port = ""] = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::([^:]*))?$/.exec(spec) ?? []
  if (whole === undefined) return null
  const host = bracketed ?? decoded(plain)
  return host === null ? null : { host, port }
}

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
