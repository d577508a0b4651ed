import type { Socket } from "node:net"

/**
 * Resets the connection, or closes it if its end is being sent: a reset is refused then, and Node (26.10) forgets the handle
 * without closing it, for which a worker thread waits for ever at its end.
 */
export const resetSocket = (socket: Socket): void => {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}
