/** `pnpm test:speed`: in a second, how long tests take on this machine, compared with the one whose times README gives. */
import { machineFactor, machineText } from "../test/support/machineSpeed.ts"

console.log(machineText(await machineFactor()))
