/** The required version of Node, checked before anything else is loaded, which an older one could not load. */

const needed = [22, 19] as const

/** `null`: it will do. `version` is as `process.versions.node` has it. */
export const nodeProblem = (version: string): string | null => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [leastMajor, leastMinor] = needed
  const isEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor)
  return isEnough ? null : `Paymux needs Node ${needed.join(".")} or later; this is ${version}.`
}
