/** Four worlds that were written, with their seeds, before the estimator that they judge. They have no bounds of the design. */
import { designWorlds, prompt } from "./designWorlds.ts"
import { MINUTE, SECOND } from "./World.ts"
import type { Outcomes, Kind, World } from "./World.ts"

const handles = ["bank1", "bank2", "bank3", "bank4", "bank5", "bank6"]

const collects: ReadonlyArray<Kind> = handles.map((handle) => ({
  share: 1 / handles.length,
  method: { rail: "upi", flow: "collect", handle }
}))

const pages: ReadonlyArray<Kind> = [
  { share: 0.5, method: { rail: "card", flow: "hosted", country: "DE", funding: "credit", bin: "411111" } },
  { share: 0.5, method: { rail: "card", flow: "token", country: "DE", funding: "credit", bin: "411111" } }
]

const ending = (rate: number, successSeconds: number, expiryMinutes: number): Outcomes => ({
  rate,
  successAfter: successSeconds * SECOND,
  failureAfter: expiryMinutes * MINUTE,
  failure: "expired"
})

const withoutBounds = designWorlds
  .slice(0, 1)
  .flatMap(({ bounds }) => bounds.map(([perMinute]) => [perMinute, null] as const))

export const ownWorlds: ReadonlyArray<World> = [
  {
    name: "own: the better provider is slow",
    minutes: 180,
    kinds: [{ share: 1, method: { rail: "upi", flow: "intent", handle: null } }],
    outcomes: () => [ending(0.84, 15, 5), ending(0.9, 200, 15)],
    bounds: withoutBounds
  },
  {
    name: "own: an outage in a quiet night",
    minutes: 480,
    kinds: [{ share: 1, method: { rail: "upi", flow: "intent", handle: null } }],
    // A tenth of the payments comes in the night, in which the first provider fails for two hours.
    volume: (minute) => (minute >= 120 && minute < 360 ? 0.1 : 1),
    outcomes: (minute) => [ending(minute >= 180 && minute < 300 ? 0.15 : 0.92, 20, 15), ending(0.88, 20, 5)],
    bounds: withoutBounds
  },
  {
    name: "own: one bank fails at one provider",
    minutes: 180,
    kinds: collects,
    outcomes: (minute, kind) => [
      ending(kind === 2 && minute >= 60 && minute < 150 ? 0.1 : 0.9, 25, 5),
      ending(0.86, 25, 15)
    ],
    bounds: withoutBounds
  },
  {
    name: "own: pages and tokens differ",
    minutes: 180,
    kinds: pages,
    outcomes: (_, kind) => (kind === 0 ? [ending(0.78, 90, 60), ending(0.86, 60, 60)] : [prompt(0.95), prompt(0.9)]),
    bounds: withoutBounds
  }
]
