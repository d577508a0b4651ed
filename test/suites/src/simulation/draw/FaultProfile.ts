/**
 * Which faults a plan draws:
 *
 * - `everything`: all of them, mixed.
 * - `honest`: all faults of clients, networks, processes and databases; vendors keep every promise, and clocks start
 *   together. A clock that is set twice on one of two machines is end 10, and seed 82 of a thousand payments shows it.
 * - `timeouts`: honest, and the first send of every payment times out, while most are captured all the same.
 * - `storm`: honest, and vendors report everything many times and in any order.
 * - `transfers`: honest, and other amounts and currencies are taken than were asked for.
 */
export const faultProfiles = ["everything", "honest", "timeouts", "storm", "transfers"] as const
export type FaultProfile = (typeof faultProfiles)[number]
