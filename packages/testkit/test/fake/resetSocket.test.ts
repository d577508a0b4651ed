import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { once } from "node:events"
import { connect, createServer } from "node:net"
import type { AddressInfo, Socket } from "node:net"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { resetSocket } from "../../src/fake/resetSocket.ts"

/** What the client of a connection sees, whose other end is given to `act`. */
const seenByClient = async (act: (socket: Socket) => void): Promise<string> => {
  const server = createServer({ allowHalfOpen: true }, act)
  await once(server.listen(0, "127.0.0.1"), "listening")
  // A TCP server's address is never a pipe's name.
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1")
  client.write("hello")
  const seen = new Promise<string>((resolve) => {
    client.once("error", ({ message }) => resolve(message))
    client.once("end", () => resolve("end"))
  })
  client.resume()
  const result = await seen
  client.destroy()
  await new Promise((resolve) => server.close(resolve))
  return result
}

describe("resetSocket", () => {
  it("resets a connection", async () => {
    assert.match(await seenByClient((socket) => socket.once("data", () => resetSocket(socket))), /ECONNRESET/)
  })

  it("closes a connection whose end is being sent, without an error", async () => {
    const errors: Array<Error> = []
    const seen = await seenByClient((socket) => {
      socket.on("error", (error) => errors.push(error))
      socket.once("data", () => {
        socket.end()
        resetSocket(socket)
      })
    })
    assert.deepStrictEqual([seen, errors], ["end", []])
  })

  // With `resetAndDestroy` instead, the worker never exits. It runs in a process of its own, which this test could end.
  it("lets a worker thread exit after it closed such a connection", async () => {
    const program = fileURLToPath(new URL("resetInWorker.ts", import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 20_000 })
    assert.strictEqual(stdout, "The worker exited with 0.\n")
  })
})
