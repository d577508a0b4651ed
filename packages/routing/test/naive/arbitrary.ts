/** Rulesets with payments that they decide, as an arbitrary of fast-check: drawn at once, since combining would take longer than routing. */
import * as fc from "fast-check"
import { question } from "./arbitraryPayments.ts"
import type { Question } from "./arbitraryPayments.ts"
import { largeRuleset, ruleset } from "./arbitraryRules.ts"
import type { Ruleset } from "./arbitraryRules.ts"
import { drawFrom } from "./Draw.ts"
import type { Draw } from "./Draw.ts"

export interface Case extends Ruleset {
  readonly questions: ReadonlyArray<Question>
}

class Cases extends fc.Arbitrary<Case> {
  readonly #make: (draw: Draw) => Case

  constructor(make: (draw: Draw) => Case) {
    super()
    this.#make = make
  }

  generate(random: fc.Random): fc.Value<Case> {
    return new fc.Value(this.#make(drawFrom(random.nextInt(0, 0x7fff_ffff))), undefined)
  }

  canShrinkWithoutContext(_value: unknown): _value is Case {
    return false
  }

  /** One payment, then fewer rules, then fewer conditions. */
  shrink(value: Case): fc.Stream<fc.Value<Case>> {
    return fc.Stream.of(...smaller(value).map((less) => new fc.Value(less, undefined)))
  }
}

/** Whatever `make` draws. Small as it is, it is not shrunk. */
export const drawn = <A>(make: (draw: Draw) => A): fc.Arbitrary<A> =>
  fc.noShrink(fc.noBias(fc.integer())).map((seed) => make(drawFrom(seed)))

/** Up to twelve rules, mostly few, and four to six payments. */
export const cases = (): fc.Arbitrary<Case> =>
  new Cases((draw) => {
    const rules = Math.min(draw.int(0, 12), draw.int(0, 12), draw.int(0, 12))
    return asked(draw, ruleset(draw, rules), draw.one([4, 5, 6, 6, 6, 6, 6, 6]))
  })

/** More rules than fit in a few machine words, and more payments to find them. */
export const largeCases = (): fc.Arbitrary<Case> => new Cases((draw) => asked(draw, largeRuleset(draw), 400))

const asked = (draw: Draw, drawn: Ruleset, questions: number): Case => ({
  ...drawn,
  questions: Array.from({ length: questions }, () => question(draw, drawn))
})

const smaller = (value: Case): ReadonlyArray<Case> => {
  const { config, questions } = value
  const { rules = [] } = config
  const withRules = (fewer: typeof rules): Case => ({ ...value, config: { ...config, rules: fewer } })
  return [
    ...(questions.length > 1 ? questions.map((one) => ({ ...value, questions: [one] })) : []),
    ...rules.map((_, index) => withRules(rules.toSpliced(index, 1))),
    ...rules.flatMap((rule, index) =>
      Object.keys(rule.when).map((key) => {
        const when = Object.fromEntries(Object.entries(rule.when).filter(([name]) => name !== key))
        return withRules(rules.with(index, { ...rule, when }))
      })
    )
  ]
}
