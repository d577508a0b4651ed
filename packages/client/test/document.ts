/** The OpenAPI document as a server serves it, and what openapi-typescript makes of it. */
import openapiTS, { astToString } from "openapi-typescript"
import type { OpenAPI3 } from "openapi-typescript"
import { createPaymux } from "paymux"
import ts from "typescript"

export const servedDocument = async (): Promise<OpenAPI3> => {
  await using paymux = await createPaymux({ sandbox: true, database: ":memory:" })
  const response = await paymux.fetch(new Request("http://localhost/v1/openapi.json"))
  // Boundary: openapi-typescript checks what it is given.
  return (await response.json()) as OpenAPI3
}

/** The generated types that the client uses: the schemas, and the queries of the lists. */
export const typesOf = async (document: OpenAPI3): Promise<string> => {
  const declarations = (await openapiTS(document, { immutable: true, emptyObjectsUnknown: true })).filter((node) =>
    ts.isInterfaceDeclaration(node)
  )
  const named = (name: string) => declarations.filter((node) => node.name.text === name)
  const queryOf = (operation: string) =>
    [operation, "parameters", "query"].reduce(
      inside,
      named("operations").flatMap(({ members }) => [...members])
    )
  return astToString([
    ...named("components"),
    interfaceOf("ListPaymentsQuery", queryOf("payments.list")),
    interfaceOf("ListEventsQuery", queryOf("events.list"))
  ])
}

/** TypeScript of a whole document: its paths, operations and schemas. */
export const allTypesOf = async (document: OpenAPI3): Promise<string> =>
  astToString(await openapiTS(document, { emptyObjectsUnknown: true, defaultNonNullable: false }))

const inside = (members: ReadonlyArray<ts.TypeElement>, name: string): ReadonlyArray<ts.TypeElement> =>
  members.flatMap((member) => {
    if (!ts.isPropertySignature(member) || member.type === undefined || nameOf(member.name) !== name) return []
    return ts.isTypeLiteralNode(member.type) ? [...member.type.members] : []
  })

const nameOf = (name: ts.PropertyName): string | null =>
  ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : null

const interfaceOf = (name: string, members: ReadonlyArray<ts.TypeElement>) =>
  ts.factory.createInterfaceDeclaration(
    [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)],
    name,
    undefined,
    undefined,
    members
  )
