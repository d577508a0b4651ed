/** Starts a worker thread in which a connection is reset while its end is being sent, and waits for its exit. */
import { once } from "node:events"
import { connect, createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { isMainThread, Worker } from "node:worker_threads"
import { resetSocket } from "../../src/fake/resetSocket.ts"

const resetWhileEnding = async (): Promise<void> => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.once("data", () => {
      socket.end()
      resetSocket(socket)
      server.close()
    })
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  // A TCP server's address is never a pipe's name.
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1")
  client.resume().write("hello")
  await once(client, "close")
}

if (isMainThread) {
  const [code]: ReadonlyArray<unknown> = await once(new Worker(new URL(import.meta.url)), "exit")
  process.stdout.write(`The worker exited with ${String(code)}.\n`)
} else {
  await resetWhileEnding()
}
