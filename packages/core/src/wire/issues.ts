import { SchemaIssue } from "effect"

/** One fault of an input: a JSON pointer (RFC 6901) and a message, without the value. */
export interface InputIssue {
  readonly pointer: string
  readonly message: string
}

const formatter = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    switch (issue._tag) {
      case "MissingKey":
        return "is required"
      case "UnexpectedKey":
        return "is not a known field"
      default:
        return SchemaIssue.defaultLeafHook(issue)
    }
  }
})

/** The most faults in a response, so that it is not several times as large as its request. */
const mostIssues = 100

/** The faults of a failed decode, in the order of the schema: all, or the first hundred. */
export const describeIssues = (issue: SchemaIssue.Issue): ReadonlyArray<InputIssue> =>
  formatter(issue)
    .issues.slice(0, mostIssues)
    .map(({ message, path = [] }) => ({
      pointer: path.map((part) => `/${escape(String(typeof part === "object" ? part.key : part))}`).join(""),
      message
    }))

const escape = (segment: string): string => segment.replaceAll("~", "~0").replaceAll("/", "~1").slice(0, 64)
