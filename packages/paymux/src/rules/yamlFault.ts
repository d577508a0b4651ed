/** What the YAML parser found, in words for a payments team. Its own words may repeat what stands in the file. */
import type { YAMLError } from "yaml"
import type { RulesFault } from "./RulesFault.ts"
import { TOO_DEEP } from "./RulesTree.ts"

export const yamlFault = ({ code, message, pos }: YAMLError): RulesFault => ({
  at: pos[0],
  message: sentence(code, message)
})

const sentence = (code: YAMLError["code"], message: string): string => {
  switch (code) {
    case "TAB_AS_INDENT":
      return "a tab cannot indent: use spaces"
    case "BAD_INDENT":
      return message.startsWith("Flow ") ? OPEN_BRACKET : INDENTATION
    case "BLOCK_AS_IMPLICIT_KEY":
      return message.startsWith("A block sequence")
        ? INDENTATION
        : "a mapping cannot begin here: put it on a line of its own, or put the text in quotes"
    case "BLOCK_IN_FLOW":
      return "within brackets, write lists and mappings in brackets too"
    case "MULTILINE_IMPLICIT_KEY":
    case "KEY_OVER_1024_CHARS":
      return "a key must be on one line, with a space after its `:`"
    case "MISSING_CHAR":
      return missing(message)
    case "UNEXPECTED_TOKEN":
      return "this is not expected here"
    case "BAD_DQ_ESCAPE":
      return "there is no such escape in double quotes: write \\\\ for \\, or use single quotes"
    case "BAD_SCALAR_START":
      return "text cannot begin with this character: put it in quotes"
    case "BAD_ALIAS":
    case "ALIAS_PROPS":
    case "MULTIPLE_ANCHORS":
      return "this anchor or alias is not valid"
    case "BAD_DIRECTIVE":
      return "this directive is not supported"
    case "BAD_COLLECTION_TYPE":
    case "MULTIPLE_TAGS":
    case "TAG_RESOLVE_FAILED":
      return "tags are not supported"
    case "DUPLICATE_KEY":
      return "this key is in the mapping twice"
    case "MULTIPLE_DOCS":
      return "a second document begins here; a file has one"
    case "NON_STRING_KEY":
      return "a key must be text: put it in quotes"
    case "RESOURCE_EXHAUSTION":
      return TOO_DEEP
    case "BAD_PROP_ORDER":
    case "IMPOSSIBLE":
      return "this is not valid YAML"
  }
}

const INDENTATION = "the indentation does not fit the lines above"

export const NO_SPACE = "a space is missing after the `:`"

const OPEN_BRACKET = "a bracket above is not closed, or what is in it is not indented"

const missing = (message: string): string => {
  if (message.includes("closing")) return "a quote is not closed"
  if (message.startsWith("Sequence item")) return INDENTATION
  if (message.startsWith("Implicit map keys")) return "a `:` is missing after this key"
  if (message.startsWith("Missing ,")) return "a comma is missing"
  if (message.startsWith("Missing space")) return NO_SPACE
  if (message.startsWith("Flow ")) return OPEN_BRACKET
  if (message.startsWith("Comments")) return "a space is missing before the `#`"
  return "a character is missing here"
}
