/**
 * A TCP proxy that breaks what runs through it: on the loopback there is no cable to pull.
 *
 * - `pass`: hands everything on.
 * - `delay`: hands it on later, in both directions.
 * - `reset`: every connection, standing or new, ends in an RST.
 * - `black_hole`: connections are taken and stand, and no byte comes through, nor any word that it did not: a cable cut
 *   or a firewall's doing. What was sent meanwhile is lost; when the hole closes its connections are reset.
 * - `cut_answer`: the request that matches goes on, its answer is waited for, and the client gets a reset in its place:
 *   what it asked for was done, and it cannot know.
 */
import { connect, createServer } from "node:net"
import type { AddressInfo, Socket } from "node:net"
import { resetSocket } from "../../packages/testkit/src/fake/resetSocket.ts"

export type ProxyMode =
  | { readonly kind: "pass" }
  | { readonly kind: "delay"; readonly ms: number }
  | { readonly kind: "reset" }
  | { readonly kind: "black_hole" }
  | {
      readonly kind: "cut_answer"
      /** Of what a client sends at once. */
      readonly to: (request: Buffer) => boolean
      /** Of all that has come since; default: with its first bytes. */
      readonly isWhole?: (answer: Buffer) => boolean
      /** How many answers; default: every one. */
      readonly times?: number
    }

export interface TcpProxy {
  readonly port: number
  /** `url` with this proxy in the place of its host. */
  readonly through: (url: string) => string
  readonly set: (mode: ProxyMode) => void
  /** Connections taken so far, and answers cut. */
  readonly counts: () => { readonly connections: number; readonly cuts: number }
  readonly close: () => Promise<void>
}

interface Pipe {
  readonly client: Socket
  readonly server: Socket
  /** What has come since a request whose answer is to be cut. */
  cutting: { readonly isWhole: (answer: Buffer) => boolean; answer: Buffer } | null
  /** Bytes went into the hole: nothing that comes later would make sense. */
  holed: boolean
}

export const startTcpProxy = async (target: { readonly host: string; readonly port: number }): Promise<TcpProxy> => {
  const pipes = new Set<Pipe>()
  let mode: ProxyMode = { kind: "pass" }
  let connections = 0
  let cuts = 0

  const end = (pipe: Pipe) => {
    pipes.delete(pipe)
    resetSocket(pipe.client)
    pipe.server.destroy()
  }

  const handOn = (pipe: Pipe, to: Socket, chunk: Buffer) => {
    switch (mode.kind) {
      case "pass":
      case "cut_answer":
        return void to.write(chunk)
      case "delay":
        return void setTimeout(() => to.writable && to.write(chunk), mode.ms)
      case "reset":
        return end(pipe)
      case "black_hole":
        pipe.holed = true
    }
  }

  const fromClient = (pipe: Pipe, chunk: Buffer) => {
    if (mode.kind === "cut_answer" && cuts < (mode.times ?? Number.POSITIVE_INFINITY) && mode.to(chunk)) {
      cuts++
      pipe.cutting = { isWhole: mode.isWhole ?? (() => true), answer: Buffer.alloc(0) }
    }
    handOn(pipe, pipe.server, chunk)
  }

  const fromServer = (pipe: Pipe, chunk: Buffer) => {
    if (pipe.cutting === null) return handOn(pipe, pipe.client, chunk)
    pipe.cutting.answer = Buffer.concat([pipe.cutting.answer, chunk])
    if (pipe.cutting.isWhole(pipe.cutting.answer)) end(pipe)
  }

  const listener = createServer({ noDelay: true }, (client) => {
    connections++
    if (mode.kind === "reset") return resetSocket(client)
    const pipe: Pipe = { client, server: connect({ ...target, noDelay: true }), cutting: null, holed: false }
    pipes.add(pipe)
    client.on("data", (chunk: Buffer) => fromClient(pipe, chunk))
    pipe.server.on("data", (chunk: Buffer) => fromServer(pipe, chunk))
    for (const [socket, other] of [
      [client, pipe.server],
      [pipe.server, client]
    ] as const) {
      socket.on("error", () => undefined)
      socket.on("end", () => {
        // A hole swallows goodbyes as well.
        if (mode.kind !== "black_hole") other.end()
      })
      socket.on("close", () => {
        if (mode.kind === "black_hole" && socket === pipe.server) return
        other.destroy()
        pipes.delete(pipe)
      })
    }
  })
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve))
  // A TCP server's address is never a pipe's name.
  const { port } = listener.address() as AddressInfo

  return {
    port,
    through: (url) => {
      const proxied = new URL(url)
      proxied.hostname = "127.0.0.1"
      proxied.port = String(port)
      return proxied.href
    },
    set: (next) => {
      const wasHole = mode.kind === "black_hole"
      mode = next
      cuts = 0
      if (next.kind === "black_hole") return
      for (const pipe of pipes) {
        if (next.kind === "reset" || (wasHole && (pipe.holed || pipe.server.destroyed))) end(pipe)
      }
    },
    counts: () => ({ connections, cuts }),
    close: async () => {
      for (const pipe of pipes) end(pipe)
      await new Promise((resolve) => listener.close(resolve))
    }
  }
}

/** Of PostgreSQL's protocol: the server is ready for the next query, and no transaction is open. */
export const isIdleAgain = (answer: Buffer): boolean => answer.subarray(-6).equals(READY)

const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

/** The address of a PostgreSQL server, from its URL. */
export const targetOf = (url: string): { readonly host: string; readonly port: number } => {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port === "" ? 5432 : port) }
}
