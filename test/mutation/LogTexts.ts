/** Leaves out the texts of log lines, span names and service keys: nothing decides on them. */
import type { Ignorer } from "@stryker-mutator/api/ignore"
import type { babel } from "@stryker-mutator/core"

const calls =
  /^(Effect\.log\w*|Effect\.annotateLogs|Effect\.withSpan|spanned|spanOf|Context\.Service|\w+\.TaggedError)\b/

export const logTexts: Ignorer = {
  // The interface knows no syntax tree; Stryker passes a path of Babel.
  shouldIgnore: (path) => ignored(path as babel.NodePath)
}

const ignored = (path: babel.NodePath): string | undefined => {
  if (!path.isStringLiteral() && !path.isTemplateLiteral()) return undefined
  const call = path.findParent((parent) => parent.isCallExpression() || parent.isFunction())
  return call?.isCallExpression() === true && calls.test(String(call.get("callee"))) ? "a text for logs" : undefined
}
