/** Reads the text format of Prometheus as strictly as it is written down; throws over what is not in it. */
interface Sample {
  readonly name: string
  readonly labels: { readonly [name: string]: string }
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

export const parseExposition = (text: string): ReadonlyArray<Family> => {
  if (!text.endsWith("\n")) throw new Error("the last line does not end")
  const families: Array<{ name: string; type: string; help: string; samples: Array<Sample> }> = []
  let help: { name: string; text: string } | null = null
  for (const line of text.slice(0, -1).split("\n")) {
    const helped = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/.exec(line)
    const typed = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)$/.exec(line)
    if (helped !== null) {
      help = { name: helped[1] ?? "", text: helped[2] ?? "" }
    } else if (typed !== null) {
      const [, name = "", type = ""] = typed
      if (families.some((family) => family.name === name)) throw new Error(`${name} is described twice`)
      if (help?.name !== name) throw new Error(`${name} has no help`)
      families.push({ name, type, help: help.text, samples: [] })
    } else {
      const sample = sampleOf(line)
      const family = families.at(-1)
      const suffix = family === undefined ? null : sample.name.slice(family.name.length)
      const suffixes = family?.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""]
      if (family === undefined || !sample.name.startsWith(family.name) || !suffixes.includes(suffix ?? "?")) {
        throw new Error(`${line} stands under no type`)
      }
      family.samples.push(sample)
    }
  }
  return families
}

const sampleOf = (line: string): Sample => {
  const [, name = "", , labels = "", value = ""] =
    /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(.*)\})? (NaN|[+-]Inf|-?[0-9.]+(?:e[+-]?[0-9]+)?)$/.exec(line) ?? []
  if (name === "") throw new Error(`no sample: ${line}`)
  const read: { [name: string]: string } = {}
  let rest = labels
  while (rest !== "") {
    const [whole = "", label = "", text = ""] =
      /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/.exec(rest) ?? []
    if (whole === "" || label in read) throw new Error(`no labels: ${labels}`)
    read[label] = text
    rest = rest.slice(whole.length)
  }
  return { name, labels: read, value: Number(value.replace("Inf", "Infinity")) }
}
