import type { Socket } from "node:net"

/**
 * Resets the connection, or closes it if its end is being sent: Node refuses that reset (EINVAL) and drops the handle without
 * closing it, so a worker thread never exits. See docs/decisions/0082-sockets-that-keep-a-worker.md.
 */
export const resetSocket = (socket: Socket): void => {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}
