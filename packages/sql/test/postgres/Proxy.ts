import { Effect } from "effect"
import { connect, createServer } from "node:net"
import type { AddressInfo, Socket } from "node:net"

/** What the network between a client and PostgreSQL does. */
export interface Proxy {
  /** The address of the server, by way of this proxy. */
  readonly url: string
  /** From now on nothing gets through, without an error. New connections are accepted, and wait. */
  readonly goSilent: () => void
  /** New connections get through again. Those from before stay silent. */
  readonly comeBack: () => void
  /** The next answer of the server to any connection that is open now is lost, and the connection with it. */
  readonly loseNextAnswer: () => void
}

export interface ProxyOptions {
  /** What becomes of the first bytes of each connection. */
  readonly startup?: (bytes: Buffer) => Buffer
}

/** Stands before the server of `url` until the scope ends. */
export const proxy = (url: string, options: ProxyOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => open(new URL(url), options)),
    ({ close }) => Effect.sync(close)
  )

const open = async (
  target: URL,
  { startup = (bytes) => bytes }: ProxyOptions
): Promise<Proxy & { close: () => void }> => {
  const lines = new Set<Line>()
  let silent = false
  const server = createServer((client) => {
    const upstream = connect(Number(target.port === "" ? 5432 : target.port), target.hostname)
    const line: Line = { client, upstream, silent, loseAnswer: false }
    lines.add(line)
    let started = false
    client.on("data", (bytes) => {
      if (line.silent) return
      upstream.write(started ? bytes : startup(Buffer.from(bytes)))
      started = true
    })
    upstream.on("data", (bytes) => {
      if (line.silent) return
      if (line.loseAnswer) return hangUp(line)
      client.write(bytes)
    })
    for (const socket of [client, upstream]) {
      socket.on("error", () => hangUp(line))
      socket.on("close", () => {
        if (!line.silent) hangUp(line)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = new URL(target)
  url.hostname = "127.0.0.1"
  url.port = String((server.address() as AddressInfo).port)
  const setSilent = (value: boolean) => {
    silent = value
    if (value) for (const line of lines) line.silent = true
  }
  return {
    url: url.href,
    goSilent: () => setSilent(true),
    comeBack: () => setSilent(false),
    loseNextAnswer: () => {
      for (const line of lines) line.loseAnswer = true
    },
    close: () => {
      server.close()
      for (const line of lines) hangUp(line)
    }
  }
}

interface Line {
  readonly client: Socket
  readonly upstream: Socket
  silent: boolean
  loseAnswer: boolean
}

const hangUp = ({ client, upstream }: Line): void => {
  client.destroy()
  upstream.destroy()
}
