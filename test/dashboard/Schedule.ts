/** What happens and when, in the order of time. What happens may add more. */

export interface Schedule<A> {
  /** `at`: ms UTC. */
  readonly add: (at: number, act: A) => void
  /** The earliest, which is removed; `null`: nothing is left. */
  readonly next: () => { readonly at: number; readonly act: A } | null
}

export const makeSchedule = <A>(): Schedule<A> => {
  const steps: Array<{ readonly at: number; readonly act: A }> = []
  return {
    // The sort is stable: what was added first happens first at the same time.
    add: (at, act) => {
      steps.push({ at, act })
      steps.sort((one, other) => one.at - other.at)
    },
    next: () => steps.shift() ?? null
  }
}
