/** `--cell`, of commands that show or check the addresses of a server. */
import { Flag } from "effect/cli"

export const cellFlag = Flag.String("cell").pipe(
  Flag.withDescription("The cell that the server is, such as eu1; default PAYMUX_CELL, or the configuration's cell"),
  Flag.optional
)
