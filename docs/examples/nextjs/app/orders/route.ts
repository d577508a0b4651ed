export const POST = async (request: Request): Promise<Response> => {
  const { item } = (await request.json()) as { readonly item: string }
  return Response.json({ ordered: item }, { status: 201 })
}
