/** `pnpm test:speed`: prints how fast this machine runs tests, compared with the one whose times README gives. */
import { machineFactor, machineText } from "../test/support/machineSpeed.ts"

console.log(machineText(await machineFactor()))
