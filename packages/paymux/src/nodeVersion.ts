/** What this program needs of Node; told before anything of it is loaded, which an older one could not. */

const needed = [22, 19] as const

/** `null`: it will do. `version` is as `process.versions.node` has it. */
export const nodeProblem = (version: string): string | null => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [leastMajor, leastMinor] = needed
  const isEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor)
  return isEnough ? null : `Paymux needs Node ${needed.join(".")} or later; this is ${version}.`
}
